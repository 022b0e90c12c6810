/**
 * The meaning of typed hours (web design, "the week"): `7,5`, `7.5`, `7:30`, `7:30:00`, `+1` to add to the present sum, `=3+2,5`, and empty
 * or `0` for none. All values are in 1/100 of an hour; hours and minutes are rounded to that.
 */
import { round } from "../base/money.ts";

/** `unreadable` is not a number, `too_fine` has more than two decimals, `below_zero` subtracts more than the present sum. */
export type HoursFault = "unreadable" | "too_fine" | "below_zero";

/** The decimal sign of the reader's language; the other sign may separate thousands. */
export type DecimalSign = "," | ".";

const HUNDREDTHS = 100n;
const DECIMALS = 2;
const SECONDS_OF_A_MINUTE = 60n;
const SECONDS_OF_AN_HOUR = 3600n;
/** Longer than any meaningful text. */
const LONGEST = 60;

/**
 * Returns the hours of a text, or its fault. `+1` and `-1` are added to `sum`, the present sum. `1.500` is fifteen
 * hundred with a decimal comma, else one and a half. A sign that cannot separate thousands is always decimal.
 */
export function typedHours(typed: string, sum: bigint, decimal: DecimalSign): bigint | HoursFault {
  const text = typed.replaceAll(/[\s\u00a0\u202f]/gu, "").replaceAll("\u2212", "-");
  if (text === "") return 0n;
  if (text.length > LONGEST) return "unreadable";
  const is_sum = text.startsWith("=");
  const is_relative = !is_sum && /^[+-]/.test(text);
  const terms = is_sum || is_relative ? text.replace("=", "").match(TERMS) : [text];
  if (terms === null || terms.join("") !== text.replace("=", "")) return "unreadable";
  let hours = is_relative ? sum : 0n;
  for (const term of terms) {
    const read = termOf(term, decimal);
    if (typeof read === "string") return read;
    hours += read;
  }
  return hours < 0n ? "below_zero" : hours;
}

const TERMS = /[+-]?[^+-]+/g;

function termOf(term: string, decimal: DecimalSign): bigint | HoursFault {
  const size = sizeOf(term.replace(/^[+-]/, ""), decimal);
  return typeof size === "bigint" && term.startsWith("-") ? -size : size;
}

function sizeOf(text: string, decimal: DecimalSign): bigint | HoursFault {
  const [, hours, minutes = "", seconds = "0"] =
    /^(\d*):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours !== undefined) {
    const past = BigInt(minutes) * SECONDS_OF_A_MINUTE + BigInt(seconds);
    const part = round(past * HUNDREDTHS, SECONDS_OF_AN_HOUR);
    return BigInt(hours === "" ? "0" : hours) * HUNDREDTHS + part;
  }
  const thousands = decimal === "," ? "\\." : ",";
  const grouped = new RegExp(`^[1-9]\\d{0,2}(${thousands}\\d{3})+([.,]\\d+)?$`);
  const plain = grouped.test(text) ? text.replaceAll(new RegExp(thousands, "g"), "") : text;
  const [, whole, fraction = ""] = /^(\d*)(?:[.,](\d*))?$/.exec(plain) ?? [];
  if (whole === undefined || `${whole}${fraction}` === "") return "unreadable";
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > DECIMALS) return "too_fine";
  return BigInt(`${whole}${digits.padEnd(DECIMALS, "0")}`);
}
