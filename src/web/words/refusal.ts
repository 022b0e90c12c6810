/** What is refused, as pages tell it. */
import type { FieldCode, Problem, ProblemCode } from "../../domain/base/problem.ts";

/** Of a request, or of one of its fields. `message` is the sentence of the rule, in English. */
export interface Refusal {
  readonly code: FieldCode | ProblemCode;
  readonly message: string;
  /** Until it may be tried again. */
  readonly seconds?: number;
  /** The name of the accounting system whose lock a date lies in. */
  readonly ledger?: string;
}

export function refusalOf({ code, message, extras }: Problem): Refusal {
  const { retry_after_seconds: seconds, details } = extras;
  const ledger = code === "PERIOD_LOCKED" ? details?.ledger : undefined;
  return {
    code,
    message,
    ...(seconds === undefined ? {} : { seconds }),
    ...(typeof ledger === "string" && { ledger }),
  };
}
