/** No tool answers more than 256 KB, however long documents, texts and lists are, and the remaining data can be fetched. */
import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const MOST_BYTES = 256 * 1024;
const LINES = 170;
const PEOPLE = 45;
const SERIES_LINES = 500;
/** Three bytes each. */
const LONG = "語".repeat(255);

const { world, customer, product } = useSales();

let agent: Agent;
let people: string[];
let draft: Json;
let series: Json;
let issued: Json;
beforeAll(async () => {
  await world.done("PATCH /configuration", {
    account_roles: { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 },
  });
  agent = await agentOf(world, { role: "admin" });
  people = [agent.user_id];
  while (people.length < PEOPLE) {
    const n = people.length;
    const user = { name: `${LONG.slice(0, 200)} ${n}`, email: `long-${n}@studio.example` };
    people.push((await world.done("POST /users", user)).id);
  }
  for (let n = 0; n < 100; n += 1) {
    const external_id = `${n}`.padStart(120, "x");
    await world.done("POST /customers", {
      ...LONG_CUSTOMER,
      name: `${n} ${LONG.slice(4)}`,
      external_id,
    });
    await world.done("POST /products", {
      name: LONG,
      comments: "語".repeat(1000),
      unit: LONG.slice(0, 64),
    });
  }
  draft = await world.done("POST /invoices", {
    customer_id: customer.id,
    lines: linesOf(LINES, PEOPLE),
  });
  for (const user_id of people.slice(0, 12)) {
    const work = { user_id, hours: 1, date: "2026-01-05", note: "語".repeat(1000) };
    for (const { id } of draft.lines.slice(0, 9)) {
      await world.done("POST /work-registrations", { ...work, line_id: id });
    }
  }
  series = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-01-01",
    issue_timing: { mode: "manual" },
    lines: linesOf(SERIES_LINES, 3),
  });
  await world.done(`POST /recurring-series/${series.id}/activate`, {});
  for (let n = 0; n < 60; n += 1) {
    await world.done("POST /invoices", {
      customer_id: customer.id,
      title: LONG.slice(0, 200),
      footer: "語".repeat(5000),
      lines: linesOf(1, 1),
    });
  }
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    lines: linesOf(SERIES_LINES, 1),
  });
  issued = await world.done(`POST /invoices/${id}/issue`);
});

const LONG_CUSTOMER = {
  street: LONG,
  zip_code: LONG,
  city: LONG,
  phone: LONG,
  webpage: LONG,
  att_person: LONG,
  external_reference: LONG,
  buyer_reference: LONG,
  order_reference: LONG,
  accounting_cost: LONG,
};

function linesOf(count: number, of_people: number): Json[] {
  return Array.from({ length: count }, (_, n) => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value: 1000 + n,
    description_override: "語".repeat(300),
    assignees: people.slice(0, of_people).map((user_id) => ({ user_id })),
  }));
}

/** The answer of a tool, which must not exceed the size limit. */
async function answered(tool: string, args: Json = {}): Promise<{ text: string; data: Json }> {
  const { status, body } = await agent.rpc("tools/call", { name: tool, arguments: args });
  const { content, structuredContent, isError } = body.result;
  expect([status, isError ?? false], content[0].text.slice(0, 500)).toEqual([200, false]);
  expect(Buffer.byteLength(JSON.stringify(body)), tool).toBeLessThanOrEqual(MOST_BYTES);
  return { text: content[0].text, data: structuredContent };
}

/** All rows of a list, page by page. */
async function allRows(tool: string, args: Json): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await answered(tool, { limit: 100, ...args, ...(cursor && { cursor }) });
    expect(data.data.length).toBeGreaterThan(0);
    rows.push(...data.data);
    cursor = data.next_cursor ?? undefined;
    expect(data.has_more).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  return rows;
}

const idsOf = (rows: readonly Json[]): string[] => rows.map(({ id }) => id);

