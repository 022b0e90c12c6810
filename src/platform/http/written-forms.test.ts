/** Compares the patterns of the OpenAPI document with the rules that the service applies. */
import { expect, it } from "vitest";
import type * as z from "zod";
import {
  Country,
  Currency,
  Day,
  FirstDay,
  LanguageTag,
  MailAddress,
  Moment,
  Ref,
  text,
} from "./schemas.ts";
import { formOf, formOfNames, forms } from "./written-forms.ts";

const UUID = "0198F2a0-0000-7000-8000-000000000012";

it.each<[string, z.ZodType, readonly string[], readonly string[]]>([
  ["a text", text(9), ["", "a\nb", "æ 😀"], ["\0", "a\0b\n"]],
  ["a reference", Ref, [UUID, "ext:a", "ext:æ/ø\n"], ["0", "", "ext:", "ext:\0", `${UUID}0`]],
  [
    "a day",
    Day,
    ["1900-01-01", "2026-03-31", "2024-02-29", "2000-02-29", "2199-12-31", "2026-04-30"],
    [
      "2026-02-29",
      "1900-02-29",
      "2100-02-29",
      "2026-04-31",
      "2200-01-01",
      "2026-1-1",
      "2026-00-10",
    ],
  ],
  ["a day or a month", FirstDay, ["2026-03", "2026-03-31"], ["2026-13", "2026-02-30", "1899-12"]],
  [
    "a moment",
    Moment,
    ["2026-03-31T08:00:00Z", "2024-02-29T23:59:59.123456+15:59", "1900-01-01T00:00:00-01:00"],
    ["2026-03-31", "2026-02-29T08:00:00Z", "2026-03-31T24:00:00Z", "2026-03-31T08:00:00+16:00"],
  ],
  ["a currency", Currency, ["DKK", "JPY"], ["dkk", "XXX", "DKKK"]],
  ["a country", Country, ["DK", "GL"], ["dk", "XX", "DNK"]],
  ["a language", LanguageTag, ["da-DK", "en", "zh-Hant-TW"], ["", "d", "da-", "da-DK-1"]],
  [
    "an address",
    MailAddress,
    ["a@b", "jørgen.o'neil+x@firmaø.dk", "δοκιμή@παράδειγμα.gr"],
    ["a", "@b", "a@", "a..b@c", "a b@c", "a@-c", "a@c-", "a@c.", "a@b@c", "a,b@c", "<a@b>"],
  ],
])("%s has a pattern equal to its rule", (_what, schema, right, wrong) => {
  const { pattern = "" } = formOf(schema) ?? {};
  for (const flags of ["", "u"]) {
    const form = new RegExp(pattern, flags);
    for (const text of [...right, ...wrong]) {
      expect([text, form.test(text)]).toEqual([text, schema.safeParse(text).success]);
    }
    expect(right.every((text) => form.test(text))).toBe(true);
    expect(wrong.some((text) => form.test(text))).toBe(false);
  }
});

it("the patterns use only the syntax that all dialects of regular expressions share", () => {
  const patterns = Object.values(forms).flatMap((form) => ("pattern" in form ? form.pattern : []));
  patterns.push(formOfNames(["totals", "customer"]).pattern ?? "");
  expect(patterns.length).toBeGreaterThan(10);
  for (const pattern of patterns) {
    expect(pattern).toMatch(/^\^.*\$$/);
    expect(pattern.replace(/\\(x[0-9a-f]{2}|[.[\]\\])/g, "")).not.toMatch(/\\|\(\?/);
  }
});
