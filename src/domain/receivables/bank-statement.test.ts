/** Balances, gaps and the identity of lines, by example. */
import { describe, expect, it } from "vitest";
import { calendarDate } from "../base/calendar.ts";
import {
  hasGap,
  hasWrongBalance,
  identitiesOf,
  minorFrom,
  type StatementDays,
  type StatementLine,
} from "./bank-statement.ts";

function day(text: string) {
  const found = calendarDate(text);
  if (found === undefined) throw new Error(text);
  return found;
}

const line: StatementLine = {
  date: day("2026-03-02"),
  value_date: null,
  amount: 125_000n,
  instructed_amount: null,
  instructed_currency: null,
  text: "Faktura 47",
  reference: null,
  end_to_end_id: null,
  counterparty_name: "Nordlys ApS",
  counterparty_account: null,
  is_reversal: false,
  bank_reference: null,
};

describe("the balance", () => {
  it.each<[string, bigint | null, bigint | null, bigint[], boolean]>([
    ["agrees", 100n, 130n, [50n, -20n], false],
    ["does not", 100n, 131n, [50n, -20n], true],
    ["agrees without lines", 100n, 100n, [], false],
    ["is not known before", null, 130n, [50n], false],
    ["is not known after", 100n, null, [50n], false],
  ])("%s", (_, opening_balance, closing_balance, amounts, is_wrong) => {
    expect(hasWrongBalance({ opening_balance, closing_balance }, amounts)).toBe(is_wrong);
  });
});

describe("a line", () => {
  const referred = { ...line, bank_reference: "B1" };
  it.each<[string, StatementLine, StatementLine, boolean]>([
    ["of another day", line, { ...line, date: day("2026-03-03") }, false],
    ["of another amount", line, { ...line, amount: 125_001n }, false],
    ["with another text", line, { ...line, text: "Faktura 48" }, false],
    ["of another payer", line, { ...line, counterparty_name: "Sydlys ApS" }, false],
    ["with another value date", line, { ...line, value_date: day("2026-03-04") }, true],
    ["with the same reference and another text", referred, { ...referred, text: "Other" }, true],
    ["with another reference", referred, { ...referred, bank_reference: "B2" }, false],
  ])("%s is the same one: %s", (_, one, other, is_same) => {
    expect(identitiesOf([one])[0] === identitiesOf([other])[0]).toBe(is_same);
  });

  it("that comes twice on a day stays two lines, in each file", () => {
    const twice = identitiesOf([line, line]);
    expect(new Set(twice).size).toBe(2);
    expect(
      identitiesOf([line, { ...line, amount: 1n }, line]).filter((it) => twice.includes(it)),
    ).toEqual(twice);
  });
});

describe("a gap", () => {
  const of = (first: string, last: string, opening: bigint | null, closing: bigint | null) => ({
    first_day: day(first),
    last_day: day(last),
    opening_balance: opening,
    closing_balance: closing,
  });
  const own = of("2026-03-10", "2026-03-20", 100n, 200n);
  it.each<[string, StatementDays[], boolean]>([
    ["is not known of the first statement", [], false],
    ["is not after the balance before", [of("2026-03-01", "2026-03-09", 0n, 100n)], false],
    ["is after another balance before", [of("2026-03-01", "2026-03-08", 0n, 99n)], true],
    ["is before another balance after", [of("2026-03-21", "2026-03-31", 201n, 0n)], true],
    ["is not before the balance after", [of("2026-03-25", "2026-03-31", 200n, 0n)], false],
    ["is not seen by what overlaps", [of("2026-03-01", "2026-03-12", 0n, 99n)], false],
    ["is not seen without a balance", [of("2026-03-01", "2026-03-09", 0n, null)], false],
    [
      "is seen by the nearest statement",
      [of("2026-02-01", "2026-02-28", 0n, 5n), of("2026-03-01", "2026-03-09", 5n, 100n)],
      false,
    ],
  ])("%s", (_, others, expected) => expect(hasGap(own, others)).toBe(expected));
});

it.each<[string, number, bigint | undefined]>([
  ["1250", 2, 125_000n],
  ["1250.5", 2, 125_050n],
  ["1250.50000", 2, 125_050n],
  ["0.005", 2, undefined],
  ["0.005", 3, 5n],
  ["12", 0, 12n],
  ["12.0", 0, 12n],
  ["12.5", 0, undefined],
  ["-1", 2, undefined],
  ["1e3", 2, undefined],
  ["1,5", 2, undefined],
  ["", 2, undefined],
  ["99999999999999999", 2, undefined],
])("%j with %i decimals is %s", (text, digits, minor) => {
  expect(minorFrom(text, digits)).toBe(minor);
});
