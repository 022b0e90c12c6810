/** Exports as Parquet: two readers that are not ours find the rows of the other formats, to the minor unit. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { isSkippedWithout } from "../../../../test/support/run/needs.ts";
import { useExported } from "../../../../test/support/world/exported.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { parquetColumnsOf, parquetOf } from "./format-parquet.ts";
import { datasets } from "./list-datasets.ts";

const { world } = useExported();

async function sent(path: string): Promise<Response> {
  const response = await fetch(`${world.origin}/api/v1/exports/${path}`, {
    headers: { authorization: `Bearer ${world.account.keys.read}` },
  });
  expect(response.status).toBe(200);
  return response;
}

const linesOf = async (dataset: string): Promise<Json[]> =>
  (await (await sent(dataset)).text())
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const fileOf = async (dataset: string): Promise<ArrayBuffer> =>
  (await sent(`${dataset}?format=parquet`)).arrayBuffer();

/** A value of a file as the API shows it; both currencies of the world have two decimals. */
function shown(value: unknown, like: unknown): unknown {
  if (value instanceof Date) {
    const text = value.toISOString();
    return String(like).length === 10 ? text.slice(0, 10) : text;
  }
  // This reader multiplies the units of a DECIMAL by a power of ten, with the error of a float.
  if (typeof value === "number") return Number(value.toFixed(6));
  return typeof value === "bigint" ? Number(value) : value;
}

describe("GET /exports/{dataset}?format=parquet", () => {
  it.each(datasets.map(({ name }) => name))("%s has the rows of its lines", async (dataset) => {
    const { data } = await world.done("GET /exports");
    const { columns } = data.find((one: Json) => one.dataset === dataset);
    const response = await sent(`${dataset}?format=parquet`);
    const file = await response.arrayBuffer();
    const rows: Json[] = await parquetReadObjects({ file });
    const lines = await linesOf(dataset);

    expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(response.headers.get("matchbook-schema")).toBe(`${dataset}/${columns.length}`);
    expect(lines.length).toBeGreaterThan(0);
    expect(rows.length).toBe(lines.length);
    const names = parquetMetadata(file)
      .schema.slice(1)
      .map(({ name }) => name);
    expect(names.length).toBe(columns.length);
    for (const [at, line] of lines.entries()) {
      const row = rows[at] ?? {};
      for (const [index, column] of columns.entries()) {
        const expected = column.split(".").reduce((one: Json, name: string) => one?.[name], line);
        const name = names[index] ?? "";
        const found = shown(row[name], expected);
        if (name.endsWith("_minor") && expected !== null) {
          expect(typeof row[name]).toBe("bigint");
          expect(found).toBe(Math.round(expected * 100));
        } else {
          expect(found ?? null).toEqual(expected ?? null);
        }
      }
    }
  });

  it.each(datasets.map(({ name }) => name))(
    "%s has no amount, day or moment as text",
    async (dataset) => {
      const file = await fileOf(dataset);
      const { schema } = parquetMetadata(file);
      const texts = schema.filter((one) => one.converted_type === "UTF8").map(({ name }) => name);
      expect(schema.filter(({ type }) => type === "DOUBLE" || type === "FLOAT")).toEqual([]);
      for (const row of await parquetReadObjects({ file })) {
        for (const name of texts)
          expect(`${name} ${row[name]}`).not.toMatch(/ \d{4}-\d\d-\d\d(T.*)?$/);
      }
    },
  );

  it("is a file without groups where there are no rows", async () => {
    const other = await world.openAnother();
    const response = await fetch(`${world.origin}/api/v1/exports/invoice_lines?format=parquet`, {
      headers: { authorization: `Bearer ${other.keys.read}` },
    });
    const file = await response.arrayBuffer();
    expect(parquetMetadata(file).row_groups).toEqual([]);
    expect(await parquetReadObjects({ file })).toEqual([]);
  });
});

