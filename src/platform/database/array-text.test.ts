/** PostgreSQL reads back the values of array parameters exactly as they were given. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { arrayText } from "./array-text.ts";
import { query } from "./database.ts";

const world = useWorld();

/** The values that PostgreSQL reads, in order. */
async function readBack(type: string, values: readonly unknown[]): Promise<unknown[]> {
  const rows = await query<{ value: unknown }>(
    world.db,
    `select value from unnest($1::${type}[]) with ordinality as v (value, n) order by n`,
    [values],
  );
  return rows.map((row) => row.value);
}

describe("arrays in parameters", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["words, spaces and nulls", "text", ["a", "", " ", "NULL", "null", "Null", null, "nulls", "'"]],
    ["quotes and braces", "text", ["{}", "a,b", 'say "so"', '\\"', "{a,{b}}", '"', "back\\slash"]],
    ["white space", "text", ["a b", "line\nbreak\ttab\r", "\u2028"]],
    [
      "other letters and symbols",
      "text",
      ["Ærø", "😀", "x;y", "(", "1e3", "-", "a:b+c.d", "2026-01"],
    ],
    ["ids", "uuid", ["01900000-0003-7000-8000-000000000010", null]],
    ["amounts", "bigint", [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), null]],
    ["numbers", "int", [0, -1, 2_147_483_647, null]],
    ["fractions", "float8", [0.1, 1e21, -1e-7]],
    ["booleans", "boolean", [true, false, null]],
    ["days", "date", ["2026-02-28"]],
    ["bytes", "bytea", [Buffer.from([0, 92, 255]), Buffer.alloc(0), null]],
    ["no values", "text", []],
  ])("of %s arrive unchanged", async (_what, type, values) => {
    expect(await readBack(type, values)).toEqual(values);
  });

  it("contain null for an undefined element", async () => {
    expect(await readBack("text", [undefined])).toEqual([null]);
  });

  it.each<[string, readonly unknown[]]>([
    ["dates", [new Date(0)]],
    ["arrays", [["a"]]],
    ["objects", [{}]],
  ])("of %s are left to the driver", (_what, values) => {
    expect(arrayText(values)).toBeUndefined();
  });
});
