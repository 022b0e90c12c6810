/** What the form of a payment asks for: the difference to what is owed, and the request that follows. */
import { describe, expect, it } from "vitest";
import {
  applyCredits,
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
  credit_parts: [],
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

describe("credit notes that are applied first", () => {
  const three = ["a", "b", "c"].map((id): PaidItem => ({ id, kind: "invoice", open: 1000_00n }));
  const remindsOf: PaidItem = { id: "r", kind: "reminder", open: 100_00n };

  it("leave one payment of the rest", () => {
    const { parts, items } = applyCredits(three, [{ id: "n", open: 400_00n }]);
    expect(parts).toEqual([{ invoice: "a", credit_note: "n" }]);
    expect(items.map(({ id, open }) => [id, open])).toEqual([
      ["a", 600_00n],
      ["b", 1000_00n],
      ["c", 1000_00n],
    ]);
    const given = draft(2600_00n, { items, credit_parts: parts });
    expect(differencesOf(given)).toEqual(["none"]);
    expect(differenceFields(given, "none")).toEqual({
      amount: 2600,
      remainder: "refuse",
      allocations: [...parts, { invoice: "a" }, { invoice: "b" }, { invoice: "c" }],
    });
  });

  it("go to the first items that have room, and leave out what they cover", () => {
    const credits = [
      { id: "n", open: 1050_00n },
      { id: "m", open: 75_00n },
    ];
    const { parts, items } = applyCredits([...three.slice(0, 1), remindsOf], credits);
    expect(parts).toEqual([
      { invoice: "a", credit_note: "n" },
      { reminder: "r", credit_note: "n" },
      { reminder: "r", credit_note: "m" },
    ]);
    expect(items).toEqual([]);
  });

  it("leave a rounding to what the payment itself pays", () => {
    const { parts, items } = applyCredits(three.slice(0, 2), [{ id: "n", open: 900_00n }]);
    const given = draft(1099_50n, { items, credit_parts: parts });
    expect(differenceFields(given, "rounding").allocations).toEqual([
      { invoice: "a", credit_note: "n" },
      { invoice: "a" },
      { invoice: "b", rounding: 0.5 },
    ]);
  });
});
