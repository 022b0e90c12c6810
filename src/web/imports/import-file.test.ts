/** Reading of files that spreadsheets write. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine, guarded, unguarded } from "../../domain/base/csv-text.ts";
import { type FileTable, tableFrom, textFrom } from "./import-file.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function read(text: string): FileTable {
  const table = tableFrom(text);
  if (typeof table === "string") throw new Error(table);
  return table;
}

describe("the text of a file", () => {
  it("is decoded from UTF-8, from Windows-1252 as Excel writes it, or from UTF-16 with a byte order mark", () => {
    expect(textFrom(bytes("Bøf"))).toBe("Bøf");
    expect(textFrom(Uint8Array.of(0x42, 0xf8, 0x66, 0x20, 0xc5))).toBe("Bøf Å");
    expect(textFrom(Uint8Array.of(0xff, 0xfe, 0x42, 0, 0xf8, 0))).toBe("Bø");
  });

  it("is refused without decoding if the file is too large or a workbook", () => {
    expect(textFrom(new Uint8Array(2_000_001))).toBe("too_large");
    expect(textFrom(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14))).toBe("spreadsheet");
  });
});

describe("the rows of a file", () => {
  it.each<[string, string]>([
    ["semicolons", "\ufeffNavn;Pris\r\nBøf;1,50\r\n"],
    ["commas", 'Navn,Pris\n"Bøf","1,50"\n'],
    ["tabulators", "Navn\tPris\nBøf\t1,50"],
    ["a line that states the separator", "sep=;\r\nNavn;Pris\r\nBøf;1,50"],
    ["spaces and empty rows", ";\r\n Navn ; Pris \r\n\r\n Bøf ;1,50 \r\n;;\r\n"],
  ])("are read with %s", (_, text) => {
    const { heads, rows } = read(text);
    expect(heads.slice(0, 2)).toEqual(["Navn", "Pris"]);
    expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([["Bøf", "1,50"]]);
  });

  it("are numbered as in a spreadsheet", () => {
    const { rows } = read('Name;Note\r\nA;"two\r\nrows"\r\n\r\nB;');
    expect(rows.map(({ at }) => at)).toEqual([2, 4]);
  });

  it.each<[string, string]>([
    ["", "empty"],
    ["Name;Price", "empty"],
    ['Name\n"never ends', "quotes"],
    [`Name\n${"x\n".repeat(5_001)}`, "too_many_rows"],
  ])("are refused: %j as %s", (text, fault) => {
    expect(tableFrom(text)).toBe(fault);
  });

  it("equal the written rows for any text, and contain no formula", () => {
    const cell = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((text) => text.trim())
      // A text that begins like an escaped formula is read as one.
      .filter((text) => unguarded(text) === text && !text.includes("\u0000"));
    const heads = ["Name", "Note", "Text"];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(";", ",", "\t"),
        fc.constantFrom("", "\ufeff"),
        (rows, separator, mark) => {
          fc.pre(rows.every((cells) => cells.some((one) => one !== "")));
          const guarding = rows.map((cells) => cells.map(guarded));
          const text = [heads, ...guarding].map((one) => csvLine(one, separator)).join("");
          const table = read(mark + text);
          expect(table.separator).toBe(separator);
          expect(table.rows.map(({ cells }) => cells.map(unguarded))).toEqual(rows);
          expect(guarding.flat().filter((one) => /^\s*[=+\-@]/.test(one))).toEqual([]);
        },
      ),
    );
  });
});
