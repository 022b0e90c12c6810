import { expect, it } from "vitest";
import * as z from "zod";
import { fieldErrorsFrom } from "./problems.ts";

const Body = z.strictObject({
  name: z.string().max(3),
  kind: z.enum(["full", "partial"]),
  lines: z.array(z.object({ amount: z.number() })).optional(),
});

it.each([
  [{}, ["name required: This field is required.", "kind required: This field is required."]],
  [{ name: "Acme", kind: "full" }, ["name too_long: At most 3 characters."]],
  [{ name: null, kind: "full" }, ["name invalid_type: Must be a text."]],
  [{ name: "A", kind: "half" }, ["kind invalid_value: Must be one of full, partial."]],
  [
    { name: "A", kind: "full", lines: [{ amount: 1 }, {}] },
    ["lines[1].amount required: This field is required."],
  ],
  [
    { name: "A", kind: "full", ["x".repeat(70)]: 1 },
    [`${"x".repeat(64)} not_allowed: There is no such field.`],
  ],
])("%j", (body, errors) => {
  const parsed = Body.safeParse(body, { reportInput: true });
  const found = fieldErrorsFrom(parsed.error as z.ZodError);
  expect(found.map(({ field, code, message }) => `${field} ${code}: ${message}`)).toEqual(errors);
});
