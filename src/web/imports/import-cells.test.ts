/** The values of cells by the kind of their column and the user's language. */
import { describe, expect, it } from "vitest";
import { readCell, signOf } from "./import-cells.ts";
import { columnsOf, type ImportColumn, type ImportKind } from "./import-columns.ts";

function columnOf(kind: ImportKind, field: string): ImportColumn {
  const found = columnsOf(kind).find((one) => one.field === field);
  if (found === undefined) throw new Error(`${kind} have no ${field}`);
  return found;
}

const danish = { language: "da", sign: ",", functional_currency: "DKK" } as const;
const english = { language: "en", sign: ".", functional_currency: "DKK" } as const;

describe("a cell", () => {
  it.each<[ImportKind, string, string, unknown]>([
    ["products", "default_price", "1.150,50", 1150.5],
    ["products", "default_price", "1150,5", 1150.5],
    ["products", "default_price", "1.150", 1150],
    ["products", "default_price", "1150.50", 1150.5],
    ["products", "default_price", "12 kr.", "invalid_type"],
    ["products", "account_number", "1000", 1000],
    ["products", "account_number", "10,5", "invalid_type"],
    ["products", "currency", "dkk", undefined],
    ["products", "currency", "EUR", "invalid_value"],
    [
      "products",
      "prices",
      "EUR 160.00; usd 175,5",
      [
        { currency: "EUR", amount: 160 },
        { currency: "USD", amount: 175.5 },
      ],
    ],
    ["products", "prices", "160", "invalid_type"],
    ["customers", "country_key", "dk", "DK"],
    ["customers", "country_key", "Tyskland", "DE"],
    ["customers", "country_key", "germany", "DE"],
    ["customers", "country_key", "Atlantis", "invalid_type"],
    ["customers", "is_person", "Ja", true],
    ["customers", "is_person", "nej", false],
    ["customers", "is_person", "måske", "invalid_type"],
    ["customers", "send_method", "E-faktura", "einvoice"],
    ["customers", "send_method", "brev", "invalid_type"],
    ["customers", "payment_condition_number_of_days", "14", 14],
    ["hours", "date", "2026-11-09", "2026-11-09"],
    ["hours", "date", "09-11-2026", "2026-11-09"],
    ["hours", "date", "9.11.2026", "2026-11-09"],
    ["hours", "date", "9/11/2026", "2026-11-09"],
    ["hours", "date", "31-02-2026", "invalid_type"],
    ["hours", "date", "2026-11-09 10:00", "invalid_type"],
    ["hours", "hours", "7,5", 7.5],
    ["hours", "hours", "7:30", 7.5],
    ["hours", "hours", "7,125", "too_many_decimals"],
    ["hours", "hours", "hele dagen", "invalid_type"],
  ])("of %s in the column %s is read: %s", (kind, field, cell, expected) => {
    const read = readCell(columnOf(kind, field), cell, danish);
    const is = read && ("fault" in read ? read.fault.code : read.value);
    expect(is).toEqual(expected);
  });

  it("is not read as a date with slashes in English, where some write the month first", () => {
    expect(readCell(columnOf("hours", "date"), "9/11/2026", english)).toMatchObject({
      fault: { code: "invalid_type" },
    });
  });
});

describe("the decimal separator", () => {
  const price = columnOf("products", "default_price");
  it.each<[string, readonly string[], "en" | "da", string]>([
    ["Pris", ["1.150", "2.000"], "da", ","],
    ["Price", ["1.150", "2.000"], "en", "."],
    ["Pris", ["1150.50", "1.150"], "da", "."],
    ["Price", ["1150,50", "1,150"], "en", ","],
    ["Pris", ["1150.50", "1150,50"], "da", ","],
    ["default_price", ["1.150"], "da", "."],
  ])("of %s with %j in language %s is %s", (head, cells, language, sign) => {
    expect(signOf(price, head, cells, language)).toBe(sign);
  });
});
