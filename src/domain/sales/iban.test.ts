/** The check digits of bank account numbers. */
import { expect, it } from "vitest";
import { isWrongIban } from "./iban.ts";

it.each<[string | null, boolean]>([
  [null, false],
  ["", false],
  ["DK50 0040 0440 1162 43", false],
  ["dk5000400440116243", false],
  ["DE89370400440532013000", false],
  ["GB29 NWBK 6016 1331 9268 19", false],
  ["DK51 0040 0440 1162 43", true],
  ["DK50 0040 0440 1162 34", true],
  ["0040 0440116243", true],
  ["DK50", true],
])("%j is wrong: %s", (text, is_wrong) => {
  expect(isWrongIban(text)).toBe(is_wrong);
});
