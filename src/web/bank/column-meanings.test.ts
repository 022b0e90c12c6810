/** What columns of a CSV mean, as choices and as a profile. */
import { describe, expect, it } from "vitest";
import { type Meaning, meaningsOf, profileFrom } from "./column-meanings.ts";
import { formOf, sampleOf } from "./sample-rows.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const FILE = bytes("Dato;Tekst;Beløb;Saldo\n01-11-2026;Faktura 47;1.250,00;5.000,00\n");
const form = formOf(FILE);
const sample = sampleOf(FILE, form);

describe("the first rows of a file", () => {
  it("are split at the delimiter below their heads", () => {
    expect(sample).toEqual({
      heads: ["Dato", "Tekst", "Beløb", "Saldo"],
      rows: [["01-11-2026", "Faktura 47", "1.250,00", "5.000,00"]],
      width: 4,
    });
  });

  it("are read as the encoding says, and never fail", () => {
    const latin = Uint8Array.from([..."D;Bel"].map((c) => c.charCodeAt(0)).concat([0xf8, 0x62]));
    expect(formOf(latin).encoding).toBe("windows-1252");
    expect(sampleOf(latin, formOf(latin)).heads).toEqual(["D", "Beløb"]);
    expect(sampleOf(latin, { ...formOf(latin), encoding: "utf-8" }).heads).toEqual(["D", "Beløb"]);
    expect(sampleOf(bytes(""), form)).toEqual({ heads: [], rows: [], width: 0 });
  });

  it("begin after the lines that are left out, and have numbers for columns without heads", () => {
    const text = bytes("My bank\n\n01-11-2026;a\n02-11-2026;b\n");
    const asked = { ...form, skip_lines: 2, has_header: false };
    expect(sampleOf(text, asked)).toMatchObject({ heads: null, width: 2 });
    expect(sampleOf(text, asked).rows[0]).toEqual(["01-11-2026", "a"]);
  });

  it("are few and short in a long file", () => {
    const long = bytes(`a;b\n${`1;${"x".repeat(500)}\n`.repeat(5_000)}`);
    const { rows } = sampleOf(long, form);
    expect(rows).toHaveLength(6);
    expect(rows[0]?.[1]).toHaveLength(61);
  });
});

describe("the meanings of columns", () => {
  const columns = { date: "Dato", amount: 3, text: ["Tekst"], balance: "Saldo" };

  it("come from a profile by head or by number", () => {
    expect(meaningsOf(columns, sample)).toEqual(["date", "text", "amount", "balance"]);
    expect(meaningsOf(null, sample)).toEqual(["", "", "", ""]);
    expect(meaningsOf({ date: "Gone", amount: 99, text: [1] }, sample)[0]).toBe("text");
  });

  it("make a profile with heads, or with numbers where a head names no column alone", () => {
    const meanings: Meaning[] = ["date", "text", "amount", ""];
    expect(profileFrom(form, meanings, sample)).toEqual({
      profile: { ...form, columns: { date: "Dato", text: ["Tekst"], amount: "Beløb" } },
    });
    const heads = ["Dato", "Tekst", "Tekst", "2026"];
    expect(profileFrom(form, ["date", "text", "text", "amount"], { heads })).toMatchObject({
      profile: { columns: { date: "Dato", text: [2, 3], amount: 4 } },
    });
  });

  it.each<[string, Meaning[]]>([
    ["date", ["text", "amount"]],
    ["text", ["date", "amount"]],
    ["amount", ["date", "text"]],
    ["amount", ["date", "text", "credit"]],
    ["both", ["date", "text", "amount", "credit"]],
    ["twice", ["date", "date", "text", "amount"]],
  ])("make no profile: %s", (fault, meanings) => {
    expect(profileFrom(form, meanings, sample)).toEqual({ fault });
  });

  it("may be money in and money out", () => {
    expect(profileFrom(form, ["date", "text", "credit", "debit"], sample)).toMatchObject({
      profile: { columns: { credit: "Beløb", debit: "Saldo" } },
    });
  });
});
