/** What the form of a payment asks for: the difference to what is owed, and the request that follows. */
import { describe, expect, it } from "vitest";
import {
  type Difference,
  differenceFields,
  differencesOf,
  type PaidItem,
  type PaymentDraft,
} from "./payment-draft.ts";

const A: PaidItem = { id: "a", kind: "invoice", open: 600_00n };
const B: PaidItem = { id: "b", kind: "opening", open: 400_00n };

const draft = (amount: bigint, changes: Partial<PaymentDraft> = {}): PaymentDraft => ({
  currency: "DKK",
  amount,
  items: [A, B],
  is_foreign: false,
  rounding_limit: 100n,
  ...changes,
});

describe("what a difference may be", () => {
  it.each<[title: string, draft: PaymentDraft, expected: readonly Difference[]]>([
    ["nothing where the amount is what is owed", draft(1000_00n), ["none"]],
    ["still owed or a fee", draft(985_00n), ["owed", "fee"]],
    ["also a rounding up to the limit", draft(999_00n), ["owed", "rounding", "fee"]],
    ["no rounding above the limit", draft(998_99n), ["owed", "fee"]],
    ["no fee of a foreign payment", draft(985_00n, { is_foreign: true }), ["owed"]],
    ["credit of the customer where more was paid", draft(1250_00n), ["credit"]],
    ["or a rounding", draft(1000_50n), ["credit", "rounding"]],
    ["credit alone where nothing is paid", draft(50n, { items: [] }), ["credit"]],
  ])("%s", (_title, given, expected) => {
    expect(differencesOf(given)).toEqual(expected);
  });
});

describe("the request", () => {
  it.each<[difference: Difference, amount: bigint, expected: object]>([
    [
      "none",
      1000_00n,
      { amount: 1000, remainder: "refuse", allocations: [{ invoice: "a" }, { opening: "b" }] },
    ],
    ["owed", 700_00n, { amount: 700, remainder: "refuse" }],
    ["fee", 985_00n, { amount: 1000, fee: 15, remainder: "refuse" }],
    [
      "rounding",
      999_50n,
      { amount: 999.5, allocations: [{ invoice: "a", rounding: 0.5 }, { opening: "b" }] },
    ],
    [
      "rounding",
      1000_25n,
      { amount: 1000.25, allocations: [{ invoice: "a", rounding: -0.25 }, { opening: "b" }] },
    ],
    ["credit", 1250_00n, { amount: 1250, remainder: "customer_credit" }],
  ])("%s of %s", (difference, amount, expected) => {
    expect(differenceFields(draft(amount), difference)).toMatchObject(expected);
  });

  it("rounds at the largest item, which has room for it", () => {
    const small: PaidItem = { id: "s", kind: "invoice", open: 50n };
    const { allocations } = differenceFields(draft(600_00n, { items: [small, A] }), "rounding");
    expect(allocations).toEqual([{ invoice: "s" }, { invoice: "a", rounding: 0.5 }]);
  });
});
