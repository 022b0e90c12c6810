/** What is refused, as pages tell it. */
import type { FieldCode, Problem, ProblemCode } from "../../domain/base/problem.ts";

/** Of a request, or of one of its fields. `message` is the sentence of the rule, in English. */
export interface Refusal {
  readonly code: FieldCode | ProblemCode;
  readonly message: string;
  /** Until it may be tried again. */
  readonly seconds?: number;
}

export function refusalOf({ code, message, extras }: Problem): Refusal {
  const { retry_after_seconds: seconds } = extras;
  return { code, message, ...(seconds === undefined ? {} : { seconds }) };
}
