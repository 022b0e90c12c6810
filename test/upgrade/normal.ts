/**
 * The compared form of an answer. Values that differ in each run are masked: ids created after the backup, later moments,
 * cursors, tokens, ids of plans, and request ids.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Json } from "../support/world/world.ts";

type Normal = (body: Json) => Json;

/** Ids of created resources (UUIDv7). Derived ids (UUIDv5) are never masked, because they must not change. */
const MADE_ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const PLAN_ID = /plan_[a-z2-7]{26}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Opaque values, and values of a single request. */
const OPAQUE = new Set(["request_id", "next_cursor", "access_token", "refresh_token"]);

/** The ids of resources and plans in a backup. */
export function idsIn(backup: string): ReadonlySet<string> {
  const text = gunzipSync(readFileSync(backup)).toString();
  return new Set([...text.matchAll(MADE_ID), ...text.matchAll(PLAN_ID)].map(([id]) => id));
}

/** Masks the answers of one play: a new id has the same number at each occurrence. */
export function openNormal(known: ReadonlySet<string>, made_at: string): Normal {
  const numbers = new Map<string, number>();
  const masked = (id: string): string => {
    if (known.has(id)) return id;
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `<new ${number}>`;
  };
  const text = (value: string): string =>
    value
      .replace(MADE_ID, masked)
      .replace(PLAN_ID, masked)
      .replace(MOMENT, (moment) => (Date.parse(moment) > Date.parse(made_at) ? "<later>" : moment));
  const normal = (value: Json, key = ""): Json => {
    if (value === null || value === undefined) return null;
    if (OPAQUE.has(key)) return `<${key}>`;
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map((one) => normal(one));
    if (typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, normal(one, name)]),
    );
  };
  return (body) => normal(body);
}

/** A current answer without the fields that the earlier answer does not have: fields may only be added. */
export function asBefore(now: Json, before: Json): Json {
  if (Array.isArray(now) && Array.isArray(before)) {
    return now.map((one, index) => (index < before.length ? asBefore(one, before[index]) : one));
  }
  if (!isRecord(now) || !isRecord(before)) return now;
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) =>
      Object.hasOwn(before, name) ? [[name, asBefore(value, before[name])]] : [],
    ),
  );
}

function isRecord(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
