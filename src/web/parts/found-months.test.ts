/** The month that a text names: in both languages, with and without a year, and never a future one. */
import { expect, it } from "vitest";
import type { Month } from "../../domain/base/calendar.ts";
import type { Language } from "../words/words.ts";
import { monthIn } from "./found-months.ts";

const MARCH = "2026-03" as Month;

it.each<[typed: string, language: Language, expected: string | null]>([
  ["close october", "en", "2025-10"],
  ["Close Oct", "en", "2025-10"],
  ["luk oktober", "da", "2025-10"],
  ["luk okt", "da", "2025-10"],
  ["march", "en", "2026-03"],
  ["marts", "da", "2026-03"],
  ["close february 2025", "en", "2025-02"],
  ["2026-02", "en", "2026-02"],
  ["luk 2026-02", "da", "2026-02"],
  ["2026-04", "en", null],
  ["april 2026", "en", null],
  ["close", "en", null],
  ["ma", "en", null],
  ["oktober", "en", null],
  ["october invoices", "en", null],
  ["close the october books", "en", null],
  ["", "en", null],
])("%s in %s is %s", (typed, language, expected) => {
  expect(monthIn(typed, language, MARCH)).toBe(expected);
});