describe("every tool", () => {
  it("answers at most 256 KB", async () => {
    const lines = linesOf(SERIES_LINES, 1);
    const { line_id } = (await world.done(`GET /recurring-series/${series.id}/lines`)).data[0];
    const [line = {}] = linesOf(1, 40);
    const other = await world.done("POST /invoices", { customer_id: customer.id, lines: [line] });
    const of_customer = { customer: customer.id };
    const month = { from: "2026-01", to: "2026-12" };
    const credit = issued.lines.map(({ id }: Json) => ({ invoice_line_id: id, amount: 1 }));
    const calls: Record<string, Json> = {
      list_customers: { scope: "all", limit: 100 },
      get_customer: of_customer,
      list_invoices: { scope: "all", limit: 100 },
      get_invoice: { invoice: draft.id },
      list_series: { scope: "all", limit: 100 },
      get_series: { series: series.id },
      list_occurrences: { series: series.id, limit: 100 },
      list_products: { limit: 100 },
      list_users: {},
      get_my_work: {},
      list_work_registrations: { limit: 100 },
      get_revenue: { ...month, limit: 100 },
      get_configuration: {},
      plan_save_customer: { ...of_customer, ...LONG_CUSTOMER },
      plan_save_product: { name: LONG },
      plan_create_invoice: { ...of_customer, lines },
      plan_update_invoice: { invoice: other.id, lines: linesOf(LINES, PEOPLE) },
      plan_create_series: {
        ...of_customer,
        frequency: "monthly",
        start_date: "2026-01-01",
        issue_timing: { mode: "manual" },
        lines,
      },
      plan_update_series: { series: series.id, footer: "語".repeat(5000) },
      plan_edit_series_line: { series: series.id, action: "change", scope: "all", line_id, line },
      plan_register_work: { line_id: draft.lines[0].id, hours: 1, note: "語".repeat(1000) },
      plan_issue_invoice: { invoice: draft.id },
      plan_issue_occurrence: { series: series.id, period: "2026-01" },
      plan_create_credit_note: { invoice: issued.id, kind: "partial", lines: credit },
    };
    calls.get_accrual = { ...of_customer, month: issued.issue_date.slice(0, 7) };
    const commits: string[] = [];
    for (const [tool, args] of Object.entries(calls)) {
      const { data } = await answered(tool, args);
      if (/^plan_(create|update)/.test(tool)) commits.push(data.plan_id);
    }
    for (const plan_id of commits) await answered("commit", { plan_id });
    const [note] = (await answered("list_credit_notes", { scope: "all" })).data.data;
    await answered("get_credit_note", { credit_note: note.id });
    const called = [...Object.keys(calls), "commit", "list_credit_notes", "get_credit_note"];
    expect(called.sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});

/** The number of lines of a draft or series. */
async function countedLines({ object, id }: Json): Promise<number> {
  const path = object === "invoice" ? "/invoices" : "/recurring-series";
  return (await world.done(`GET ${path}/${id}`)).lines.length;
}

describe("lists", () => {
  it.each([
    ["list_customers", { scope: "all" }, "/customers"],
    ["list_products", {}, "/products"],
    ["list_invoices", { scope: "all", origin: "one_time" }, "/invoices"],
    ["list_invoices", { scope: "all", search: "語" }, "/invoices?search=語"],
    ["list_work_registrations", {}, `/work-registrations`],
  ])("%s %j return every row, page by page, in order", async (tool, args, path) => {
    const rows = await allRows(tool, args);
    const known: Json[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = path.includes("?") ? `${path}&limit=100` : `${path}?limit=100`;
      const of_me = tool === "list_work_registrations" ? `&user=${agent.user_id}` : "";
      const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const list: Json = await world.done(`GET ${page}${of_me}${after}`);
      known.push(...list.data);
      cursor = list.next_cursor;
    }
    if (tool !== "list_invoices") return expect(idsOf(rows)).toEqual(idsOf(known));
    // The API lists from the newest to the oldest; the tool has an order of its own.
    const ordered = await world.sql(
      `select id from invoices where id = any($1::uuid[]) order by status, case when status = 'draft' then drafted_at end desc,
         issue_date desc, ledger_invoice_number desc, id desc`,
      [idsOf(known)],
    );
    expect(idsOf(rows)).toEqual(idsOf(ordered));
  });

  it("contain no lines of documents, and within a customer their number", async () => {
    for (const [tool, id] of [
      ["list_invoices", draft.id],
      ["list_series", series.id],
    ]) {
      const row = (await allRows(tool, { scope: "all", customer: customer.id })).find(
        (one) => one.id === id,
      );
      expect(row?.id).toBe(id);
      expect(row).not.toHaveProperty("lines");
    }
    const { data } = await answered("get_customer", { customer: customer.id });
    for (const one of [...data.data.open_drafts, ...data.data.active_series]) {
      expect(one).not.toHaveProperty("lines");
      expect(one.line_count).toBe(await countedLines(one));
    }
  });

  it("show an invoice with the same values as the REST API", async () => {
    const plain = (await allRows("list_invoices", { scope: "all", status: "issued" }))[0];
    const stored = await world.done(`GET /invoices/${issued.id}`);
    const { id, status, ledger_invoice_number, title, issue_date, currency } = stored;
    expect(plain).toMatchObject({ id, status, ledger_invoice_number, issue_date, currency });
    expect(plain?.title ?? null).toBe(title);
  });
});

describe("get_invoice", () => {
  it("shows up to 100 lines with ten assignees each, and states how many are left out", async () => {
    const shown: Json[] = [];
    for (let from = 1; from <= LINES; ) {
      const { data, text } = await answered("get_invoice", { invoice: draft.id, lines_from: from });
      const { lines, line_count, recognition } = data.data;
      expect(line_count).toBe(draft.lines.length);
      expect(lines.length).toBeLessThanOrEqual(100);
      expect(recognition.lines.map(({ line_id }: Json) => line_id)).toEqual(idsOf(lines));
      shown.push(...lines);
      from += lines.length;
      const next = from <= LINES ? `; the next with lines_from ${from}` : "";
      expect(text).toContain(`Lines ${from - lines.length} to ${from - 1} of ${LINES}${next}.`);
      expect(text).toContain("and 35 more, shown with line_id");
    }
    expect(idsOf(shown)).toEqual(idsOf(draft.lines));
    for (const { assignees, assignees_left_out } of shown) {
      expect([assignees.length, assignees_left_out]).toEqual([10, 35]);
    }
    expect(shown[0]).toMatchObject({ hours: 12, hours_by_user_left_out: 2 });
  });

  it("shows a single line with all of its assignees", async () => {
    const [line] = draft.lines;
    const { data } = await answered("get_invoice", { invoice: draft.id, line_id: line.id });
    const [shown, ...others] = data.data.lines;
    expect(others).toEqual([]);
    expect(shown).toMatchObject(line);
    expect(shown.hours_by_user).toHaveLength(12);
    expect(shown).not.toHaveProperty("assignees_left_out");
    expect(
      await agent.refused("get_invoice", { invoice: draft.id, line_id: issued.lines[0].id }),
    ).toBe("VALIDATION_FAILED");
  });

  it("returns shortened lines that a plan refuses, because assignees are missing", async () => {
    const [line] = (await answered("get_invoice", { invoice: draft.id })).data.data.lines;
    const { is_error, data } = await agent.call("plan_update_invoice", {
      invoice: draft.id,
      lines: [line],
    });
    expect(is_error).toBe(true);
    expect(data.field_errors).toMatchObject([
      { field: "lines[0].assignees_left_out", code: "unknown_field" },
    ]);
  });
});

describe("get_series", () => {
  it("shows every line on one of its pages", async () => {
    const known = (await world.done(`GET /recurring-series/${series.id}/lines`)).data.length;
    const ids: string[] = [];
    for (;;) {
      const { data } = await answered("get_series", {
        series: series.id,
        lines_from: ids.length + 1,
      });
      if (data.data.lines.length === 0) break;
      ids.push(...data.data.lines.map(({ line_id }: Json) => line_id));
      expect(data.data.line_count).toBeGreaterThanOrEqual(known);
    }
    expect(new Set(ids).size).toBeGreaterThanOrEqual(SERIES_LINES);
  });
});
