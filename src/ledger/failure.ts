/**
 * Turns a response of the transport into a failure of the port. Only responses that mean the same for every system are covered: a
 * connector reads all others itself, such as status 403, which the ledger or a gateway in front of it may return.
 */
import type { LedgerAnswer } from "./connector.ts";
import type { Failure, Rejected } from "./outcome.ts";

type AnsweredRequest = Extract<LedgerAnswer, { state: "answered" }>;

/** The cases in which connectors differ. */
interface FailureRules<NotAllowed> {
  /** The failure of a request to a host that is not allowed: `not_started` is tried again later, `rejected` is final. */
  readonly notAllowed: (cause: unknown) => NotAllowed;
  /** Returns the milliseconds until the next request after status 429, by the header `retry-after`. */
  readonly pauseMs: (retry_after: string | undefined) => number;
  /** Returns the cause of the failure after status 429, for the log; absent when the response has none. */
  readonly causeOf?: (answer: AnsweredRequest) => unknown;
}

/**
 * Returns the failure, or the response itself when the connector has to read it. A request that was not sent or was refused with
 * 429 is `not_started`, a lost response `unknown`, and 401 `unauthorized`.
 */
export function failureFrom<NotAllowed extends Failure | Rejected>(
  answer: LedgerAnswer,
  { notAllowed, pauseMs, causeOf }: FailureRules<NotAllowed>,
): AnsweredRequest | Failure | NotAllowed {
  if (answer.state === "lost") {
    return { state: "unknown", reason: answer.reason, cause: answer.cause };
  }
  if (answer.state === "not_sent") {
    const { reason, retry_after_ms, cause } = answer;
    if (reason === "not_allowed") return notAllowed(cause);
    // A pause of 0 is left out: the caller takes its usual pause.
    return { state: "not_started", reason, ...(retry_after_ms && { retry_after_ms }), cause };
  }
  if (answer.status === 401) return { state: "unauthorized", reason: "credentials" };
  if (answer.status === 429) {
    return {
      state: "not_started",
      reason: "rate_limited",
      retry_after_ms: pauseMs(answer.headers.get("retry-after")),
      ...(causeOf && { cause: causeOf(answer) }),
    };
  }
  return answer;
}
