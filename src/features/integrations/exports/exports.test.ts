/** Exports (spec 15.4): each file equals the list, and is of one moment of the feed. */
import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { callPlainly } from "../../../../test/support/http/plain-call.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { sendBatch } from "../../../../test/support/http/send-batch.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { exportDataset } from "./export-dataset.ts";
import { getDataset } from "./list-datasets.ts";

const { world, customer, product, hours, hourly, draftLine, registered, bo } = useWork();

/** All items of a list. */
async function listOf(path: string, query = ""): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ""; ; ) {
    const page: Json = await world.done(`GET ${path}?limit=100${query}${cursor}`);
    all.push(...page.data);
    if (page.next_cursor === null) return all;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const byId = (rows: readonly Json[]): Json[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

interface Sent {
  readonly text: string;
  readonly headers: Headers;
}

async function sent(path: string, key = world.account.keys.read): Promise<Sent> {
  const { status, text, headers } = await callPlainly(world, "GET", path, key);
  expect(status).toBe(200);
  return { text, headers };
}

const rowsOf = ({ text }: Sent): Json[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const exported = async (dataset: string, key?: string): Promise<Json[]> =>
  rowsOf(await sent(`/exports/${dataset}`, key));

beforeAll(async () => {
  const gone = await world.done("POST /customers", { name: '=Gone, "quoted"\nand broken' });
  await world.done(`POST /customers/${gone.id}/deactivate`);
  await world.done("POST /products", {
    name: "Priced",
    default_price: 12.5,
    prices: [{ currency: "EUR", amount: 1.75 }],
  });
  const many = Array.from({ length: 700 }, (_, n) => ({
    external_id: `e-${n}`,
    name: `Client ${n}`,
  }));
  await sendBatch(world, "/customers/batch", many);
  await hourly();
  const value = { product_id: product.id, recognition_method: "value", agreed_value: 1234.56 };
  const draft = { customer_id: customer.id, auto_send: false, lines: [value, hours()] };
  await world.done("POST /invoices", draft);
  const issued = await world.done("POST /invoices", { ...draft, lines: [value] });
  await world.done(`POST /invoices/${issued.id}/issue`);
  await world.done("POST /credit-notes", {
    external_id: "credit",
    invoice: issued.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
});

describe("GET /exports/{dataset}", () => {
  it.each([
    ["customers", "/customers", "&active=all"],
    ["products", "/products", "&active=all"],
    ["users", "/users", ""],
    ["invoices", "/invoices", "&origin=all"],
    ["credit_notes", "/credit-notes", ""],
    ["recurring_series", "/recurring-series", ""],
    ["work_registrations", "/work-registrations", ""],
  ])("%s equals the list", async (dataset, path, query) => {
    await registered(await draftLine(), { user_id: bo() });
    const rows = await exported(dataset);

    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(byId(await listOf(path, query)));
  });

  it.each([
    ["invoice_lines", "/invoices", "&origin=all", "invoice_id"],
    ["credit_note_lines", "/credit-notes", "", "credit_note_id"],
  ])("%s equals the lines of the list", async (dataset, path, query, owner) => {
    const rows = await exported(dataset);
    const documents = byId(await listOf(path, query));

    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(
      documents.flatMap(({ id, lines }) => lines.map((line: Json) => ({ [owner]: id, ...line }))),
    );
  });

  it("has the same rows as CSV, in the columns that GET /exports names", async () => {
    const { data } = await world.done("GET /exports");
    for (const { dataset, columns } of data) {
      const rows = await exported(dataset);
      const file = await sent(`/exports/${dataset}?format=csv`);
      const [header = [], ...lines] = Papa.parse<string[]>(file.text, {
        skipEmptyLines: true,
      }).data;

      expect(header).toEqual(columns);
      expect(file.headers.get("matchbook-schema")).toBe(`${dataset}/${columns.length}`);
      const cells = rows.map((row) => columns.map((column: string) => cellOf(row, column)));
      expect(lines).toEqual(cells);
    }
  });

  it("names its moment in the feed, from which events continue", async () => {
    const file = await sent("/exports/customers");
    const head = await world.rest("GET /events?limit=1");
    await world.done("POST /customers", { name: "Later", external_id: "later" });

    const cursor = file.headers.get("matchbook-cursor");
    const { data } = await world.done(`GET /events?cursor=${cursor}`);

    expect(file.headers.get("matchbook-sequence")).toBe(head.headers.get("matchbook-sequence"));
    expect(data.map((event: Json) => event.data.resource.external_id)).toEqual(["later"]);
  });

  it("shows one moment, whatever is changed while it is sent", async () => {
    const before = byId(await listOf("/customers", "&active=all"));
    const cx = await schedulerContext(world.services, world.account.account_id);
    const { lines } = await exportDataset(cx, getDataset("customers"), "ndjson");
    let text = "";
    for await (const part of lines) {
      text += part;
      await world.done("POST /customers", {
        external_id: "e-699",
        name: `Changed at ${text.length}`,
      });
      await world.done("POST /customers", { name: "Made meanwhile" });
    }

    expect(rowsOf({ text, headers: new Headers() })).toEqual(before);
  });

  it("shows nothing of another account", async () => {
    const other = await world.openAnother();

    expect(await exported("customers", other.keys.read)).toEqual([]);
    expect(await exported("invoice_lines", other.keys.read)).toEqual([]);
  });

  it.each([
    ["an unknown dataset", "/exports/secrets", "400 MALFORMED_REQUEST"],
    [
      "an unknown format",
      "/exports/customers?format=xml",
      "422 VALIDATION_FAILED format invalid_value",
    ],
    [
      "an unknown parameter",
      "/exports/customers?limit=5",
      "422 VALIDATION_FAILED limit unknown_parameter",
    ],
  ])("refuses %s", async (_name, path, expected) => {
    expect(refusal(await world.rest(`GET ${path}`))).toBe(expected);
  });
});

/** The cell of a value: text as it is, but guarded against formulas; lists and objects as JSON. */
function cellOf(row: Json, column: string): string {
  const value = column.split(".").reduce((at, name) => at?.[name], row);
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
