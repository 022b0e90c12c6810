/**
 * Sends requests to the Dinero API with their token, and interprets the responses: done, refused, or one of the failures of the
 * port. Only a request that was certainly not sent is `not_started`; any other request without a readable response is `unknown`.
 */
import type {
  LedgerAnswer,
  LedgerRequest,
  LedgerTokenRefusal,
  LedgerTransport,
  RenewedToken,
} from "../../connector.ts";
import { failureFrom } from "../../failure.ts";
import type { CallOptions, Failure, Unknown } from "../../outcome.ts";
import { type DineroRefusal, hasCode, isDuplicate, refusalOf } from "./refusals.ts";
import { fieldOf, jsonOf, objectOf, textOf, UnreadableAnswer } from "./values.ts";

/** One request to an address below the organisation. */
export interface DineroRequest {
  /** The address without ids, for the record of calls. */
  readonly verb: string;
  readonly method: LedgerRequest["method"];
  readonly version: "v1" | "v1.2" | "v2" | "v3";
  /** The path below the organisation, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Whether the address is outside the organisation's path. */
  readonly is_of_all?: boolean;
  /** Whether the response is a file. */
  readonly wants_file?: boolean;
}

export type DineroAnswer =
  | {
      readonly state: "done";
      /** The parsed body; undefined for an empty body, the bytes for a file. */
      readonly value: unknown;
      /** The time of the response, by Dinero's clock. */
      readonly date: string | null;
    }
  | { readonly state: "refused"; readonly refusal: DineroRefusal }
  | Failure;

export type DineroApi = (request: DineroRequest, options: CallOptions) => Promise<DineroAnswer>;

const API = "https://api.dinero.dk";
const PERSONAL_TOKENS = "https://authz.dinero.dk/dineroapi/oauth/token";
const PUBLIC_TOKENS = "https://connect.visma.com/connect/token";
/** The period of Dinero's limit: one minute. */
const QUOTA_MS = 60_000;
/** How long before its end a token is renewed: one minute. */
const TOKEN_MARGIN_S = 60;

export function openApi(line: LedgerTransport): DineroApi {
  const { organization_id, api_url } = line.settings;
  const root = (api_url ?? API).replace(/\/+$/, "");
  const once = (request: DineroRequest, token: string, options: CallOptions) =>
    line.request(
      {
        verb: `${request.method} ${request.verb}`,
        method: request.method,
        url: `${root}/${request.version}/${request.is_of_all ? "" : `${organization_id}/`}${request.path}`,
        headers: {
          authorization: `Bearer ${token}`,
          accept: request.wants_file ? "application/octet-stream" : "application/json",
          ...(request.body !== undefined && { "content-type": "application/json" }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      },
      options,
    );
  return async (request, options) => {
    for (let attempt = 1; ; attempt += 1) {
      const token = await line.tokens.get((refresh) => renewToken(line, refresh, options));
      if (token.state === "unauthorized") {
        return { ...token, reason: "credentials" };
      }
      if (token.state === "unavailable") {
        return { state: "not_started", reason: "unavailable", cause: token.cause };
      }
      const answer = await once(request, token.access_token, options);
      const is_denied = answer.state === "answered" && answer.status === 401;
      if (is_denied) await line.tokens.drop(token.access_token);
      if (!is_denied || attempt === 2) return answerOf(answer, request.wants_file === true);
    }
  };
}

/** Interprets the response to any request. */
function answerOf(answer: LedgerAnswer, is_file: boolean): DineroAnswer {
  const read = failureFrom(answer, {
    notAllowed: (cause) => ({ state: "not_started", reason: "unavailable", cause }),
    pauseMs: pauseIn,
    causeOf: ({ status, body }) => refusalOf(status, body),
  });
  if (read.state !== "answered") return read;
  const { status, body, headers } = read;
  if (status >= 200 && status < 300) {
    try {
      return {
        state: "done",
        value: is_file ? body : jsonOf(body),
        date: headers.get("date") ?? null,
      };
    } catch (cause) {
      return badResponse(cause);
    }
  }
  const refusal = refusalOf(status, body);
  // A 403 without a code comes from a firewall or a gateway, and says nothing about the credentials.
  if (status === 403 && refusal.codes.length === 0) return badResponse(refusal);
  if (status === 403) {
    const is_plan = hasCode(refusal, 48, 90);
    return {
      state: "unauthorized",
      reason: is_plan ? "subscription" : "credentials",
      cause: refusal,
    };
  }
  // 480 is a deliberate failure before the address is removed, at a time that is not published.
  const is_refusal = status === 409 ? isDuplicate(refusal) : [400, 404, 413].includes(status);
  return is_refusal ? { state: "refused", refusal } : badResponse(refusal);
}

/** Dinero does not publish whether it returns the pause in seconds; its limit is per minute. */
function pauseIn(retry_after: string | undefined): number {
  return /^[1-9]\d{0,4}$/.test(retry_after ?? "") ? Number(retry_after) * 1_000 : QUOTA_MS;
}

export function badResponse(cause: unknown): Unknown {
  return { state: "unknown", reason: "bad_response", cause };
}

/** Reads a response. An unreadable response has an unknown outcome. */
export function readable<Outcome>(read: () => Outcome): Outcome | Unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableAnswer) return badResponse(error);
    throw error;
  }
}

/** Requests a token: with the key of the company, or with the refresh token, which works once. */
async function renewToken(
  line: LedgerTransport,
  refresh_token: string | null,
  options: CallOptions,
): Promise<RenewedToken | LedgerTokenRefusal> {
  const { client_id = "", token_url } = line.settings;
  const { client_secret = "", api_key, refresh_token: first } = line.secrets;
  const form =
    api_key === undefined
      ? { grant_type: "refresh_token", refresh_token: refresh_token ?? first ?? "" }
      : { grant_type: "password", scope: "read write", username: api_key, password: api_key };
  const answer = await line.request(
    {
      verb: "POST token",
      method: "POST",
      url: token_url ?? (api_key === undefined ? PUBLIC_TOKENS : PERSONAL_TOKENS),
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`,
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(form).toString(),
      is_free: true,
    },
    options,
  );
  if (answer.state !== "answered") return { state: "unavailable", cause: answer };
  if (answer.status === 403 && !isJson(answer.body)) {
    return { state: "unavailable", cause: { status: answer.status } };
  }
  if ([400, 401, 403].includes(answer.status)) {
    return { state: "unauthorized", cause: { status: answer.status } };
  }
  if (answer.status !== 200) return { state: "unavailable", cause: { status: answer.status } };
  return tokenIn(answer.body);
}

function isJson(body: Uint8Array): boolean {
  try {
    return jsonOf(body) !== undefined;
  } catch {
    return false;
  }
}

/** The cause of an error never contains the response, which may contain a token. */
function tokenIn(body: Uint8Array): RenewedToken | LedgerTokenRefusal {
  try {
    const answered = objectOf(jsonOf(body));
    const access_token = textOf(answered, "access_token");
    const seconds = fieldOf(answered, "expires_in");
    if (access_token === null) throw new UnreadableAnswer("no token was answered");
    return {
      state: "token",
      access_token,
      refresh_token: textOf(answered, "refresh_token"),
      lives_ms: 1000 * Math.max(1, (typeof seconds === "number" ? seconds : 600) - TOKEN_MARGIN_S),
    };
  } catch (cause) {
    return { state: "unavailable", cause };
  }
}
