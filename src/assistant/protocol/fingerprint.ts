/** Computes a digest of a plan's effect and its facts, except ids created for the plan: a commit creates others. */
import { createHash } from "node:crypto";
import { asWordedBefore, isAddedEffect } from "./earlier-wording.ts";

/** SHA-256 of a value of any depth, including maps, sets, bigints and bytes. */
export function fingerprintOf(value: unknown, new_ids: ReadonlySet<string>): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(canonical(value, new_ids)))
    .digest();
}

/** Returns the value with null for every id that was created for the plan. */
export function withoutNewIds<Value>(value: Value, new_ids: ReadonlySet<string>): Value {
  return JSON.parse(JSON.stringify(value), (_key, entry: unknown) =>
    typeof entry === "string" && new_ids.has(entry) ? null : entry,
  ) as Value;
}

/** Fields that had another name when plans were stored that may still be open: the digest uses the earlier name. */
const HASHED_AS: Readonly<Record<string, string>> = { period_events: "happened" };

/** Fields that resources have had since plans were stored that may still be open: with this value the digest leaves them out. */
const ADDED: ReadonlyMap<string, unknown> = new Map([
  ["accounting_cost", null],
  ["einvoice_connection_id", null],
  ["default_months", null],
  ["default_recognition_method", null],
  ["einvoice_address", null],
  ["einvoice_by_mail", false],
  ["einvoice_format", null],
  ["einvoice_formats", null],
  ["reminders", true],
]);

function canonical(value: unknown, new_ids: ReadonlySet<string>): unknown {
  const inner = (entry: unknown): unknown => canonical(entry, new_ids);
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return ["bigint", value.toString()];
  if (typeof value === "string")
    return new_ids.has(value) ? ["new"] : asWordedBefore(withoutIdsWithin(value, new_ids));
  if (typeof value !== "object") return value;
  if (value instanceof Uint8Array) return ["bytes", Buffer.from(value).toString("base64")];
  if (Array.isArray(value)) return value.filter((entry) => !isAddedEffect(entry)).map(inner);
  // The order of sets and maps has no meaning: a map may have the order in which the database found its rows.
  if (value instanceof Set) return ["set", ...sorted([...value].map(inner))];
  if (value instanceof Map) return ["map", ...sorted([...value].map(inner))];
  return Object.fromEntries(
    Object.entries(value)
      // The field affects nothing that can change, and plans that stay open across an upgrade lack it.
      .filter(([key]) => key !== "hashed_periods")
      .filter(([key, entry]) => !ADDED.has(key) || entry !== ADDED.get(key))
      .map(([key, entry]) => [HASHED_AS[key] ?? key, entry] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => [key, inner(entry)]),
  );
}

function sorted(entries: readonly unknown[]): unknown[] {
  return entries
    .map((entry) => [JSON.stringify(entry), entry] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry);
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Removes ids from a text, because resources are stored as text. */
function withoutIdsWithin(text: string, new_ids: ReadonlySet<string>): string {
  return new_ids.size === 0 ? text : text.replace(UUIDS, (id) => (new_ids.has(id) ? "new" : id));
}
