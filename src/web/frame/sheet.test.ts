/** Files of screens: the cells of each kind in both languages, and the form of the file. */
import { describe, expect, it } from "vitest";
import { amountCell, dayCell, numberCell, sheetLines, shownAmountCell, textCell } from "./sheet.ts";

describe("a cell in English and in Danish", () => {
  it.each([
    ["text", textCell(() => "Ærø"), "Ærø", "Ærø"],
    ["text that a spreadsheet would run", textCell(() => "=1+1"), "'=1+1", "'=1+1"],
    ["no text", textCell(() => null), "", ""],
    ["a day", dayCell(() => "2026-11-09"), "2026-11-09", "09-11-2026"],
    ["no day", dayCell(() => undefined), "", ""],
    ["a decimal", numberCell(() => "-7.50"), "-7.50", "-7,50"],
    ["a whole number", numberCell(() => 46), "46", "46"],
    ["no number", numberCell(() => null), "", ""],
    ["an amount", amountCell(() => money(-7_153_125n, "DKK")), "-71531.25", "-71531,25"],
    ["an amount without decimals", amountCell(() => money(1_500n, "JPY")), "1500", "1500"],
    ["no amount", amountCell(() => null), "", ""],
    ["the API's amount", shownAmountCell(() => money(1250.5, "DKK")), "1250.50", "1250,50"],
    ["none of the API", shownAmountCell(() => money(null, "DKK")), "", ""],
  ] as const)("of %s", (_, cell, english, danish) => {
    expect([cell({}, "en"), cell({}, "da")]).toEqual([english, danish]);
  });

  it("is refused for a number that is no decimal", () => {
    expect(() => numberCell(() => Number.NaN)({}, "en")).toThrow("no decimal");
  });
});

describe("a file", () => {
  const columns = [
    { head: "Title; or none", file: textCell(({ title }: { title: string }) => title) },
    { head: "Net", file: numberCell(() => "1.5" as const) },
  ];
  async function* portions() {
    yield [{ title: "A, b" }, { title: "C;d" }];
    yield [];
    yield [{ title: "E" }];
  }
  const written = async (language: "en" | "da") => {
    let text = "";
    for await (const lines of sheetLines(language, columns, portions())) text += lines;
    return text;
  };

  it("has commas in English", async () => {
    expect(await written("en")).toBe(
      '\uFEFFTitle; or none,Net\r\n"A, b",1.5\r\nC;d,1.5\r\nE,1.5\r\n',
    );
  });

  it("has semicolons and decimal commas in Danish", async () => {
    expect(await written("da")).toBe(
      '\uFEFF"Title; or none";Net\r\nA, b;1,5\r\n"C;d";1,5\r\nE;1,5\r\n',
    );
  });
});

function money<Amount>(amount: Amount, currency: string) {
  return { amount, currency };
}
