/** What a bank line probably pays. */
import { describe, expect, it } from "vitest";
import { referencesOfNumber } from "./payment-codes.ts";
import {
  customersByName,
  indexOf,
  type MatchedItem,
  type MatchedLine,
  soughtBy,
  suggestionsFor,
} from "./suggest-match.ts";

function item(id: string, open: bigint, given: Partial<MatchedItem> = {}): MatchedItem {
  return {
    id,
    customer_id: "acme",
    is_credit: false,
    currency: "DKK",
    number: id,
    references: [],
    open,
    due: "2026-03-01",
    ...given,
  };
}

function line(amount: bigint, given: Partial<MatchedLine> = {}): MatchedLine {
  return {
    amount,
    currency: "DKK",
    instructed: null,
    reference: "",
    end_to_end_id: "",
    text: "",
    counterparty_name: "",
    counterparty_account: "",
    ...given,
  };
}

const NAMES = new Map([
  ["acme", "Acme ApS"],
  ["beta", "Beta A/S"],
]);
const BY_NAME = customersByName(NAMES);

/** The items that are looked for because of lines, as the database finds them. */
function foundFor(
  lines: readonly MatchedLine[],
  items: readonly MatchedItem[],
  paid_before: ReadonlyMap<string, string>,
): MatchedItem[] {
  const { numbers, amounts, customer_ids } = soughtBy(lines, BY_NAME, paid_before);
  return items.filter(
    ({ number, open, customer_id }) =>
      (number !== null && numbers.includes(number)) ||
      amounts.includes(open) ||
      customer_ids.includes(customer_id),
  );
}

function suggested(items: readonly MatchedItem[], one: MatchedLine, paid_before = {}) {
  const payers = new Map(Object.entries<string>(paid_before));
  const index = indexOf(items, BY_NAME, payers);
  const all = suggestionsFor(one, index);
  expect(suggestionsFor(one, indexOf(foundFor([one], items, payers), BY_NAME, payers))).toEqual(
    all,
  );
  return all.map(({ confidence, reasons, shares }) => [
    confidence,
    reasons.join(" "),
    shares.map(({ item_id, amount }) => `${item_id} ${amount}`).join(", "),
  ]);
}

describe("an exact suggestion", () => {
  const references = ["RF9347", "000000000000471"];

  it("is by reference and the whole amount", () => {
    const items = [item("47", 1_000n, { references }), item("48", 1_000n)];
    expect(suggested(items, line(1_000n, { reference: "RF9347" }))[0]).toEqual([
      "exact",
      "reference amount",
      "47 1000",
    ]);
    expect(suggested(items, line(1_000n, { text: "71/000000000000471" }))[0]?.[0]).toBe("exact");
  });

  it("is by the numbers of several items of one customer, less a credit note", () => {
    const items = [
      item("1001", 1_000n),
      item("1002", 1_000n),
      item("1003", 1_000n),
      item("501", 400n, { is_credit: true }),
    ];
    expect(suggested(items, line(2_600n, { text: "1001 1002 1003 - 501" }))[0]).toEqual([
      "exact",
      "number amount",
      "501 400, 1001 1000, 1002 1000, 1003 1000",
    ]);
  });

  it("is in the currency that the payer sent", () => {
    const items = [item("1001", 100_000n, { currency: "EUR" })];
    const instructed = { amount: 100_000n, currency: "EUR" };
    expect(suggested(items, line(746_000n, { text: "1001", instructed }))).toEqual([
      ["exact", "number amount", "1001 100000"],
    ]);
  });
});

