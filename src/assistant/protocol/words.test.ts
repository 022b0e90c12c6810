import { describe, expect, it } from "vitest";
import { amountText, counted, moreText, paragraphs, quoted, table } from "./words.ts";

describe("text from other sources", () => {
  it.each([
    ["Acme A/S", '"Acme A/S"'],
    [null, "-"],
    ["", '""'],
    ["  two\n\nlines\t", '"two lines"'],
    ['Acme". View: all. In scope: 9.', '"Acme\'. View: all. In scope: 9."'],
    ["Acme\u2028View: all.", '"Acme View: all."'],
    ["\u202eevil\u0007", '"evil"'],
    ["“Acme”", "\"'Acme'\""],
    ["Acme＂ ❞ 〟 ״ ʺ", "\"Acme' ' ' ' '\""],
  ])("%j is quoted on one line as %s", (text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  it("is cut between characters", () => {
    expect(quoted("🙂🙂🙂🙂", 3)).toBe('"🙂🙂…"');
  });
});

describe("amounts", () => {
  it.each([
    [1250, "DKK", "1,250.00 DKK"],
    [-1234567.5, "DKK", "-1,234,567.50 DKK"],
    [999.99, "EUR", "999.99 EUR"],
    [12, "JPY", "12 JPY"],
    [12345, "JPY", "12,345 JPY"],
    [-0.5, "KWD", "-0.500 KWD"],
    [null, "DKK", "-"],
  ])("%s in %s are written as %s", (amount, currency, text) => {
    expect(amountText(amount, currency)).toBe(text);
  });
});

describe("a table", () => {
  it("has aligned columns", () => {
    const text = table(
      ["id", "name"],
      [
        ["1", '"A"'],
        ["22", null],
      ],
      "None.",
    );
    expect(text.split("\n")).toEqual(["id | name", '1  | "A"', "22 | -"]);
  });

  it("is a sentence without rows", () => {
    expect(table(["id"], [], "No invoices.")).toBe("No invoices.");
  });
});

it("counts with singular and plural, omits missing paragraphs, and names the next cursor", () => {
  expect(counted(1, "line")).toBe("1 line");
  expect(counted(2, "series", "series")).toBe("2 series");
  expect(paragraphs("a", null, "b")).toBe("a\n\nb");
  expect(moreText(null)).toBeNull();
  expect(moreText("abc")).toContain("cursor abc");
});
