/** Which columns a CSV profile must and must not name. */
import { expect, it } from "vitest";
import { type CsvColumns, type CsvProfile, csvProfileFaults } from "./csv-profile.ts";

const profile: CsvProfile = {
  encoding: "utf-8",
  delimiter: ";",
  skip_lines: 0,
  has_header: true,
  decimal: ",",
  date_format: "dd-MM-yyyy",
  columns: { date: "Dato", text: ["Tekst"], amount: "Beløb" },
};
const plain = { date: 1, text: [2, 3] };

it.each<[string, CsvColumns, boolean, string[]]>([
  ["one amount by its head", profile.columns, true, []],
  ["credit and debit", { ...plain, credit: "Ind", debit: "Ud" }, true, []],
  ["no amount", plain, true, ["columns.amount required"]],
  [
    "three amounts",
    { ...plain, amount: 4, credit: 5, debit: 6 },
    true,
    ["columns.amount not_allowed"],
  ],
  [
    "an amount and a debit",
    { ...plain, amount: 4, debit: 6 },
    true,
    ["columns.amount not_allowed"],
  ],
  ["credit alone", { ...plain, credit: 4 }, true, ["columns.debit required"]],
  ["debit alone", { ...plain, debit: 4 }, true, ["columns.credit required"]],
  ["numbers without heads", { ...plain, amount: 4 }, false, []],
  [
    "heads in a file without heads",
    { date: "Dato", text: [2, "Tekst"], amount: 4 },
    false,
    ["columns.date invalid_value", "columns.text[1] invalid_value"],
  ],
])("%s", (_, columns, has_header, expected) => {
  const faults = csvProfileFaults({ ...profile, columns, has_header });
  expect(faults.map(({ field, code }) => `${field.replace("csv_profile.", "")} ${code}`)).toEqual(
    expected,
  );
});
