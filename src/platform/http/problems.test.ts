import { expect, it } from "vitest";
import * as z from "zod";
import { fieldErrorsFrom } from "./problems.ts";

const Body = z.strictObject({
  name: z.string().min(1).max(3),
  days: z.int().max(60).optional(),
  tags: z.array(z.string().min(2)).min(1).optional(),
  kind: z.enum(["full", "partial"]),
  lines: z.array(z.object({ amount: z.number() })).optional(),
  rate: z.union([z.enum(["none"]), z.object({ percent: z.number() })]).optional(),
});

it.each([
  [{}, ["name required: This field is required.", "kind required: This field is required."]],
  [{ name: "Acme", kind: "full" }, ["name too_long: At most 3 characters."]],
  [{ name: "", kind: "full" }, ["name too_short: Must not be empty."]],
  [{ name: "A", kind: "full", tags: [] }, ["tags too_short: At least 1 entry."]],
  [{ name: "A", kind: "full", tags: ["B"] }, ["tags[0] too_short: At least 2 characters."]],
  [{ name: "A", kind: "full", days: 1e300 }, ["days too_large: At most 60."]],
  [{ name: null, kind: "full" }, ["name invalid_type: Must be a text."]],
  [{ name: "A", kind: "half" }, ["kind invalid_value: Must be one of full, partial."]],
  [
    { name: "A", kind: "full", lines: [{ amount: 1 }, {}] },
    ["lines[1].amount required: This field is required."],
  ],
  [
    { name: "A", kind: "full", rate: { percent: "1" } },
    ["rate.percent invalid_type: Must be a number."],
  ],
  [
    { name: "A", kind: "full", rate: "some" },
    ["rate invalid_value: Has none of the possible formats."],
  ],
  [
    { name: "A", kind: "full", ["x".repeat(70)]: 1 },
    [`${"x".repeat(64)} not_allowed: There is no such field.`],
  ],
])("reports the field errors of %j", (body, errors) => {
  const parsed = Body.safeParse(body, { reportInput: true });
  const found = fieldErrorsFrom(parsed.error as z.ZodError);
  expect(found.map(({ field, code, message }) => `${field} ${code}: ${message}`)).toEqual(errors);
});
