import { describe, expect, it } from "vitest";
import { cut, fittingErrors } from "./field-errors.ts";
import { type FieldError, Problem } from "./problem.ts";

const fault = (field: string, message = "No."): FieldError => ({
  field,
  code: "required",
  message,
});
const many = (count: number, message?: string) =>
  Array.from({ length: count }, (_, index) => fault(`lines[${index}].x`, message));

describe("the reported faults", () => {
  it("are all faults up to 100, and the first 100 of more", () => {
    expect(fittingErrors(many(100))).toEqual(many(100));
    expect(fittingErrors(many(101))).toEqual(many(100));
  });

  it.each([
    ["long messages", many(300, "x".repeat(1000))],
    ["wide characters", many(300, "𝒳".repeat(500))],
    ["control characters, which JSON spells out", many(300, "\u0001".repeat(1000))],
    ["long names", Array.from({ length: 300 }, () => fault("é".repeat(5000)))],
  ])("stay below 64 KB with %s", (_what, faults) => {
    const text = JSON.stringify(fittingErrors(faults));
    expect(Buffer.byteLength(text)).toBeLessThan(64_000);
    expect(fittingErrors(faults).length).toBeGreaterThan(20);
  });

  it("are cut between characters", () => {
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("abcd", 4)).toBe("abcd");
    expect(cut("ab𝒳𝒳", 4)).toBe("ab…");
  });
});

describe("a refusal", () => {
  it("states the total number of faults when it does not list all", () => {
    const { extras } = new Problem("VALIDATION_FAILED", { field_errors: many(250) });
    expect(extras.field_errors).toHaveLength(100);
    expect(extras.details).toEqual({ field_errors_total: 250 });
  });

  it("adds the given total to other details when the list of faults is incomplete", () => {
    const extras = { field_errors: many(3), field_errors_total: 1000, details: { a: 1 } };
    const problem = new Problem("VALIDATION_FAILED", extras);
    expect(problem.extras.details).toEqual({ a: 1, field_errors_total: 1000 });
  });

  it("has no total when it lists all faults", () => {
    const { extras } = new Problem("VALIDATION_FAILED", { field_errors: many(100) });
    expect(extras.details).toBeUndefined();
  });
});
