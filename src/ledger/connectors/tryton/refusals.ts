/**
 * Translates Tryton's refusals to the terms of the port. A refusal comes with HTTP 200 and an `error`: the server has rolled back
 * the whole call. Inside this folder, the reason that stops a verb is thrown; `settled` turns it into a value at the port.
 */
import type { Failure, RejectCode, Rejected } from "../../outcome.ts";
import { isRow, UnreadableValue } from "./values.ts";

/** Ends a verb with an outcome. */
export class Stopped extends Error {
  readonly outcome: Rejected | Failure;
  constructor(outcome: Rejected | Failure) {
    super(outcome.state);
    this.outcome = outcome;
  }
}

/** Tryton refuses a call; its message is in the user's language, so only its kind is reliable. */
export class TrytonRefusal extends Error {
  readonly kind: "UserError" | "UserWarning";
  /** The name by which a warning is acknowledged; empty for errors. */
  readonly warning: string;
  constructor(kind: TrytonRefusal["kind"], message: string, warning = "") {
    super(message);
    this.kind = kind;
    this.warning = warning;
  }
}

export function rejected(code: RejectCode, fields: Record<string, string>): Stopped {
  return new Stopped({ state: "rejected", code, fields });
}

/** Returns the result of a verb, or the reason that stopped it. An unexplained refusal is a refusal of the content. */
export async function settled<Result>(
  verb: () => Promise<Result>,
): Promise<Result | Rejected | Failure> {
  try {
    return await verb();
  } catch (error) {
    if (error instanceof Stopped) return error.outcome;
    if (error instanceof TrytonRefusal) {
      return { state: "rejected", code: "VALIDATION", fields: { message: error.message } };
    }
    if (error instanceof UnreadableValue)
      return { state: "unknown", reason: "bad_response", cause: error };
    throw error;
  }
}

/** As `settled`, for a verb that only reads: a refusal leaves the state unknown. */
export async function asked<Result>(verb: () => Promise<Result>): Promise<Result | Failure> {
  const outcome = await settled(verb);
  return isRejected(outcome)
    ? { state: "unknown", reason: "bad_response", cause: outcome }
    : outcome;
}

function isRejected(outcome: unknown): outcome is Rejected {
  return isRow(outcome) && outcome.state === "rejected";
}

/** The server responds, and has no database with the name. */
export class NoDatabase extends Stopped {
  constructor() {
    super({ state: "unknown", reason: "bad_response", cause: "the server has no such database" });
  }
}

/** PostgreSQL's messages, which Tryton passes on after several tries. The call has been rolled back. */
const CONTENTION =
  /could not obtain lock|could not serialize|deadlock detected|lock not available|lock timeout/i;

/**
 * Converts an `error` to an exception: `["UserError", [message, description, domain]]`, `["UserWarning", [name, message,
 * description]]`, `[text, trace]`.
 */
export function refusalOf(error: unknown): Error {
  const [kind, detail] = Array.isArray(error) ? error : [String(error)];
  const texts = Array.isArray(detail) ? detail.map(String) : [String(detail ?? "")];
  const [first = "", second = ""] = texts;
  if (kind === "UserError") return new TrytonRefusal("UserError", first.slice(0, 500));
  if (kind === "UserWarning") return new TrytonRefusal("UserWarning", second.slice(0, 500), first);
  if (kind === "ConcurrencyException" || CONTENTION.test(String(kind))) {
    return new Stopped({ state: "not_started", reason: "lock_contention", retry_after_ms: 500 });
  }
  if (kind === "LoginException" || kind === "NotLogged") {
    return new Stopped({ state: "unauthorized", reason: "credentials" });
  }
  return new Stopped({
    state: "unknown",
    reason: "bad_response",
    cause: String(kind).slice(0, 500),
  });
}
