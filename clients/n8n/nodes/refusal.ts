/** Refusals of the service as errors of n8n, with their code and the fields that are wrong. */
import { type IN8nHttpFullResponse, type INode, type JsonObject, NodeApiError } from "n8n-workflow";

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly request_id?: string | null;
  readonly field_errors?: readonly { readonly field: string; readonly message: string }[];
}

/** Returns the error of an answer that is not 2xx. */
export function refusalOf(node: INode, { statusCode, body }: IN8nHttpFullResponse): NodeApiError {
  const error = errorIn(body);
  const fields = (error.field_errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  const lines = error.request_id ? [...fields, `Request ${error.request_id}`] : fields;
  return new NodeApiError(node, error as JsonObject, {
    message: `${error.code ?? `HTTP ${statusCode}`}: ${error.message ?? "The service gave no reason"}`,
    description: lines.join("\n"),
    httpCode: String(statusCode),
  });
}

/** Reads the envelope of a refusal; a body that is none, as of a proxy, has no code. */
function errorIn(body: unknown): ErrorBody {
  try {
    const text =
      Buffer.isBuffer(body) || body instanceof ArrayBuffer
        ? Buffer.from(body as Buffer).toString()
        : body;
    const { error } = typeof text === "string" ? JSON.parse(text) : (text as { error: ErrorBody });
    return error ?? {};
  } catch {
    return {};
  }
}
