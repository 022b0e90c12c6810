/**
 * What somebody types for hours means (web design, "the week"): `7,5`, `7.5`, `7:30`, `+1` more than there is, `=3+2,5`, and
 * nothing or `0` for none. Everything is in 1/100 of an hour; what is typed as hours and minutes is rounded to that.
 */
import { round } from "../base/money.ts";

/** `unreadable` is no number, `too_fine` has more than two decimals, `below_zero` takes away more than there is. */
export type HoursFault = "unreadable" | "too_fine" | "below_zero";

/** The sign that sets decimals apart where the reader comes from; the other of the two may set thousands apart. */
export type DecimalSign = "," | ".";

const HUNDREDTHS = 100n;
const DECIMALS = 2;
const MINUTES_OF_AN_HOUR = 60n;
/** Longer than anything that means hours. */
const LONGEST = 60;

/**
 * The hours that a text means, or what is wrong with it. `sum` is what is there already, to which `+1` and `-1` are added.
 * `1.500` is fifteen hundred where decimals are set apart by a comma, and one and a half elsewhere; a sign that cannot
 * stand between thousands sets decimals apart for everybody.
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
  const [, hours, minutes = ""] = /^(\d*):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) {
    const part = round(BigInt(minutes) * HUNDREDTHS, MINUTES_OF_AN_HOUR);
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
