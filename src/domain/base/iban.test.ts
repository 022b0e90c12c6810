/** Which texts are an IBAN, and how one is stored. */
import { expect, it } from "vitest";
import { ibanFrom } from "./iban.ts";

it.each([
  ["DK50 0040 0440 1162 43", "DK5000400440116243"],
  ["dk5000400440116243", "DK5000400440116243"],
  [" DE89\u00a03704 0044 0532 0130 00 ", "DE89370400440532013000"],
  ["DK51 0040 0440 1162 43", undefined],
  ["DK50 0040 0440 1162 4", undefined],
  ["XX50 0040 0440 1162 43", undefined],
  ["", undefined],
])("%j is %s", (text, iban) => expect(ibanFrom(text)).toBe(iban));
