/** Any text that people typed must come out as plain words in both formats. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountPart, codeOf, minorUnitOf, plainLine } from "./export-text.ts";

describe("accountPart", () => {
  it.each<[string, string]>([
    ["Salgsmoms", "7680-Salgsmoms"],
    ["Salg af varer/ydelser m/moms", "7680-Salg-af-varer-ydelser-m-moms"],
    ["Øreafrunding og årets æbler", "7680-Oereafrunding-og-aarets-aebler"],
    ["O\u0308sterreich A\u030angstrom", "7680-Osterreich-Aangstrom"],
    ['Moms: "25 %"; resten | x', "7680-Moms-25-resten-x"],
    ["  to  mellemrum\n", "7680-to-mellemrum"],
    ["销售", "7680"],
    ["", "7680"],
    ["-", "7680"],
    ["x".repeat(200), `7680-${"x".repeat(60)}`],
  ])("turns %j into %s", (name, expected) => {
    expect(accountPart({ number: 7680, name })).toBe(expected);
  });

  it("is a valid part of a name in both formats", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(accountPart({ number: 1, name })).toMatch(/^1(-[A-Za-z0-9]+)*$/);
      }),
    );
  });
});

describe("plainLine", () => {
  it.each<[string, string]>([
    ['Invoice 1 "A; B" | C', "Invoice 1 'A, B' / C"],
    ["a\r\nb\u2028c\td\u00a0\u00a0e", "a b c d e"],
    ["back\\slash\0", "back/slash"],
    ["\u202eabc\ud800", "abc"],
    ["Søn & Åge 🎉", "Søn & Åge 🎉"],
  ])("turns %j into %j", (text, expected) => {
    expect(plainLine(text)).toBe(expected);
  });

  it("is one line without characters that have a meaning in either format", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(plainLine(text)).not.toMatch(/["\\;|\p{C}]| {2}|^ | $/u);
      }),
    );
  });
});

it("names units and documents with characters that both formats allow", () => {
  expect(minorUnitOf("DKK")).toBe("DKKMINOR");
  expect(codeOf({ kind: "credit_note", number: 12n })).toBe("credit_note-12");
});
