/** The rows of a file as sent to the server, their faults, and the file of refused rows. */
import { describe, expect, it } from "vitest";
import type { ImportKind } from "./import-columns.ts";
import { tableFrom } from "./import-file.ts";
import { fileOf, fileToFix, portionsOf, withCell } from "./import-rows.ts";

function read(kind: ImportKind, text: string, language: "en" | "da" = "da") {
  const table = tableFrom(text);
  if (typeof table === "string") throw new Error(table);
  return fileOf(kind, table, { language, functional_currency: "DKK" });
}

describe("a file", () => {
  it("is read with Danish and English headings and with the names of the API", () => {
    const texts = [
      "Kundenavn;CVR-nr.;Postnr;Privatperson\nAcme A/S;12345674;8000;nej",
      "Company;VAT no;Postcode;Private person\nAcme A/S;12345674;8000;no",
      "name;vat_number;zip_code;is_person\nAcme A/S;12345674;8000;false",
    ];
    for (const text of texts) {
      expect(read("customers", text).rows[0]?.sent).toEqual({
        name: "Acme A/S",
        vat_number: "12345674",
        zip_code: "8000",
        is_person: false,
      });
    }
  });

  it("lists ignored and missing columns", () => {
    const file = read("hours", "Dato;Vejr;Kunde;Kunde\n09-11-2026;sol;Acme;Acme");
    expect(file.ignored).toEqual(["Vejr", "Kunde"]);
    expect(file.missing.map(({ field }) => field)).toEqual(["hours"]);
  });

  it("reads an unknown head as the column that a person has given it, and leaves out others", () => {
    const table = tableFrom("Firmanavn;CVR;Land\nAcme;12345674;Danmark");
    if (typeof table === "string") throw new Error(table);
    const around = { language: "da", functional_currency: "DKK" } as const;
    expect(fileOf("customers", table, around)).toMatchObject({ ignored: ["Firmanavn"] });
    const file = fileOf("customers", table, around, { Firmanavn: "name", Land: "" });
    expect(file.missing).toEqual([]);
    expect(file.ignored).toEqual(["Land"]);
    expect(file.rows[0]?.sent).toEqual({ name: "Acme", vat_number: "12345674" });
  });

  it("reads payment terms in words as two fields", () => {
    const { rows } = read(
      "customers",
      "Navn;Betalingsbetingelser\nA;Netto 30 dage\nB;efter aftale",
    );
    expect(rows[0]?.sent).toEqual({
      name: "A",
      payment_condition_type: "Netto",
      payment_condition_number_of_days: 30,
    });
    expect(rows[1]?.fault?.field).toBe("payment_condition_type");
  });

  it("is read again with a corrected cell", () => {
    const before = read("products", "Navn;Pris\nA;x\nB;1");
    expect(before.rows[0]?.fault?.field).toBe("default_price");
    const table = withCell(before.table, 0, 1, "2,50");
    const after = fileOf("products", table, { language: "da", functional_currency: "DKK" });
    expect(after.rows.map(({ sent }) => sent.default_price)).toEqual([2.5, 1]);
    expect(before.table.rows[0]?.cells[1]).toBe("x");
  });

  it("reports the fault of a row and an equal row above it", () => {
    const { rows } = read(
      "customers",
      "Navn;Nummer;Land\nA;1;DK\n;2;DK\nB;1;DK\nC;;Atlantis\nD;;\nD;;\n'=E;;",
    );
    expect(rows.map(({ at, fault, same_as }) => [at, fault?.field, same_as])).toEqual([
      [2, undefined, null],
      [3, "name", null],
      [4, undefined, 2],
      [5, "country_key", null],
      [6, undefined, null],
      [7, undefined, 6],
      [8, undefined, null],
    ]);
    expect(rows.at(-1)?.sent.name).toBe("=E");
  });

  it("is sent in portions, without refused and repeated rows", () => {
    const rows = Array.from({ length: 230 }, (_, n) => `P${n % 220};${n === 3 ? "x" : n}`);
    const file = read("products", `Navn;Pris\n${rows.join("\n")}`);
    const portions = portionsOf(file);
    expect(portions.map(({ length }) => length)).toEqual([100, 100, 20]);
    expect(portions.flat()).not.toContain(3);
    const long = "x".repeat(20_000);
    const large = read(
      "products",
      `Navn;Tekst\n${["a", "b"].map((n) => `${n};${long}`).join("\n")}`,
    );
    expect(portionsOf(large)).toEqual([[0], [1]]);
  });

  it("returns the refused rows as a file that is read with the same values", () => {
    const file = read("products", 'Navn;Pris;Farve\n=A1;x;"blå;grøn"\nB;1;');
    const text = fileToFix(file, "Årsag", [{ cells: file.rows[0]?.cells ?? [], reason: "-nej" }]);
    expect(text).toBe("\ufeffNavn;Pris;Farve;Årsag\r\n'=A1;x;\"blå;grøn\";'-nej\r\n");
    const again = read("products", text);
    expect(again.rows[0]?.sent).toEqual(file.rows[0]?.sent);
    expect(again.ignored).toEqual(["Farve", "Årsag"]);
    expect(fileToFix(again, "Årsag", [])).toBe("\ufeffNavn;Pris;Farve;Årsag\r\n");
  });
});
