import { describe, expect, it } from "vitest";
import { firstChanges, inThePast, type PlannedChange, textOfPlan } from "./plan-words.ts";

const PRODUCT = "0190a000-0000-7000-8000-00000000000a";
const UNKNOWN = "0190a000-0000-7000-8000-00000000000b";
const names = new Map([[PRODUCT, 'De"sign']]);

/** The rows of a plan with these changes, each `[field, before, after]`. */
function rowsOf(...changes: [field: string, before: unknown, after: unknown][]): string[] {
  const shown = {
    summary: "Changes something.",
    changes: changes.map(
      ([field, before, after]): PlannedChange => ({
        resource_type: "invoice",
        id: null,
        field,
        before,
        after,
      }),
    ),
    effects: [],
    warnings: [],
  };
  const plan = { plan_id: "plan_x", url: "https://x/y", expires_at: "2026-01-01T00:00:00Z" };
  return textOfPlan(plan, firstChanges(shown, 100), names).split("\n").slice(1, -1);
}

describe("the rows of a plan", () => {
  it.each<[string, [string, unknown, unknown], string]>([
    ["a new value", ["city", null, "Aarhus"], '- city: "Aarhus"'],
    [
      "another value",
      ["issue_date", "2026-01-01", "2026-02-01"],
      "- issue date: 2026-01-01 becomes 2026-02-01",
    ],
    ["a removed value", ["title", "March", null], '- title: "March", removed'],
    ["a boolean", ["auto_send", false, true], "- auto send: no becomes yes"],
    ["the name of a resource for its id", ["product_id", null, PRODUCT], '- product: "De\'sign"'],
    ["an id without a name", ["product_id", null, UNKNOWN], `- product id: ${UNKNOWN}`],
    [
      "a field within a list",
      ["lines[1].assignees[0].hourly_rate", 900, 950],
      "- line 2, assignee 1, hourly rate: 900 becomes 950",
    ],
    [
      "a field within a field",
      ["issue_timing.mode", "a", "b"],
      '- issue timing, mode: "a" becomes "b"',
    ],
    [
      "a label with typed text",
      ['left of "lines[0].x_id"', "1.00 DKK", "0.00 DKK"],
      '- left of "lines[0].x_id": "1.00 DKK" becomes "0.00 DKK"',
    ],
  ])("show %s", (_what, change, row) => {
    expect(rowsOf(change)).toEqual([row]);
  });

  it("have one row for each item of a list, without empty fields", () => {
    const lines = [
      { product_id: PRODUCT, discount: 0, note: null, assignees: [] },
      { product_id: UNKNOWN, assignees: [{ user_id: PRODUCT }, { user_id: UNKNOWN }] },
    ];
    expect(rowsOf(["lines", null, lines])).toEqual([
      '- line 1: product "De\'sign", discount 0',
      `- line 2: product id ${UNKNOWN}, assignees (user "De'sign"; user id ${UNKNOWN})`,
    ]);
  });

  it("are at most forty", () => {
    const many = Array.from({ length: 42 }, (_, n): [string, unknown, unknown] => [`f${n}`, 1, 2]);
    expect(rowsOf(...many).slice(39)).toEqual(["- f39: 1 becomes 2", "- and 2 more"]);
  });
});

describe("the summary of a plan that has been carried out", () => {
  it.each([
    ["Registers 2 hours.", "registered 2 hours."],
    ["Changes a line.", "changed a line."],
    ["Credits invoice 7 by 2.00 DKK.", "credited invoice 7 by 2.00 DKK."],
    ["Removes a line.", "removed a line."],
    ["The invoice already exists.", "The invoice already exists."],
  ])("%s", (summary, past) => {
    expect(inThePast(summary)).toBe(past);
  });
});
