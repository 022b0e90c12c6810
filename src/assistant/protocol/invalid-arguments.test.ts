/** The refusal of invalid arguments, without work for the faults that it omits. */
import { expect, it } from "vitest";
import * as z from "zod";
import type { FieldError } from "../../domain/base/problem.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import { invalidArguments } from "./invalid-arguments.ts";
import { listedInput } from "./listed-schema.ts";

const input = z.strictObject({ customer: z.string(), limit: z.int().min(1).max(100).optional() });

function faultsOf(sent: object): FieldError[] {
  const parsed = input.safeParse(sent, { reportInput: true });
  if (parsed.success) throw new Error("the arguments validate");
  return fieldErrorsFrom(parsed.error);
}

it("states the expected value of each argument", () => {
  const problem = invalidArguments(
    "list_things",
    listedInput(input),
    faultsOf({ limit: 0, costumer: "Acme" }),
  );

  expect(problem.extras.field_errors).toMatchObject([
    { field: "customer", code: "required", message: "This field is required. Right: a text." },
    { field: "limit", message: "At least 1. Right: a whole number from 1 to 100." },
    { field: "costumer", message: expect.stringContaining("Did you mean customer?") },
  ]);
  expect(problem.extras.details).toBeUndefined();
});

it("searches no similar names for faults that are only counted", () => {
  let looks = 0;
  const listed = listedInput(input);
  const counting = {
    ...listed,
    get properties() {
      looks += 1;
      return listed.properties;
    },
  };
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`costumer${n}`, 1]));

  const problem = invalidArguments(
    "list_things",
    counting as typeof listed,
    faultsOf({ customer: "Acme", ...unknown }),
  );

  expect(problem.extras.field_errors).toHaveLength(100);
  expect(problem.extras.details).toEqual({ field_errors_total: 5_000 });
  expect(looks).toBeLessThan(1_000);
});
