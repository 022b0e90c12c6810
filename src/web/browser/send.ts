/** Asks the server to do something, and tells what became of it: done, refused in words, or never answered. */
import type { FieldError, ProblemCode } from "../../domain/base/problem.ts";
import type { Refusal } from "../words/refusal.ts";

export interface Refused {
  readonly code: ProblemCode;
  readonly message: string;
  readonly field_errors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;
}

/** What of a refusal is told where there is room for one thing: what is wrong with a field comes first. */
export function toldOf({ field_errors, code, message }: Refused): Refusal {
  return field_errors[0] ?? { code, message };
}

/** `lost` is known of nothing: it may have been done, and may be sent again where that does nothing twice. */
export type Answer<Result> =
  | { readonly done: Result }
  | { readonly refused: Refused }
  | { readonly lost: true };

/** Fetch standard: 64 KiB for all that is under way. */
const MOST_KEPT_ALIVE = 30_000;

/** How long a request is repeated that the server refuses for haste, in milliseconds. */
const MOST_PATIENCE_MS = 60_000;

/**
 * `action` is the path of an action. A request that is answered 429 has changed nothing: it is sent again after `Retry-After`, for
 * up to a minute. Statuses of 500 and above are `lost`: our own fault is no refusal of theirs.
 */
export async function send<Result>(
  action: `/app/${string}`,
  sent: unknown,
): Promise<Answer<Result>> {
  const body = JSON.stringify(sent);
  const until = Date.now() + MOST_PATIENCE_MS;
  try {
    for (;;) {
      const response = await post(action, body);
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

function post(action: string, body: string): Promise<Response> {
  return fetch(action, {
    method: "POST",
    credentials: "same-origin",
    // What was sent is done, also when the page is left at once: browsers promise that of little.
    keepalive: body.length < MOST_KEPT_ALIVE,
    headers: { "content-type": "application/json", "x-csrf": proof() },
    body,
  });
}

/** What the page carries for its actions: it follows from the session, so that another session's page does nothing in this one. */
function proof(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=csrf]")?.content ?? "";
}
