/**
 * What Dinero writes, read with care: names whose letters may be large or small, amounts as exact integers, and nothing
 * believed to be there. Throws `Unreadable` for what is not as described, which the caller tells as an answer that says
 * nothing.
 */
import { scaledFromNumber } from "../../../domain/base/money.ts";

export type DineroObject = Readonly<Record<string, unknown>>;

/** An answer that is not as it is described. */
export class Unreadable extends Error {}

/** The JSON of an answer; undefined where there is none. Throws Unreadable for anything else. */
export function jsonOf(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString("utf8").trim();
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unreadable("the answer is no JSON");
  }
}

/** Throws Unreadable for what is no object. */
export function objectOf(value: unknown): DineroObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Unreadable("the answer is no object");
  }
  return value as DineroObject;
}

/** The list, alone or as the collection of a page. Throws Unreadable for anything else. */
export function listOf(value: unknown): DineroObject[] {
  const list = Array.isArray(value) ? value : fieldOf(objectOf(value), "Collection");
  if (!Array.isArray(list)) throw new Unreadable("the answer is no list");
  return list.map(objectOf);
}

/** A field by its name, whatever its letters: `TimeStamp` here is `Timestamp` there. */
export function fieldOf(object: DineroObject, name: string): unknown {
  if (name in object) return object[name];
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

/** Null for a text that is missing or empty. */
export function textOf(object: DineroObject, name: string): string | null {
  const value = fieldOf(object, name);
  return typeof value === "string" && value !== "" ? value : null;
}

export function requiredTextOf(object: DineroObject, name: string): string {
  const value = textOf(object, name);
  if (value === null) throw new Unreadable(`${name} is missing`);
  return value;
}

/** An amount with at most so many decimals, as an integer. Throws Unreadable for anything else. */
export function amountOf(object: DineroObject, name: string, decimals: number): bigint {
  const value = fieldOf(object, name);
  const scaled = typeof value === "number" ? scaledFromNumber(value, decimals) : "missing";
  if (typeof scaled === "string") throw new Unreadable(`${name} is no amount: ${scaled}`);
  return scaled;
}

/** A number of a document, of one that is booked: what a draft has there means nothing. */
export function numberOf(object: DineroObject, name: string): bigint {
  const value = fieldOf(object, name);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value <= 0) {
    throw new Unreadable(`${name} is no number of a document`);
  }
  return BigInt(value);
}
