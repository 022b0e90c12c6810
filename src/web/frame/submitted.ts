/** What comes of a form: it was done, or what is wrong with it, by field. */
import type * as z from "zod";
import { type FieldError, Problem, type ProblemCode } from "../../domain/base/problem.ts";
import {
  fieldErrorsFrom,
  problemFromDatabase,
  statusOfKind,
} from "../../platform/http/problems.ts";
import { type Refusal, refusalOf } from "../words/refusal.ts";

/** What is refused by the names of fields; under the empty name what none of them is to blame for. `words.refused` says it. */
export type Faults = ReadonlyMap<string, Refusal>;

export const NO_FAULTS: Faults = new Map();

type Submitted<Result> =
  | { readonly done: Result }
  | { readonly faults: Faults; readonly status: number };

/**
 * Checks what was typed and does what the form is for. `fields` are those that the form shows, and `blames` says which of them a refusal is about.
 * Throws what is no refusal of what was typed: NOT_FOUND, and what is no refusal at all.
 */
export async function submitted<Value, Result>(
  schema: z.ZodType<Value>,
  typed: unknown,
  fields: readonly string[],
  blames: Partial<Record<ProblemCode, string>>,
  work: (value: Value) => Promise<Result>,
): Promise<Submitted<Result>> {
  const parsed = schema.safeParse(typed, { reportInput: true });
  const faultsOf = (errors: readonly FieldError[]): Faults =>
    new Map(
      errors.toReversed().map((error) => [fields.includes(error.field) ? error.field : "", error]),
    );
  if (!parsed.success) return { faults: faultsOf(fieldErrorsFrom(parsed.error)), status: 422 };
  try {
    return { done: await work(parsed.data) };
  } catch (thrown) {
    const error = problemFromDatabase(thrown);
    if (!(error instanceof Problem) || error.kind === "absent") throw thrown;
    const { field_errors } = error.extras;
    const faults =
      field_errors === undefined
        ? new Map([[blames[error.code] ?? "", refusalOf(error)]])
        : faultsOf(field_errors);
    return { faults, status: statusOfKind[error.kind] };
  }
}
