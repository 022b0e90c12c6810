/**
 * Derives the id of an occurrence's line from the series line and the key of the period; both can be decoded from the id. It is
 * a UUIDv8 with the period's number, check bits and the random bits of the series line's own id. Lines of an older version keep
 * ids that are hashes (UUIDv5) in the periods of that time; a table lists those ids.
 */
import { parse, stringify, v5 } from "uuid";
import type { LineId } from "../base/brand.ts";
import { groupedBy } from "../base/group.ts";

/** The properties of a series line that determine the ids of its occurrences' lines. They never change. */
export interface LineIdentity {
  readonly line_id: string;
  /** The number of the first period whose id is a hash, and that of the first period after these; null when no id is a hash. */
  readonly hashed_periods: readonly number[] | null;
}

/**
 * The formats of period keys: `2025-W07`, `2025-02`, `2025-Q1`, `2025-H1`, `2025`. The id of a line in a period contains the
 * index of the format in this list, and depends on its periods per year: neither may ever change.
 */
const FORMS = [
  { prefix: "-W", digits: 2, in_a_year: 53 },
  { prefix: "-", digits: 2, in_a_year: 12 },
  { prefix: "-Q", digits: 1, in_a_year: 4 },
  { prefix: "-H", digits: 1, in_a_year: 2 },
  { prefix: "", digits: 0, in_a_year: 1 },
] as const;

/** No period starts earlier, and a year has four digits. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;
/** The count of numbers of one form: enough for the weeks of 1,236 years. */
const OF_A_FORM = 0x10000;

/** Returns the period's number: unique to the key, and in chronological order among the keys of one frequency. */
export function periodNumber(key: string): number {
  const [, year = "", prefix = "", place = "1"] = /^(\d{4})(?:(-[WQH]?)(\d\d?))?$/.exec(key) ?? [];
  const index = FORMS.findIndex((one) => one.prefix === prefix);
  const form = FORMS[index];
  if (form === undefined || year === "") throw new Error(`${key} is not the key of a period`);
  return index * OF_A_FORM + (Number(year) - FIRST_YEAR) * form.in_a_year + Number(place) - 1;
}

/** Returns the key of the period with a number; undefined for a number that no period has. */
export function keyOfNumber(number: number): string | undefined {
  const form = FORMS[Math.floor(number / OF_A_FORM)];
  if (form === undefined) return undefined;
  const count = number % OF_A_FORM;
  const year = FIRST_YEAR + Math.floor(count / form.in_a_year);
  if (year > LAST_YEAR) return undefined;
  const place = `${(count % form.in_a_year) + 1}`.padStart(form.digits, "0");
  return form.digits === 0 ? `${year}` : `${year}${form.prefix}${place}`;
}

/** Returns the id of a line in the period with a key: different for each line and each key. */
export function occurrenceLineId(line: LineIdentity, key: string): LineId {
  return idFrom(line, parse(line.line_id), keyBytes(key), periodNumber(key));
}

/** Returns `occurrenceLineId` for many lines, period by period, with the bytes of each id and key computed once. */
export function occurrenceLineIds(): (line: LineIdentity, key: string) => LineId {
  const namespaces = new Map<string, Uint8Array>();
  let known: { readonly key: string; readonly bytes: Uint8Array; readonly number: number } | null =
    null;
  return (line, key) => {
    if (known?.key !== key) known = { key, bytes: keyBytes(key), number: periodNumber(key) };
    const namespace = namespaces.get(line.line_id) ?? parse(line.line_id);
    namespaces.set(line.line_id, namespace);
    return idFrom(line, namespace, known.bytes, known.number);
  };
}

/**
 * Returns a function that finds the line that has an id in the period with a key. It computes the ids of possible lines only:
 * lines with the same last bits, or for a hash lines with hashed periods.
 */
export function linesById<Line extends LineIdentity>(
  lines: readonly Line[],
): (id: string, key: string) => Line | undefined {
  const by_bits = groupedBy(lines, ({ line_id }) => lineBits(line_id));
  const hashed = lines.filter(({ hashed_periods }) => hashed_periods !== null);
  const idOf = occurrenceLineIds();
  return (id, key) => {
    const candidates = isHashed(id) ? hashed : by_bits.get(lineBits(id));
    return candidates?.find((line) => idOf(line, key) === id);
  };
}

function idFrom(
  line: LineIdentity,
  namespace: Uint8Array,
  key: Uint8Array,
  number: number,
): LineId {
  const hash = v5(key, namespace, new Uint8Array(16));
  const [from = 0, before = 0] = line.hashed_periods ?? [];
  if (from <= number && number < before) return stringify(hash) as LineId;
  let digits = number.toString(16).padStart(5, "0");
  for (let at = 0; at < CHECK_BYTES; at += 1) digits += HEX[hash[at] ?? 0];
  const front = `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(12)}`;
  return `${front}-${lineBits(line.line_id)}` as LineId;
}

/** Bytes of the hash that distinguish a real id from an invented one. */
const CHECK_BYTES = 5;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns the bytes of a key, which has digits, letters and dashes only. */
function keyBytes(key: string): Uint8Array {
  return Uint8Array.from(key, (character) => character.charCodeAt(0));
}

/**
 * Decodes the key of the period and the last bits of the series line's id; undefined for an id of another kind. The id is valid
 * only if `occurrenceLineId` of the line found gives the same id.
 */
export function readLineId(id: string): { key: string; line_bits: string } | undefined {
  const key = id[14] === "8" ? keyOfNumber(Number.parseInt(id.slice(0, 5), 16)) : undefined;
  return key === undefined ? undefined : { key, line_bits: lineBits(id) };
}

/** Whether an id is a hash, which cannot be decoded. */
export function isHashed(id: string): boolean {
  return id[14] === "5";
}

/** Returns the last 62 bits of a UUID, random in a UUIDv7. A line shares them with its ids in periods except hashes. */
export function lineBits(id: string): string {
  return id.slice(19);
}
