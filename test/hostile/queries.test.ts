/**
 * Invalid query parameters are refused with 422 (spec 11.5), never with a 5xx. Lists and parameters come from the OpenAPI
 * document, so that new ones are tested as well.
 */
import { afterEach, describe, expect, it } from "vitest";
import { branchesOf, type Operation, operations } from "../support/http/openapi.ts";
import { callOf, faultsOf, UNKNOWN_ID, useTarget } from "../support/http/target.ts";
import type { Json, Reply } from "../support/world/world.ts";

const target = useTarget();
afterEach(() => target.requireUnharmed());

const lists = operations.filter((o) => o.parameters.some((p) => p.name === "cursor"));
// What takes a file refuses a request without one first; `bank-statements.test.ts` has its parameters.
const withoutFile = operations.filter(({ takes_file }) => !takes_file);
const parametersOfLists = withoutFile.flatMap((operation) =>
  operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => [`${callOf(operation)} ${parameter.name}`, operation, parameter] as const),
);

describe("invalid query parameters are refused with 422", () => {
  it.each(lists.map((operation) => [callOf(operation), operation] as const))(
    "limit and cursor of %s",
    async (_call, operation) => {
      for (const limit of ["0", "101", "-1", "abc", "1.5", "", "1e1", "%2B5", "0x10", "９"]) {
        expect(faultsOf(await get(operation, `limit=${limit}`)), limit).toEqual(["limit"]);
      }
      for (const cursor of badCursors()) {
        const reply = await get(operation, `cursor=${encodeURIComponent(cursor)}`);
        expect(faultsOf(reply), cursor).toEqual(["cursor"]);
      }
      for (const cursor of strangeCursors()) {
        expect([200, 422], cursor).toContain((await get(operation, `cursor=${cursor}`)).status);
      }
    },
  );

  it.each(
    parametersOfLists.filter(
      ([, , parameter]) => parameter.schema.format || parameter.schema.anyOf,
    ),
  )("%s with an invalid time", async (_name, operation, { name }) => {
    for (const moment of NO_MOMENTS) {
      const reply = await get(operation, `${name}=${encodeURIComponent(moment)}`);
      expect(faultsOf(reply), moment).toEqual([name]);
    }
  });

  it.each(parametersOfLists)("%s given twice", async (_name, operation, { name, schema }) => {
    const value = encodeURIComponent(exampleOf(schema));
    expect(faultsOf(await get(operation, `${name}=${value}&${name}=${value}`))).toContain(name);
  });

  it.each(parametersOfLists.filter(([, , { schema }]) => isText(schema)))(
    "%s with NUL or an empty value",
    async (_name, operation, { name }) => {
      expect(faultsOf(await get(operation, `${name}=%00`))).toContain(name);
      expect(faultsOf(await get(operation, `${name}=`))).toContain(name);
      expect((await get(operation, `${name}=%ed%a0%80`)).status).toBeLessThan(500);
    },
  );
});

const NO_MOMENTS = [
  "",
  "yesterday",
  "infinity",
  "1767225600",
  "2026-02-30",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:61Z",
  "2026-01-01T00:00:00",
  "2026-01-01T00:00:00+23:59",
  "2026-01-01T00:00:00-16:00",
  `2026-01-01T00:00:00.${"0".repeat(200)}Z`,
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "+020026-01-01T00:00:00Z",
  "2026-01-01T00:00:00Z' or 1=1",
];

/** Cursors that the service never creates, for any list. */
function badCursors(): string[] {
  const own = encode(`1|${target.survivor.id}`);
  return [
    "",
    "x",
    "null",
    "1",
    target.survivor.id,
    "💥",
    "%00",
    own.slice(0, -1),
    `${own} `,
    `${own}=`,
    `_${own}`,
    encode(`2|${target.survivor.id}`),
    encode(`1|${target.survivor.id}|`),
    encode(`1|${target.survivor.id}|yesterday`),
    encode(`1|${target.survivor.id}|2026-99-99T99:99:99.999999Z`),
    encode(`1|${target.survivor.id}|2026-03-10T00:00:00.000000Z|x`),
    encode("1|2026-99-99:EUR"),
    encode("1|-1"),
    encode("1|' or 1=1"),
    "x".repeat(2000),
  ];
}

/** In the form of some lists' cursors: another list may accept them, but must not fail. */
function strangeCursors(): string[] {
  return [
    encode(`1|${UNKNOWN_ID}`),
    encode(`1|${target.survivor.id}|2026-03-10T00:00:00.000000Z`),
    encode("1|0"),
    encode("1|999999999999999999"),
    encode("1|2026-02-28:EUR"),
  ];
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** With the other required parameters of the call. */
function get(operation: Operation, query: string): Promise<Reply> {
  const others = operation.parameters
    .filter(({ name, required }) => required && !new RegExp(`(^|&)${name}=`).test(query))
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => `&${name}=${encodeURIComponent(exampleOf(schema))}`);
  return target.send(operation.method, `${target.pathOf(operation)}?${query}${others.join("")}`);
}

function isText(schema: Json): boolean {
  return branchesOf(schema).every((branch) => branch.type === "string" && !branch.enum);
}

/** A value that the parameter accepts. */
function exampleOf(schema: Json): string {
  const [branch = {}] = branchesOf(schema);
  if (branch.enum) return branch.enum[0];
  if (branch.format === "date") return "2026-01-01";
  if (branch.format === "date-time") return "2026-01-01T00:00:00Z";
  if (branch.format === "uuid") return UNKNOWN_ID;
  return String(branch.example ?? (branch.type === "boolean" ? "true" : "1000"));
}
