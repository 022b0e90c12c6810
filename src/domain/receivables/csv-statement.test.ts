/** Cells of banks' CSV files, and the lines that they make. */
import { describe, expect, it } from "vitest";
import type { CsvProfile } from "./csv-profile.ts";
import {
  balancesOf,
  type CsvLine,
  dayFrom,
  lineFromCells,
  oldestFirst,
  placesOf,
  signedFrom,
} from "./csv-statement.ts";

describe("an amount", () => {
  it.each<[string, "," | ".", bigint | undefined]>([
    ["1.250,50", ",", 125_050n],
    ["1 250,50", ",", 125_050n],
    ["1\u00a0250,50", ",", 125_050n],
    ["-1.250,5", ",", -125_050n],
    ["1.250,50-", ",", -125_050n],
    ["−20", ",", -2_000n],
    ["+20,00", ",", 2_000n],
    [",50", ",", 50n],
    ["1,250.50", ".", 125_050n],
    ["1'250.50", ".", 125_050n],
    ["1250.50", ",", undefined],
    ["12.50", ",", undefined],
    ["1.25.000,00", ",", undefined],
    ["1,250,50", ",", undefined],
    ["12,505", ",", undefined],
    ["-20-", ",", undefined],
    ["kr. 20", ",", undefined],
    ["", ",", undefined],
    ["9".repeat(400), ",", undefined],
  ])("%j with %j is %s", (text, decimal, amount) => {
    expect(signedFrom(text, decimal, 2)).toBe(amount);
  });
});

describe("a day", () => {
  it.each<[string, CsvProfile["date_format"], string | undefined]>([
    ["02-03-2026", "dd-MM-yyyy", "2026-03-02"],
    ["02-03-26", "dd-MM-yy", "2026-03-02"],
    ["03/02/2026", "MM/dd/yyyy", "2026-03-02"],
    ["20260302", "yyyyMMdd", "2026-03-02"],
    ["2026-03-02 09:15", "yyyy-MM-dd", "2026-03-02"],
    ["2026-03-02T09:15:00", "yyyy-MM-dd", "2026-03-02"],
    ["31-02-2026", "dd-MM-yyyy", undefined],
    ["02.03.2026", "dd-MM-yyyy", undefined],
    ["2-3-2026", "dd-MM-yyyy", undefined],
    ["01-01-0000", "dd-MM-yyyy", undefined],
    ["", "dd-MM-yyyy", undefined],
  ])("%j by %s is %s", (text, form, day) => expect(dayFrom(text, form)).toBe(day));
});

const profile: CsvProfile = {
  encoding: "utf-8",
  delimiter: ";",
  skip_lines: 0,
  has_header: true,
  decimal: ",",
  date_format: "dd-MM-yyyy",
  columns: {
    date: "Dato",
    text: ["Tekst", 3],
    credit: "Ind",
    debit: "Ud",
    balance: "Saldo",
    currency: "Valuta",
  },
};
const heads = ["dato", " Tekst", "Mere", "Ind", "Ud", "Saldo", "Valuta"];
const money = { currency: "DKK", digits: 2 };
const places = placesOf(profile.columns, heads);

function read(...cells: string[]): unknown {
  if ("column" in places) throw new Error(places.message);
  const found = lineFromCells(cells, places, profile, money);
  if ("column" in found) return found.column;
  return [found.line.date, found.line.text, found.line.amount, found.balance];
}

describe("a row", () => {
  it.each<[string, string[], unknown]>([
    [
      "of money in",
      ["02-03-2026", "Nordlys", "47", "12,50", "", "112,50", "DKK"],
      ["2026-03-02", "Nordlys 47", 1_250n, 11_250n],
    ],
    [
      "of money out",
      ["02-03-2026", "Husleje", "", "", "12,50", "", ""],
      ["2026-03-02", "Husleje", -1_250n, null],
    ],
    [
      "of money out with a sign",
      ["02-03-2026", "", "", "", "-12,50", "", "dkk"],
      ["2026-03-02", "", -1_250n, null],
    ],
    [
      "of a 0 in the other column",
      ["02-03-2026", "", "", "0,00", "12,50"],
      ["2026-03-02", "", -1_250n, null],
    ],
    ["without a day", ["", "", "", "1"], "date"],
    ["without an amount", ["02-03-2026"], "credit"],
    ["with both", ["02-03-2026", "", "", "1", "1"], "credit"],
    ["with a text as amount", ["02-03-2026", "", "", "", "x"], "debit"],
    ["with a wrong balance", ["02-03-2026", "", "", "1", "", "x"], "balance"],
    ["in another currency", ["02-03-2026", "", "", "1", "", "", "EUR"], "currency"],
  ])("%s", (_, cells, expected) => expect(read(...cells)).toEqual(expected));

  it("needs the heads of its profile", () => {
    expect(placesOf(profile.columns, ["Dato", "Tekst"])).toMatchObject({ column: "credit" });
  });
});

describe("the order of a file", () => {
  const rowsOf = (...rows: [day: string, amount: bigint, balance: bigint | null][]): CsvLine[] =>
    rows.map(([date, amount, balance]) => {
      if ("column" in places) throw new Error(places.message);
      const cells = [date, "", "", amount > 0n ? `${amount}` : "", amount < 0n ? `${amount}` : ""];
      const found = lineFromCells(cells, places, profile, { currency: "DKK", digits: 0 });
      if ("column" in found) throw new Error(found.message);
      return { ...found, balance };
    });
  it.each<[string, CsvLine[], bigint[], bigint | null, bigint | null]>([
    ["rises", rowsOf(["01-03-2026", 5n, 15n], ["02-03-2026", -3n, 12n]), [5n, -3n], 10n, 12n],
    ["falls", rowsOf(["02-03-2026", -3n, 12n], ["01-03-2026", 5n, 15n]), [5n, -3n], 10n, 12n],
    [
      "falls within a day",
      rowsOf(["01-03-2026", -3n, 12n], ["01-03-2026", 5n, 15n]),
      [5n, -3n],
      10n,
      12n,
    ],
    ["has no balances", rowsOf(["01-03-2026", 5n, null]), [5n], null, null],
    [
      "has balances that do not follow",
      rowsOf(["01-03-2026", 5n, 15n], ["02-03-2026", 1n, 17n]),
      [5n, 1n],
      null,
      null,
    ],
  ])("%s", (_, rows, amounts, opening_balance, closing_balance) => {
    const ordered = oldestFirst(rows);
    expect(ordered.map(({ line }) => line.amount)).toEqual(amounts);
    expect(balancesOf(ordered)).toEqual({ opening_balance, closing_balance });
  });
});