describe("the file of rows", () => {
  const made = async (rows: readonly Json[], row: z.ZodObject, group_rows: number) => {
    const parts: Uint8Array[] = [];
    const portions = (async function* () {
      yield rows.slice(0, 3);
      yield rows.slice(3);
    })();
    for await (const part of parquetOf(parquetColumnsOf(row), portions, group_rows))
      parts.push(part);
    const { buffer, byteOffset, byteLength } = Buffer.concat(parts);
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  };

  it("has groups of a fixed number of rows, whatever portions they come in", async () => {
    const rows = Array.from({ length: 7 }, (_, at) => ({ name: `n${at}` }));
    const file = await made(rows, z.object({ name: z.string() }), 2);
    const groups = parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows));
    expect(groups).toEqual([2, 2, 2, 1]);
    expect(await parquetReadObjects({ file })).toEqual(rows);
  });

  it("has amounts in the units of their currencies, and microseconds", async () => {
    const rows = [
      { currency: "DKK", amount: 1234.56, made_at: "2026-03-10T09:00:00.000001Z" },
      { currency: "JPY", amount: -1234, made_at: "1969-12-31T23:59:59Z" },
      { currency: "KWD", amount: 0.001, made_at: null },
    ];
    const row = z.object({
      currency: z.string(),
      amount: z.number(),
      made_at: z.string().nullable(),
    });
    const found: Json[] = await parquetReadObjects({
      file: await made(rows, row, 2),
      parsers: { timestampFromMicroseconds: (value: bigint) => value } as never,
    });
    expect(found.map((one) => [one.amount_minor, one.made_at])).toEqual([
      [123_456n, 1_773_133_200_000_001n],
      [-1234n, -1_000_000n],
      [1n, null],
    ]);
  });

  it.each([
    ["an amount with more decimals than its currency", { currency: "DKK", amount: 0.001 }],
    ["a day that is none", { date: "2026-02-30" }],
    ["a moment with an offset", { made_at: "2026-03-10T09:00:00+01:00" }],
  ])("is not made of %s", async (_name, row) => {
    const shape = z.object({
      currency: z.string(),
      amount: z.number(),
      date: z.string(),
      made_at: z.string(),
    });
    await expect(made([row], shape, 2)).rejects.toThrow();
  });

  it("is not made of numbers whose decimals are unknown", () => {
    expect(() => parquetColumnsOf(z.object({ weight: z.number() }))).toThrow("weight");
  });
});

/** A Python with DuckDB, as `.ci/run` names it. */
const PYTHON = process.env.CLIENT_PYTHON ?? "";
const has_duckdb = PYTHON !== "" && spawnSync(PYTHON, ["-c", "import duckdb"]).status === 0;

describe.skipIf(isSkippedWithout(has_duckdb))(
  "in DuckDB (needs Python with duckdb of PyPI: CLIENT_PYTHON names it)",
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "matchbook-duckdb-"));
      for (const { name } of datasets) {
        await writeFile(join(folder, `${name}.parquet`), new Uint8Array(await fileOf(name)));
      }
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** The rows of a query in the folder of files. */
    const rowsOf = (query: string): Json[] => {
      const script = `
import duckdb, json, sys
found = duckdb.sql(sys.stdin.read())
print(json.dumps([dict(zip(found.columns, row)) for row in found.fetchall()], default=str))`;
      const ran = spawnSync(PYTHON, ["-c", script], {
        cwd: folder,
        input: query,
        encoding: "utf8",
      });
      expect(ran.stderr).toBe("");
      return JSON.parse(ran.stdout);
    };

    it("has a table that agrees with GET /recognition", async () => {
      const range = "from=2023-04&to=2026-03";
      const listed: Json[] = [];
      for (let cursor = ""; ; ) {
        const page = await world.done(`GET /recognition?${range}&limit=100${cursor}`);
        listed.push(...page.data);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      const sums = new Map<string, number[]>();
      for (const row of listed) {
        const key = `${row.month} ${row.currency}`;
        const amounts = [row.earned, row.invoiced, row.contract_asset, row.contract_liability];
        const before = sums.get(key) ?? [0, 0, 0, 0];
        sums.set(
          key,
          before.map((sum, at) => sum + Math.round(amounts[at] * 100)),
        );
      }
      const found = rowsOf(`
        select month, currency, sum(earned_minor)::bigint as earned, sum(invoiced_minor)::bigint as invoiced,
          sum(contract_asset_minor)::bigint as asset, sum(contract_liability_minor)::bigint as liability
        from 'revenue.parquet' group by month, currency order by month, currency`);
      expect(found.length).toBeGreaterThan(2);
      expect(
        found.map((row) => [
          `${row.month} ${row.currency}`,
          [row.earned, row.invoiced, row.asset, row.liability],
        ]),
      ).toEqual([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
    });

    it("has the types of days, moments, amounts, hours and lists", () => {
      const types = (name: string): Json =>
        Object.fromEntries(
          rowsOf(`describe select * from '${name}.parquet'`).map((row) => [
            row.column_name,
            row.column_type,
          ]),
        );
      expect(types("work_registrations")).toMatchObject({
        date: "DATE",
        hours: "DECIMAL(18,2)",
        hourly_rate: "DECIMAL(18,4)",
        amount_minor: "BIGINT",
        billable: "BOOLEAN",
        created_at: "TIMESTAMP",
      });
      expect(types("invoices")).toMatchObject({ lines: "JSON", issue_date: "DATE" });
    });

    it("joins lines with their invoices, and has books that balance", () => {
      expect(
        rowsOf(`select count(*) as n from 'invoice_lines.parquet' l
          left join 'invoices.parquet' i on i.id = l.invoice_id where i.id is null`),
      ).toEqual([{ n: 0 }]);
      expect(
        rowsOf(`select sum(debit_minor) = sum(credit_minor) and sum(debit_minor) > 0 as balances
          from 'ledger_postings.parquet'`),
      ).toEqual([{ balances: true }]);
    });
  },
);
