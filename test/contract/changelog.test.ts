/**
 * The change log of the API (spec 15.8). The repository keeps what the OpenAPI document of the last entry showed
 * (`api-of-last-change.json.gz`): whatever differs from it has to be declared by a new entry, and nothing may be gone. After a new
 * entry run `UPDATE_CHANGELOG=1 npx vitest run test/contract/changelog.test.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { calendarDate } from "../../src/domain/base/calendar.ts";
import { API_CHANGES, type ApiChange } from "../../src/platform/http/api-changes.ts";
import { API_VERSION } from "../../src/platform/http/version.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { openApi } from "../support/http/openapi.ts";
import { callPlainly } from "../support/http/plain-call.ts";
import { useWorld } from "../support/world/world.ts";
import { lackedBy, surfaceOf } from "./api-surface.ts";
import type { Names } from "./interface-names.ts";

const file = join(packageRoot, "test", "contract", "api-of-last-change.json.gz");
const UPDATE = "UPDATE_CHANGELOG=1 npx vitest run test/contract/changelog.test.ts";

/** What the document of the last entry showed, and the number of entries then. */
interface LastDocument {
  readonly changes: number;
  readonly surface: Names;
}

const kept: LastDocument = JSON.parse(gunzipSync(readFileSync(file)).toString());
const now = surfaceOf(openApi);

/** What a later document lacks, and what its entries since then do not declare; a sentence each. */
function faultsOf(before: LastDocument, after: Names, changes: readonly ApiChange[]): string[] {
  const newer = changes.slice(0, changes.length - before.changes);
  const removed = lackedBy(before.surface, after).map(
    (name) => `${name} is gone or different, and the API only grows.`,
  );
  const added = lackedBy(after, before.surface).filter(
    (name) => !isNewSchema(name) && !newer.some((change) => declares(change, name)),
  );
  return [
    ...removed,
    ...added.map(
      (name) => `${name} is new: declare it by an entry of src/platform/http/api-changes.ts.`,
    ),
  ];
}

/** A schema that is new belongs to the operation or the field that names it, which is declared itself. */
const isNewSchema = (name: string): boolean => /^[A-Z]\w*$/.test(name);

function declares({ operations, fields }: ApiChange, name: string): boolean {
  return operations.includes(name) || fields.some((field) => fits(field, name));
}

/** Whether a name fits a pattern, in which `*` is any text. */
function fits(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at === name.length || pattern.endsWith("*");
}

describe("the change log", () => {
  it("declares every difference of the OpenAPI document, and nothing is removed", () => {
    expect(faultsOf(kept, now, API_CHANGES)).toEqual([]);
    if (process.env.UPDATE_CHANGELOG) {
      const text = JSON.stringify({ changes: API_CHANGES.length, surface: now });
      writeFileSync(file, gzipSync(text, { level: 9 }));
    }
  });

  it("has the document of its last entry in the repository", () => {
    const stored: LastDocument = JSON.parse(gunzipSync(readFileSync(file)).toString());
    expect(stored.changes, `run ${UPDATE}`).toBe(API_CHANGES.length);
    expect(lackedBy(now, stored.surface), `run ${UPDATE}`).toEqual([]);
  });

  it("has the newest day first, which is the version of the API", () => {
    const days = API_CHANGES.map(({ date }) => date);
    expect(days.filter((day) => calendarDate(day) === undefined)).toEqual([]);
    expect(days).toEqual([...days].sort().reverse());
    expect(API_VERSION).toBe(days[0]);
    for (const { text } of API_CHANGES) expect(text).toMatch(/^[A-Z].*\.$/);
  });
});

