/** Runs the work of a form: returns its result, or its faults by field. */
import type * as z from "zod";
import { type FieldError, Problem, type ProblemCode } from "../../domain/base/problem.ts";
import {
  fieldErrorsFrom,
  problemFromDatabase,
  statusOfKind,
} from "../../platform/http/problems.ts";
import { type Refusal, refusalOf } from "../words/refusal.ts";

/** Refusals by field; those of no field are under the empty name. `words.refused` puts them into words. */
export type Faults = ReadonlyMap<string, Refusal>;

export const NO_FAULTS: Faults = new Map();

type Submitted<Result> =
  | { readonly done: Result }
  | { readonly faults: Faults; readonly status: number };

/**
 * Validates the typed values and runs `work`. `fields` are the fields that the form shows; `blames` states the field for the code
 * of a refusal. Throws errors that do not refuse the typed values: NOT_FOUND and unexpected errors.
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
    const error = refusedBy(thrown);
    const { field_errors } = error.extras;
    const faults =
      field_errors === undefined
        ? new Map([[blames[error.code] ?? "", refusalOf(error)]])
        : faultsOf(field_errors);
    return { faults, status: statusOfKind[error.kind] };
  }
}

/** Returns the refusal that a page shows. Throws errors that refuse no request of a person: NOT_FOUND and unexpected errors. */
export function refusedBy(thrown: unknown): Problem {
  const error = problemFromDatabase(thrown);
  if (!(error instanceof Problem) || error.kind === "absent") throw thrown;
  return error;
}
