/** Payment lines of Danish payment slips. */
import { expect, it } from "vitest";
import { FIK_CREDITOR, type FikCardType, fikLine } from "./fik.ts";

it.each<[FikCardType, bigint | null, string | null]>([
  // Numbers with their check digits from other programs.
  ["71", 1n, "+71<000000000000018+12345678<"],
  ["71", 2684014996532n, "+71<026840149965328+12345678<"],
  ["71", 404040000066n, "+71<004040400000669+12345678<"],
  ["75", 1n, "+75<0000000000000018+12345678<"],
  ["73", 1n, "+73<+12345678<"],
  ["73", null, "+73<+12345678<"],
  ["71", null, null],
  ["71", 99_999_999_999_999n, "+71<999999999999994+12345678<"],
  ["71", 100_000_000_000_000n, null],
  ["75", 100_000_000_000_000n, "+75<1000000000000008+12345678<"],
])("of the card type %s and the number %s is %j", (card_type, number, line) => {
  expect(fikLine("12345678", card_type, number)).toBe(line);
});

it.each(["1234567", "123456789", "1234567x", " 12345678", ""])(
  "no creditor number is %j",
  (text) => {
    expect(FIK_CREDITOR.test(text)).toBe(false);
  },
);
