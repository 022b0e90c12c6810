/** The profiles that are guessed for files as banks write them. */
import { describe, expect, it } from "vitest";
import type { CsvProfile } from "./csv-profile.ts";
import { guessCsvProfile } from "./guess-csv-profile.ts";

const split = (text: string, delimiter: string) =>
  text.split("\n").map((line) => line.split(delimiter).map((cell) => cell.replaceAll('"', "")));

const guess = (lines: readonly string[]) => guessCsvProfile(lines.join("\n"), "utf-8", split);

describe("a profile is guessed for", () => {
  it.each<[string, string[], Omit<CsvProfile, "encoding">]>([
    [
      "Danish heads",
      [
        "Dato;Tekst;Beløb;Saldo",
        "02-03-2026;Nordlys faktura 47;12.500,00;20.500,00",
        "03-03-2026;Husleje marts;-8.000,00;12.500,00",
      ],
      {
        delimiter: ";",
        skip_lines: 0,
        has_header: true,
        decimal: ",",
        date_format: "dd-MM-yyyy",
        columns: { date: "Dato", text: ["Tekst"], amount: "Beløb", balance: "Saldo" },
      },
    ],
    [
      "English heads below a title, with money in and out",
      [
        "Account 1234,,,,",
        "Date,Description,Money in,Money out,Currency",
        "2026-03-02,Nordlys invoice 47,12500.00,,DKK",
        "2026-03-03,Rent of March,,8000.00,DKK",
      ],
      {
        delimiter: ",",
        skip_lines: 1,
        has_header: true,
        decimal: ".",
        date_format: "yyyy-MM-dd",
        columns: {
          date: "Date",
          text: ["Description"],
          credit: "Money in",
          debit: "Money out",
          currency: "Currency",
        },
      },
    ],
    [
      "no heads",
      [
        "02.03.2026\t02.03.2026\tNordlys faktura\t12500,00\t20500,00",
        "31.03.2026\t31.03.2026\tRenter\t-1,50\t20498,50",
      ],
      {
        delimiter: "\t",
        skip_lines: 0,
        has_header: false,
        decimal: ",",
        date_format: "dd.MM.yyyy",
        columns: { date: 1, text: [3], amount: 4, balance: 5 },
      },
    ],
    [
      "days of the American form",
      ["Date,Details,Amount", "03/14/2026,Wire,10.00"],
      {
        delimiter: ",",
        skip_lines: 0,
        has_header: true,
        decimal: ".",
        date_format: "MM/dd/yyyy",
        columns: { date: "Date", text: ["Details"], amount: "Amount" },
      },
    ],
  ])("%s", (_, lines, expected) => {
    expect(guess(lines)).toEqual({ encoding: "utf-8", ...expected });
  });

  it.each<[string, string[]]>([
    ["text", ["Dear customer", "thank you"]],
    ["an empty file", [""]],
    ["a file without amounts", ["Dato;Tekst", "02-03-2026;Nordlys"]],
    ["a file without days", ["Tekst;Beløb", "Nordlys;12,50"]],
  ])("%s there is none", (_, lines) => expect(guess(lines)).toBeNull());
});
