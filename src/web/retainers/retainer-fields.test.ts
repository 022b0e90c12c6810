/** The fields of a retainer's form: which lines it has, what is sent of them, and where their faults are shown. */
import { describe, expect, it } from "vitest";
import type { TypedFields } from "../parts/fields.tsx";
import {
  lineNumbers,
  lineOfFault,
  linesFaultsShown,
  MOST_FORM_LINES,
  sentLines,
  withField,
  withLineAtPlace,
  withLineTwice,
  withNewLine,
  withoutLineAt,
} from "./retainer-fields.ts";
import type { OfferedProduct } from "./typed-line.ts";

const PEOPLE = [
  { id: "anna", name: "Anna" },
  { id: "bo", name: "Bo" },
];
const UNNUMBERED = { product_number: null, default_recognition_method: null } as const;
const PRODUCTS: readonly OfferedProduct[] = [
  { ...UNNUMBERED, id: "support", name: "Support", unit: "parts" },
  { ...UNNUMBERED, id: "work", name: "Work", unit: "hours" },
  {
    ...UNNUMBERED,
    id: "fee",
    name: "Fee",
    unit: "parts",
    default_recognition_method: "on_issue",
  },
  {
    ...UNNUMBERED,
    id: "goal",
    name: "Goal",
    unit: "parts",
    default_recognition_method: "milestone",
  },
];
const line = (number: number, fields: Record<string, string>): TypedFields =>
  Object.fromEntries(
    Object.entries({ recognition_method: "value", ...fields }).map(([name, value]) => [
      `l${number}.${name}`,
      value,
    ]),
  );

describe("the lines of a form", () => {
  it("are counted by their numbers, and a new one is the last", () => {
    const typed = { ...line(10, {}), ...line(2, {}) };
    expect(lineNumbers(typed)).toEqual([2, 10]);
    const more = withNewLine(typed, "anna");
    expect(lineNumbers(more)).toEqual([2, 10, 11]);
    expect(more["l11.who_anna"]).toBe("on");
    expect(lineNumbers(withNewLine({}, null))).toEqual([0]);
  });

  it("are as many as fit into a form", () => {
    let typed: TypedFields = {};
    for (let at = 0; at < MOST_FORM_LINES + 5; at += 1) typed = withNewLine(typed, null);
    expect(lineNumbers(typed)).toHaveLength(MOST_FORM_LINES);
  });

  it("lose a line with all of its fields, and no other", () => {
    const typed = { ...line(1, { price: "1" }), ...line(11, { price: "2" }) };
    expect(withoutLineAt(typed, 1)).toEqual(line(11, { price: "2" }));
  });

  it("change their places with all of their fields, whatever their numbers are", () => {
    const typed = {
      ...line(1, { price: "1", line_id: "kept" }),
      ...line(4, { price: "2" }),
      ...line(11, { price: "3", who_anna: "on" }),
      start_date: "2027-03-01",
    };
    const pricesOf = (form: TypedFields) =>
      lineNumbers(form).map((number) => form[`l${number}.price`]);
    const moved = withLineAtPlace(typed, 2, 0);
    expect(pricesOf(moved)).toEqual(["3", "1", "2"]);
    expect(moved).toEqual({
      ...line(1, { price: "3", who_anna: "on" }),
      ...line(4, { price: "1", line_id: "kept" }),
      ...line(11, { price: "2" }),
      start_date: "2027-03-01",
    });
    expect(pricesOf(withLineAtPlace(typed, 0, 1))).toEqual(["2", "1", "3"]);
    for (const [from, to] of [
      [0, -1],
      [2, 3],
      [-1, 0],
      [7, 0],
    ] as const) {
      expect(withLineAtPlace(typed, from, to)).toBe(typed);
    }
  });

  it("are copied as new lines behind themselves", () => {
    const typed = { ...line(0, { price: "1", line_id: "kept" }), ...line(3, { price: "2" }) };
    expect(withLineTwice(typed, 0)).toEqual({
      ...line(0, { price: "1", line_id: "kept" }),
      ...line(3, { price: "1" }),
      ...line(4, { price: "2" }),
    });
    let full: TypedFields = {};
    for (let at = 0; at < MOST_FORM_LINES; at += 1) full = withNewLine(full, null);
    expect(withLineTwice(full, 0)).toBe(full);
  });

  it("are sent as the reader typed them, without those in which nothing is typed", () => {
    const typed = {
      ...line(0, {}),
      ...line(3, { product_id: "support", price: "3*500", who_bo: "on", share_bo: "40" }),
      ...line(4, { line_id: "kept", product_id: "work", price: "x" }),
    };
    expect(sentLines(typed, "da", PEOPLE)).toMatchObject([
      {
        line_id: null,
        line: { agreed_value: 1500, assignees: [{ user_id: "bo", distribution_percentage: 40 }] },
      },
      { line_id: "kept", line: { agreed_value: "x" } },
    ]);
  });

  it("show their faults at their fields, whatever lines are left out", () => {
    const typed = { ...line(0, {}), ...line(3, { product_id: "support", price: "x" }) };
    const fault = { code: "invalid_type", message: "Must be a number." } as const;
    const faults = new Map([
      ["lines[0].agreed_value", fault],
      ["start_date", fault],
    ]);
    expect([...linesFaultsShown(typed, faults).keys()]).toEqual(["l3.price", "start_date"]);
    expect(lineOfFault(typed, "lines[0].agreed_value")).toBe(2);
    expect(lineOfFault(typed, "start_date")).toBeNull();
  });
});

describe("a product that is chosen", () => {
  it.each([
    ["by the hour, in a new line", line(0, {}), "work", "hours"],
    ["with a method of its own, in a new line", line(0, {}), "fee", "on_issue"],
    ["at a milestone, in a new line", line(0, {}), "goal", "value"],
    ["by the piece, in a new line", line(0, {}), "support", "value"],
    ["by the hour, in a line with a price", line(0, { price: "5" }), "work", "value"],
    ["by the hour, in a line with a product", line(0, { product_id: "support" }), "work", "value"],
  ])("%s", (_case, typed, product, method) => {
    const after = withField(typed, "l0.product_id", product, PRODUCTS);
    expect(after).toMatchObject({ "l0.product_id": product, "l0.recognition_method": method });
  });
});
