/** Codes of units (UN/ECE recommendation 20). Units without a code count as C62, which means one. */

type UnitCode = "HUR" | "DAY" | "MON" | "KMT" | "C62";

/** Spellings in which products have their unit, lower case. */
const CODES: ReadonlyMap<string, UnitCode> = new Map([
  ...spellings("HUR", ["hours", "hour", "h", "hr", "hrs", "time", "timer"]),
  ...spellings("DAY", ["day", "days", "dag", "dage"]),
  ...spellings("MON", ["month", "months", "måned", "måneder", "md", "md.", "mdr", "mdr."]),
  ...spellings("KMT", ["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
]);

/** Returns the code of a unit as products have it: `hours` is HUR. */
export function unitCodeOf(unit: string): UnitCode {
  return CODES.get(unit.trim().toLowerCase()) ?? "C62";
}

function spellings(code: UnitCode, words: readonly string[]): [string, UnitCode][] {
  return words.map((word) => [word, code]);
}
