/** A refusal in the form that pages show. */
import type { FieldCode, Problem, ProblemCode } from "../../domain/base/problem.ts";

/** The refusal of a request or of one of its fields. `message` is the English sentence of the rule. */
export interface Refusal {
  readonly code: FieldCode | ProblemCode;
  readonly message: string;
  /** The wait before the next attempt. */
  readonly seconds?: number;
  /** The name of the accounting system whose lock covers the date. */
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
