/** What a person has chosen for a bank line, as a request. */
import { describe, expect, it } from "vitest";
import { bodyFrom, missingOf } from "./other-draft.ts";

const item = (id: string, open: bigint) => ({ id, kind: "invoice" as const, open });
const draft = {
  bank_line: "L",
  moved: 1_000_00n,
  is_in: true,
  line_currency: "DKK",
  customer: "C",
  currency: "DKK",
  named: null,
  items: [item("a", 400_00n), item("b", 600_00n)],
  missing: "owed" as const,
};
const rounded = (amounts: readonly number[]) =>
  [..."ab"].map((invoice, at) => ({ invoice, rounding: amounts[at] ?? 0 }));

describe("money in", () => {
  it.each([
    ["nothing is missing", {}, { fee: 0, remainder: "customer_credit", rounding: [0, 0] }],
    [
      "a fee that the bank kept",
      { moved: 985_00n, missing: "fee" as const },
      { fee: 15, remainder: "customer_credit", rounding: [0, 0] },
    ],
    [
      "a rounding of the largest item",
      { moved: 999_50n, missing: "rounding" as const },
      { fee: 0, remainder: "refuse", rounding: [0, 0.5] },
    ],
    [
      "a rounding of what is paid too much",
      { moved: 1_000_25n, missing: "rounding" as const },
      { fee: 0, remainder: "refuse", rounding: [0, -0.25] },
    ],
    [
      "too much, which is no fee",
      { moved: 1_100_00n, missing: "fee" as const },
      { fee: 0, remainder: "customer_credit", rounding: [0, 0] },
    ],
  ])("with %s", (_case, changes, { rounding, ...expected }) => {
    expect(bodyFrom({ ...draft, ...changes })).toEqual({
      bank_line: "L",
      payment: {
        ...{ customer: "C", currency: "DKK", amount: null },
        ...expected,
        allocations: rounded(rounding),
      },
    });
  });

  it("for items in another currency has the amount that was named, and no difference", () => {
    const foreign = { ...draft, currency: "EUR", named: 134.5, missing: "fee" as const };
    expect(bodyFrom(foreign).payment).toMatchObject({ amount: 134.5, fee: 0 });
    expect(missingOf(foreign)).toBe(null);
  });

  it("without an item is credit of the customer", () => {
    expect(bodyFrom({ ...draft, items: [] }).payment).toMatchObject({
      remainder: "customer_credit",
      allocations: [],
    });
  });
});

describe("money out", () => {
  const out = {
    ...draft,
    is_in: false,
    items: [{ ...item("a", 250_00n), kind: "payment" as const }],
  };

  it("gives back a credit, and what the bank takes besides is its fee", () => {
    const { payment } = bodyFrom({ ...out, moved: 255_00n, missing: "fee" });
    expect(payment).toMatchObject({ fee: 5, remainder: "refuse" });
    expect(payment.allocations).toEqual([{ payment: "a", rounding: 0 }]);
  });

  it("of less than the credit has no fee", () => {
    expect(bodyFrom({ ...out, moved: 200_00n, missing: "fee" }).payment.fee).toBe(0);
  });
});
