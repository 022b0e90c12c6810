/** JSON stored as text, which is passed on unparsed. Frozen payloads may have bigints, which JSON.stringify refuses. */
import { createHash, hash } from "node:crypto";
import type { Brand } from "../../domain/base/brand.ts";

/** The text of one JSON value. */
export type JsonText = Brand<string, "JsonText">;

export function jsonText(value: unknown): JsonText {
  return JSON.stringify(value) as JsonText;
}

const BIGINT = /^-?\d+n$/;

/** Returns text that `thaw` reads back exactly: a bigint becomes `"12n"`. A text that looks like a bigint is escaped. */
export function freeze(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) => {
    if (typeof entry === "bigint") return `${entry}n`;
    // A leading backslash marks a customer called "12n" as a text.
    return typeof entry === "string" && /^\\*-?\d+n$/.test(entry) ? `\\${entry}` : entry;
  });
}

export function thaw<Value>(text: string): Value {
  return thawed(JSON.parse(text)) as Value;
}

/** Restores the values that JSON lacks. JSON.parse with a reviver function takes several times as long. */
function thawed(value: unknown): unknown {
  if (typeof value === "string") {
    if (!value.endsWith("n")) return value;
    if (BIGINT.test(value)) return BigInt(value.slice(0, -1));
    return /^\\+-?\d+n$/.test(value) ? value.slice(1) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) {
    const entry = entries[key];
    const after = thawed(entry);
    if (after !== entry) entries[key] = after;
  }
  return value;
}

/**
 * Returns the SHA-256 of a value with sorted keys: two requests with the same content have the same digest. A null field equals
 * an absent one, which is the meaning of null in a request that creates a resource.
 */
export function contentHash(value: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(ordered(value)))
    .digest();
}

export function sha256(content: string | Uint8Array): Buffer {
  return hash("sha256", content, "buffer");
}

/** As `contentHash`, for any request: here a null field differs from an absent one. */
export function requestHash(value: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(ordered(value, true)))
    .digest();
}

function ordered(value: unknown, keeps_null = false): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return value.map((entry) => ordered(entry, keeps_null));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== undefined && (keeps_null || entry !== null))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, ordered(entry, keeps_null)]),
  );
}
