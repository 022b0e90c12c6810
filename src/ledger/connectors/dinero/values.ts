/**
 * Reads Dinero's responses defensively: field names in any case, amounts as exact integers, and no field assumed to exist. Throws
 * `UnreadableAnswer` for an undocumented form; the caller treats it as a response with an unknown outcome.
 */
import { scaledFromNumber } from "../../../domain/base/money.ts";

export type DineroObject = Readonly<Record<string, unknown>>;

/** A response that does not have its documented form. */
export class UnreadableAnswer extends Error {}

/** Returns the JSON of a response; undefined for an empty body. Throws UnreadableAnswer for any other body. */
export function jsonOf(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString("utf8").trim();
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UnreadableAnswer("the answer is no JSON");
  }
}

/** Returns the value as an object. Throws UnreadableAnswer for a value that is not an object. */
export function objectOf(value: unknown): DineroObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UnreadableAnswer("the answer is no object");
  }
  return value as DineroObject;
}

/** Returns the list itself, or the collection of a page. Throws UnreadableAnswer for any other value. */
export function listOf(value: unknown): DineroObject[] {
  const list = Array.isArray(value) ? value : fieldOf(objectOf(value), "Collection");
  if (!Array.isArray(list)) throw new UnreadableAnswer("the answer is no list");
  return list.map(objectOf);
}

/** Returns a field by its name in any case: `TimeStamp` and `Timestamp` are the same. */
export function fieldOf(object: DineroObject, name: string): unknown {
  if (name in object) return object[name];
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

/** Returns a text field; null for a missing or empty text. */
export function textOf(object: DineroObject, name: string): string | null {
  const value = fieldOf(object, name);
  return typeof value === "string" && value !== "" ? value : null;
}

export function requiredTextOf(object: DineroObject, name: string): string {
  const value = textOf(object, name);
  if (value === null) throw new UnreadableAnswer(`${name} is missing`);
  return value;
}

/** Returns an amount with at most this many decimals, as an integer. Throws UnreadableAnswer for any other value. */
export function amountOf(object: DineroObject, name: string, decimals: number): bigint {
  const value = fieldOf(object, name);
  const scaled = typeof value === "number" ? scaledFromNumber(value, decimals) : "missing";
  if (typeof scaled === "string") throw new UnreadableAnswer(`${name} is no amount: ${scaled}`);
  return scaled;
}

/** Returns the number of a booked document; the number of a draft has no meaning. */
export function numberOf(object: DineroObject, name: string): bigint {
  const value = fieldOf(object, name);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value <= 0) {
    throw new UnreadableAnswer(`${name} is no number of a document`);
  }
  return BigInt(value);
}
