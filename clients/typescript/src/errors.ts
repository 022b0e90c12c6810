/** The errors that calls throw: a class for each kind of refusal, with the code and the details of the answer. */

/** What is wrong with one field of a request. */
export interface FieldError {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The envelope of a refusal. */
interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string | null;
  readonly field_errors?: readonly FieldError[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A refusal of the service, or of what stands in front of it. New codes may come at any time. */
export class MatchbookError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The code, such as `NOT_FOUND` or `VALIDATION_FAILED`; `CONNECTION_LOST` when there was no answer. */
  readonly code: string;
  /** The id of the request in the log of the service. */
  readonly requestId: string | null;
  readonly fieldErrors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.name = new.target.name;
    this.status = status;
    this.code = body.code;
    this.requestId = body.request_id;
    this.fieldErrors = body.field_errors ?? [];
    this.details = body.details ?? {};
  }
}

/** 400 and 422: the request is malformed, or a field of it is. */
export class InvalidRequestError extends MatchbookError {}
/** 401: the key is unknown or has ended. */
export class AuthenticationError extends MatchbookError {}
/** 403: the scope of the key is too small. */
export class PermissionError extends MatchbookError {}
/** 404: the account has no such resource. */
export class NotFoundError extends MatchbookError {}
/** 409: the state of the resource does not allow it. */
export class ConflictError extends MatchbookError {}
/** 412: the resource has changed since it was read. */
export class PreconditionFailedError extends MatchbookError {}
/** 429: too many requests, also after the retries. */
export class RateLimitError extends MatchbookError {}
/** 5xx: the service or the connected ledger failed, also after the retries. */
export class ServerError extends MatchbookError {}
/** No answer came, also after the retries. A change may have happened: repeat it with the same idempotency key. */
export class ConnectionError extends MatchbookError {}

const BY_STATUS: Readonly<Record<number, typeof MatchbookError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** Returns the error of an answer. A body that is no envelope, as of a proxy, gets the code `HTTP_<status>`. */
export function errorFrom(status: number, text: string): MatchbookError {
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : MatchbookError);
  return new Kind(status, envelopeIn(text) ?? bodyOf(`HTTP_${status}`, `HTTP status ${status}`));
}

/** Returns the error of a request without an answer. */
export function connectionError(cause: unknown): ConnectionError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(0, bodyOf("CONNECTION_LOST", `No answer: ${reason}`), { cause });
}

function bodyOf(code: string, message: string): ErrorBody {
  return { code, message, request_id: null };
}

function envelopeIn(text: string): ErrorBody | null {
  try {
    const { error } = JSON.parse(text);
    return typeof error?.code === "string" ? { message: error.code, ...error } : null;
  } catch {
    return null;
  }
}