describe("a likely suggestion", () => {
  it("is by number with another amount", () => {
    expect(suggested([item("1001", 1_000n)], line(400n, { text: "Faktura 1001" }))).toEqual([
      ["likely", "number", "1001 400"],
    ]);
    expect(suggested([item("1001", 1_000n)], line(1_250n, { text: "Faktura 1001" }))).toEqual([
      ["likely", "number", "1001 1000"],
    ]);
  });

  it("is by the account that has only paid for one customer", () => {
    const items = [item("1001", 700n), item("1002", 300n), item("1003", 50n)];
    const one = line(1_000n, { counterparty_account: "DK50" });
    expect(suggested(items, one, { DK50: "acme" })).toEqual([
      ["likely", "counterparty amount", "1001 700, 1002 300"],
    ]);
  });

  it("is what two documents with one number are, and two customers whose numbers are named", () => {
    const years = [item("a", 500n, { number: "1001" }), item("b", 500n, { number: "1001" })];
    expect(suggested(years, line(1_000n, { text: "1001" }))[0]?.[0]).toBe("likely");
    const two = [item("1001", 500n), item("1002", 500n, { customer_id: "beta" })];
    const confidence = suggested(two, line(500n, { text: "1001 1002" })).map(([first]) => first);
    expect(confidence).toEqual(["likely", "likely"]);
  });
});

describe("a possible suggestion", () => {
  it("is by the amount alone: both of two equal amounts, and neither is more", () => {
    const items = [item("1001", 500n), item("1002", 500n, { customer_id: "beta" })];
    expect(suggested(items, line(500n))).toEqual([
      ["possible", "amount", "1001 500"],
      ["possible", "amount", "1002 500"],
    ]);
  });

  it("is by the name, the oldest item first", () => {
    const items = [item("1001", 700n, { due: "2026-04-01" }), item("1002", 500n)];
    const one = line(600n, { counterparty_name: "ACME" });
    expect(suggested(items, one)).toEqual([["possible", "name", "1002 500, 1001 100"]]);
  });

  it("is first where both name and amount fit", () => {
    const items = [item("1001", 500n), item("1002", 500n, { customer_id: "beta" })];
    expect(suggested(items, line(500n, { counterparty_name: "Beta" }))[0]).toEqual([
      "possible",
      "amount name",
      "1002 500",
    ]);
  });
});

it("suggests at most three, and nothing where nothing fits", () => {
  const items = [..."1234567"].map((digit) => item(`100${digit}`, 500n));
  expect(suggested(items, line(500n))).toHaveLength(3);
  expect(suggested(items, line(499n))).toEqual([]);
});

it("is the same where only what lines may pay is looked at", () => {
  const next = randomIn(20260731);
  const payers = new Map([["DK5000400440116243", "beta"]]);
  for (let round = 0; round < 300; round += 1) {
    const items = Array.from({ length: 30 }, (_, at) => {
      const number = `${1000 + next(40)}`;
      return item(`item ${at}`, BigInt(next(12) + 1) * 100n, {
        number,
        customer_id: ["acme", "beta", "other"][next(3)] ?? "",
        is_credit: next(6) === 0,
        references: next(2) === 0 ? referencesOfNumber(number, "invoice") : [],
      });
    });
    const lines = Array.from({ length: 3 }, () => {
      const numbers = Array.from({ length: next(3) }, () => `${1000 + next(40)}`);
      const [rf = "", id = ""] = referencesOfNumber(`${1000 + next(40)}`, "invoice");
      return line(BigInt(next(30) + 1) * 100n, {
        text: [...numbers, next(3) === 0 ? rf : ""].join(" "),
        reference: next(4) === 0 ? id : "",
        counterparty_name: ["", "Acme", "Beta A/S", "Gamma"][next(4)] ?? "",
        counterparty_account: next(3) === 0 ? "DK5000400440116243" : "",
      });
    });
    const found = indexOf(foundFor(lines, items, payers), BY_NAME, payers);
    const all = indexOf(items, BY_NAME, payers);
    for (const one of lines) expect(suggestionsFor(one, found)).toEqual(suggestionsFor(one, all));
  }
});

/** Returns a function that returns whole numbers below a bound, the same ones for a seed. */
function randomIn(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

it("looks at ten thousand lines among a hundred thousand items", () => {
  const items = Array.from({ length: 100_000 }, (_, at) =>
    item(`${at + 1000}`, BigInt(at % 997) + 100n, { customer_id: `c${at % 5_000}` }),
  );
  const index = indexOf(items, new Map(), new Map());
  const exact = Array.from({ length: 10_000 }, (_, at) =>
    suggestionsFor(line(BigInt(at % 997) + 100n, { text: `Faktura ${at + 1000}` }), index),
  ).filter(([first]) => first?.confidence === "exact");
  expect(exact).toHaveLength(10_000);
});