describe("a difference of two documents", () => {
  const thing = (fields: object, operation: object = {}) =>
    surfaceOf({
      paths: {
        "/things": {
          get: {
            operationId: "things.list",
            responses: { 200: { description: "" } },
            ...operation,
          },
        },
      },
      components: { schemas: { Thing: { properties: fields, required: ["id"] } } },
    });
  const before = thing({ id: { type: "string" }, kind: { enum: ["a"] } });
  const change: ApiChange = {
    date: "2026-01-01",
    kind: "added",
    operations: [],
    fields: [],
    text: "",
  };
  const faults = (after: Names, entry: Partial<ApiChange> = {}) =>
    faultsOf({ changes: 0, surface: before }, after, [{ ...change, ...entry }]);

  it.each<[what: string, after: Names, name: string]>([
    [
      "a field that may be left out",
      surfaceOf({ paths: {}, components: { schemas: { Thing: { properties: { id: {} } } } } }),
      "Thing.id is always there",
    ],
    ["a field that is gone", thing({ id: { type: "string" } }), "Thing.kind: anything"],
    ["another type", thing({ id: { type: "integer" }, kind: { enum: ["a"] } }), "Thing.id: string"],
    [
      "a value that is gone",
      thing({ id: { type: "string" }, kind: { enum: [] } }),
      "Thing.kind = a",
    ],
    [
      "an operation that is gone",
      { ...before, "GET /things": [] },
      "GET /things operation things.list",
    ],
  ])("is a sentence that names it: %s", (_what, after, name) => {
    expect(faults(after)).toContain(`${name} is gone or different, and the API only grows.`);
    // No entry can declare a removal.
    const declared = faults(after, { fields: ["*"], operations: [name] });
    expect(declared).toContain(`${name} is gone or different, and the API only grows.`);
  });

  it.each<[what: string, after: Names, name: string, declared: Partial<ApiChange>]>([
    [
      "a field",
      thing({ id: { type: "string" }, kind: { enum: ["a"] }, size: { type: "integer" } }),
      "Thing.size: integer",
      { fields: ["Thing.size*"] },
    ],
    [
      "a value",
      thing({ id: { type: "string" }, kind: { enum: ["a", "b"] } }),
      "Thing.kind = b",
      { fields: ["Thing.kind = b"] },
    ],
    [
      "a parameter",
      {
        ...before,
        ...pick(
          thing({}, { parameters: [{ in: "query", name: "q", schema: { type: "string" } }] }),
        ),
      },
      "GET /things query q: string",
      { fields: ["GET /things query q*"] },
    ],
    [
      "a refusal",
      {
        ...before,
        ...pick(
          thing(
            {},
            { responses: { 200: { description: "" }, 409: { description: "`TAKEN`: x" } } },
          ),
        ),
      },
      "GET /things refusal 409 TAKEN",
      { fields: ["* 409 TAKEN", "GET /things status 409"] },
    ],
    [
      "a deprecation",
      { ...before, ...pick(thing({}, { deprecated: true })) },
      "GET /things deprecated",
      { kind: "deprecated", fields: ["GET /things deprecated"] },
    ],
    [
      "an operation",
      { ...before, "POST /things": ["operation things.create"] },
      "POST /things",
      { operations: ["POST /things"] },
    ],
  ])("has to be declared: %s", (_what, after, name, declared) => {
    expect(faults(after)).toContain(
      `${name} is new: declare it by an entry of src/platform/http/api-changes.ts.`,
    );
    expect(faults(after, declared)).toEqual([]);
    expect(
      faultsOf({ changes: 1, surface: before }, after, [{ ...change, ...declared }]),
    ).not.toEqual([]);
  });
});

/** The operation alone. */
function pick(names: Names): Names {
  return { "GET /things": names["GET /things"] ?? [] };
}

describe("GET /changelog", () => {
  const world = useWorld();

  it("answers the entries without a key", async () => {
    const reply = await callPlainly(world, "GET", "/changelog", null);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("matchbook-version")).toBe(API_VERSION);
    expect(JSON.parse(reply.text)).toEqual({
      object: "list",
      data: API_CHANGES.map((change) => ({ object: "change", ...change })),
      has_more: false,
      next_cursor: null,
    });
  });
});
