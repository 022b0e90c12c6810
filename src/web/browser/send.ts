/** Sends a request to the server and reports its outcome: done, refused with a reason, or no response. */
import type { FieldError, ProblemCode } from "../../domain/base/problem.ts";
import type { Refusal } from "../words/refusal.ts";

export interface Refused {
  readonly code: ProblemCode;
  readonly message: string;
  readonly field_errors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the part of a refusal to show where there is room for one message: the first field error, else the refusal itself. */
export function firstReason({ field_errors, code, message }: Refused): Refusal {
  return field_errors[0] ?? { code, message };
}

/** The outcome of a request; unknown if `lost`. The caller may repeat it where a repetition has no second effect. */
export type Answer<Result> =
  | { readonly done: Result }
  | { readonly refused: Refused }
  | { readonly lost: true };

/** The largest body of a `keepalive` request. The Fetch standard allows 64 KiB for all such requests under way. */
const MOST_KEPT_ALIVE = 30_000;

/** How long a request is repeated after responses with status 429, in milliseconds. */
const MOST_RETRY_MS = 60_000;

/**
 * Sends an action, whose path is `action`. A request that gets status 429 has changed nothing: it is sent again after
 * `Retry-After`, for up to a minute. A status of 500 or above is `lost`: a fault of the server is not a refusal.
 */
export function send<Result>(action: `/app/${string}`, sent: unknown): Promise<Answer<Result>> {
  return sendBody(action, "application/json", JSON.stringify(sent));
}

/** Sends a file to an action that takes one, with its input in the query. */
export function sendFile<Result>(
  action: `/app/${string}`,
  content_type: string,
  file: Blob,
): Promise<Answer<Result>> {
  return sendBody(action, content_type, file);
}

async function sendBody<Result>(
  action: `/app/${string}`,
  content_type: string,
  body: string | Blob,
): Promise<Answer<Result>> {
  const until = Date.now() + MOST_RETRY_MS;
  try {
    for (;;) {
      const response = await post(action, content_type, body);
      if (response.status === 429) {
        const wait_ms = 1000 * (Number(response.headers.get("retry-after")) || 1);
        if (Date.now() + wait_ms > until) return { lost: true };
        await new Promise((resolve) => setTimeout(resolve, wait_ms));
        continue;
      }
      if (response.status >= 500) return { lost: true };
      const answer = await response.json();
      if (response.ok) return { done: answer as Result };
      const { code, message, field_errors = [], details = {} } = answer.error as Refused;
      return { refused: { code, message, field_errors, details } };
    }
  } catch {
    return { lost: true };
  }
}

function post(action: string, content_type: string, body: string | Blob): Promise<Response> {
  return fetch(action, {
    method: "POST",
    credentials: "same-origin",
    // The request completes even when the person leaves the page; browsers allow that only for small bodies.
    keepalive: typeof body === "string" && body.length < MOST_KEPT_ALIVE,
    headers: { "content-type": content_type, "x-csrf": proof() },
    body,
  });
}

/** Returns the page's CSRF token. It follows from the session: a page of another session has no effect in this one. */
function proof(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=csrf]")?.content ?? "";
}
