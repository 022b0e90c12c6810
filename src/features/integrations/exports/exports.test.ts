/** Exports (spec 15.4): each file equals the list, and is of one moment of the feed. */
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { callPlainly } from "../../../../test/support/http/plain-call.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useExported } from "../../../../test/support/world/exported.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { exportDataset } from "./export-dataset.ts";
import { getDataset } from "./list-datasets.ts";

const { world, hourly, draftLine, registered, bo } = useExported();

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

const byText = (a: Json, b: Json): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const byPlace = (rows: readonly Json[]): Json[] =>
  [...rows].sort((a, b) =>
    `${a.series_id} ${a.period_from}` < `${b.series_id} ${b.period_from}` ? -1 : 1,
  );

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

describe("GET /exports/{dataset}", () => {
  it.each([
    ["customers", "/customers", "&active=all"],
    ["products", "/products", "&active=all"],
    ["users", "/users", ""],
    ["invoices", "/invoices", "&origin=all"],
    ["credit_notes", "/credit-notes", ""],
    ["recurring_series", "/recurring-series", ""],
    ["opening_contracts", "/opening-contracts", ""],
  ])("%s equals the list", async (dataset, path, query) => {
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
      documents.flatMap(({ id, currency = "DKK", lines }) =>
        lines.map((line: Json) => ({ [owner]: id, ...line, currency })),
      ),
    );
  });

  it("work_registrations equals the list, with the currency of each line, also by month", async () => {
    const line_id = await draftLine();
    await registered(line_id, { user_id: bo(), date: "2026-02-28" });
    await registered(line_id, { user_id: bo(), date: "2026-03-01" });
    const listed = byId(await listOf("/work-registrations"));
    const rows = await exported("work_registrations");
    const march = await exported("work_registrations?from=2026-03&to=2026-03");

    expect(rows).toEqual(listed.map((one) => ({ ...one, currency: "DKK" })));
    expect(march).toEqual(rows.filter(({ date }) => date.startsWith("2026-03")));
    expect(march.length).toBeGreaterThan(0);
    expect(march.length).toBeLessThan(rows.length);
  });

  it("occurrences equals the list of a year, with those before it and dropped ones", async () => {
    const dropped = await hourly();
    await world.done(`POST /recurring-series/${dropped.id}/cancel`, { end_date: "2027-02-28" });
    const range = "&from=2020-01-01&to=2027-03-31";
    const listed = [
      ...(await listOf("/occurrences", range)),
      ...(await listOf("/occurrences", `${range}&status=dropped`)),
    ];
    const rows = await exported("occurrences");

    expect(rows.map(({ status }) => status)).toContain("dropped");
    expect(byPlace(rows)).toEqual(byPlace(listed));
    expect(rows.map(({ series_id }) => series_id)).toEqual(
      rows.map(({ series_id }) => series_id).sort(),
    );
  });

  it.each(["2026-01", "2026-02", "2026-03"])(
    "accruals equals the list of %s, whose drafts can be read then",
    async (month) => {
      const rows = await exported(`accruals?from=${month}&to=${month}`);
      const drafts = rows.filter(({ status }) => status === "draft");
      for (const { id } of drafts) await world.done(`GET /accruals/${id}`);

      expect(rows).toEqual(await listOf("/accruals", `&month=${month}`));
    },
  );

  it("accruals has all months without a range, booked ones and drafts", async () => {
    const rows = await exported("accruals");
    const of = (month: string) => rows.filter(({ accrual_month }) => accrual_month === month);

    expect([...of("2025-12"), ...of("2026-01")].sort(byText)).toEqual(
      (await exported("accruals?to=2026-01")).sort(byText),
    );
    expect([...of("2026-02"), ...of("2026-03")].sort(byText)).toEqual(
      (await exported("accruals?from=2026-02")).sort(byText),
    );
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["booked", "draft"]));
  });

  it("ledger_entries equals the entries, and ledger_postings their postings", async () => {
    const entries = await listOf("/ledger/entries");
    const postings = entries.flatMap(({ entry_no, date, currency, postings }) =>
      postings.map((posting: Json, at: number) => ({
        entry_no,
        line: at + 1,
        date,
        ...posting,
        currency,
        functional_currency: "DKK",
      })),
    );

    expect(await exported("ledger_entries")).toEqual(entries);
    expect(await exported("ledger_postings")).toEqual(postings);
    expect(await exported("ledger_entries?from=2026-01&to=2026-01")).toEqual(
      entries.filter(({ date }) => date.startsWith("2026-01")),
    );
    expect(await exported("ledger_postings?from=2026-02")).toEqual(
      postings.filter(({ date }) => date >= "2026-02-01"),
    );
  });

  it.each([
    ["", "&from=2023-04&to=2026-03"],
    ["?from=2026-02&to=2026-05", "&from=2026-02&to=2026-05"],
    ["?to=2026-02", "&from=2023-03&to=2026-02"],
    ["?from=2026-02", "&from=2026-02&to=2029-01"],
  ])("revenue%s equals the recognition of its months", async (query, months) => {
    const rows = await exported(`revenue${query}`);
    const listed = await listOf("/recognition", months);

    expect(listed.length).toBeGreaterThan(0);
    expect(rows.sort(byText)).toEqual(listed.sort(byText));
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
    const { lines } = await exportDataset(cx, getDataset("customers"), { format: "ndjson" });
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
    [
      "months of a dataset without them",
      "/exports/customers?from=2026-01",
      "422 VALIDATION_FAILED from not_allowed",
    ],
    [
      "a last month of a dataset without them",
      "/exports/invoices?to=2026-01",
      "422 VALIDATION_FAILED to not_allowed",
    ],
    [
      "months in the wrong order",
      "/exports/ledger_entries?from=2026-02&to=2026-01",
      "422 VALIDATION_FAILED to too_small",
    ],
    [
      "more revenue than its report has",
      "/exports/revenue?from=2023-01&to=2026-02",
      "422 VALIDATION_FAILED to too_large",
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
