/** Accounts as typed, and as shown. */
import { expect, it } from "vitest";
import { accountFrom, accountText } from "./account-text.ts";

const CHART = [
  { number: 1000, name: "Revenue" },
  { number: 1050, name: "Revenue abroad" },
  { number: 1100, name: "Fees" },
  { number: 1110, name: "Fees" },
];

it.each([
  ["1000", 1000],
  ["1000 Revenue", 1000],
  [" 1050   Revenue abroad ", 1050],
  ["4711", 4711],
  ["revenue", 1000],
  ["REVENUE ABROAD", 1050],
  ["", undefined],
  [undefined, undefined],
  ["Fees", Number.NaN],
  ["Salaries", Number.NaN],
  ["1.000", Number.NaN],
  ["123456789", Number.NaN],
  ["1000x", Number.NaN],
])("reads %j as %s", (typed, number) => {
  expect(accountFrom(typed, CHART)).toBe(number);
});

it("shows an account by number and name, and reads the same", () => {
  expect(CHART.map(({ number }) => accountFrom(accountText(number, CHART), CHART))).toEqual(
    CHART.map(({ number }) => number),
  );
  expect(accountText(1000, CHART)).toBe("1000 Revenue");
  expect(accountText(4711, CHART)).toBe("4711");
});
