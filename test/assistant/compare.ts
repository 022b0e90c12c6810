/** Compares tools with REST: every reading tool is asked for everything, and so are the calls of the API. */
import { expect } from "vitest";
import { addMonths, type Studio } from "../revenue/studio.ts";
import type { Json } from "../support/world/world.ts";
import { carried } from "./carried.ts";
import type { CheckedAgent } from "./schemas.ts";

const byId = (rows: readonly Json[]): Map<string, Json> =>
  new Map(rows.map((row) => [row.id, row]));
const idsOf = (rows: readonly Json[]): string[] => rows.map(({ id }) => id);
const without = (row: Json, ...fields: string[]): Json =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)));

/** A series as `get_series` shows it: with its number of lines. */
const counted = (row: Json): Json => ({ ...without(row, "lines"), line_count: row.lines.length });

/** An admin's assistant reads what the API answers. Throws for the first difference. */
export async function compareAll(studio: Studio, admin: CheckedAgent): Promise<void> {
  await compareLists(studio, admin);
  await compareInvoices(studio, admin);
  await compareSeries(studio, admin);
  await compareCustomers(studio, admin);
  await compareRevenue(studio, admin);
}

const OF_INVOICE = ["customer_name", "net", "open", "period", "delivery_state"] as const;
const OF_SERIES = ["customer_name", "next", "issue_timing", "apart"] as const;
const OF_NOTE = [
  "customer_name",
  "invoice_number",
  "currency",
  "amount",
  "delivery_state",
] as const;

/** Rows of the API, which are newest first, in the order of the tool: of documents drafts, then by day and number, the newest first. */
function inOrder(tool: string, rows: readonly Json[]): readonly Json[] {
  if (tool !== "list_invoices" && tool !== "list_credit_notes") return rows;
  const place = (row: Json): string => {
    const number = row.ledger_invoice_number ?? row.ledger_credit_note_number ?? 0;
    const day = row.issue_date ?? row.credit_date;
    return row.status === "draft" ? "z" : `${day} ${String(number).padStart(9, "0")}`;
  };
  return [...rows].sort((a, b) => (place(a) === place(b) ? 0 : place(a) < place(b) ? 1 : -1));
}

async function compareLists(studio: Studio, admin: CheckedAgent): Promise<void> {
  for (const [tool, path, ...added] of [
    ["list_customers", "/customers"],
    ["list_invoices", "/invoices?origin=all", ...OF_INVOICE],
    ["list_series", "/recurring-series", ...OF_SERIES],
    ["list_credit_notes", "/credit-notes", ...OF_NOTE],
  ] as const) {
    const rows = await admin.every(tool, { scope: "all" });
    const shown = rows.map((row) => without(row, ...added));
    const resources = inOrder(tool, await studio.all(path));
    const known = resources.map((one) => carried(tool, one));
    // Drafts of invoices go by their last change, which the API does not show.
    const is_ordered = (row: Json): boolean => tool !== "list_invoices" || row.status === "issued";
    expect(shown.filter(is_ordered), tool).toEqual(known.filter(is_ordered));
    expect(byId(shown), tool).toEqual(byId(known));
    expect(shown.map(is_ordered), tool).toEqual(known.map(is_ordered));
    const { in_scope, beyond_scope } = await admin.dataOf(tool, { scope: "all" });
    expect([in_scope, beyond_scope], tool).toEqual([rows.length, 0]);
  }
  expect(await admin.every("list_products")).toEqual(
    (await studio.all("/products")).map((one) => carried("list_products", one)),
  );
  const users = await studio.all("/users");
  expect((await admin.dataOf("list_users")).data).toEqual(
    users.map(({ id, name, role, active }) => ({ id, name, role, active })),
  );
  for (const note of await admin.every("list_credit_notes", { scope: "all" })) {
    const { net, currency } = await studio.done(`GET /credit-notes/${note.id}/totals`);
    expect([note.amount, note.currency], `credit note ${note.id}`).toEqual([net, currency]);
    const { lines, ...shown } = (await admin.dataOf("get_credit_note", { credit_note: note.id }))
      .data;
    expect(shown).toMatchObject(without(note, "delivery_state"));
    const stored = await studio.done(`GET /credit-notes/${note.id}`);
    expect(shown).toMatchObject(without(stored, "lines"));
    expect(lines).toEqual(stored.lines);
  }
  for (const { id } of users) {
    const { data, total_hours } = await admin.dataOf("list_work_registrations", { user: id });
    const work = await studio.all(`/work-registrations?user=${id}`);
    const rows = await admin.every("list_work_registrations", { user: id });
    expect(rows.map((row) => without(row, "user_name", "customer_name", "line_name"))).toEqual(
      work.map((one: Json) => carried("list_work_registrations", one)),
    );
    expect(data).toEqual(rows.slice(0, 25));
    const hundredths = work.reduce((sum, { hours }) => sum + Math.round(hours * 100), 0);
    expect(Math.round(total_hours * 100)).toBe(hundredths);
  }
  const configuration = await studio.done("GET /configuration");
  // Only pages and the API show the texts of mails.
  const { mail_texts: _, reminders: __, ...shown } = configuration;
  expect((await admin.dataOf("get_configuration")).data).toEqual(shown);
}

async function compareInvoices(studio: Studio, admin: CheckedAgent): Promise<void> {
  const occurrences = await studio.sql(
    "select id from invoices where account_id = $1 and series_id is not null",
  );
  const listed = byId(await admin.every("list_invoices", { scope: "all" }));
  expect(occurrences.filter(({ id }) => !listed.has(id))).toEqual([]);
  const paid = byId(await studio.all("/invoices?origin=all&include=payment"));
  for (const id of listed.keys()) {
    const { data } = await admin.dataOf("get_invoice", { invoice: id });
    const invoice = await studio.done(`GET /invoices/${id}`);
    const totals = await studio.done(`GET /invoices/${id}/totals`);
    expect(listed.get(id)?.net, `net of ${id}`).toBe(totals.net);
    expect([data.net, data.vat, data.gross]).toEqual([totals.net, totals.vat, totals.gross]);
    const payment = paid.get(id)?.payment;
    expect(data.payment, `payment of ${id}`).toEqual(payment);
    expect(listed.get(id)?.open, `open of ${id}`).toBe(payment?.open ?? undefined);
    const amounts = data.lines.map((line: Json) => [line.id, line.amount]);
    expect(amounts).toEqual(totals.lines.map((line: Json) => [line.line_id, line.net]));
    const lines = data.lines.map((line: Json) =>
      without(line, "name", "amount", "hours", "hours_by_user"),
    );
    expect(lines).toEqual(invoice.lines);
    const notes = await studio.all(`/invoices/${id}/credit-notes`);
    expect(data.credit_notes.map((note: Json) => note.id)).toEqual(notes.map((note) => note.id));
    const schedule = await studio.done(`GET /invoices/${id}/recognition`);
    expect(data.recognition.lines, `recognition of ${id}`).toEqual(
      schedule.lines.map((line: Json) => ({
        line_id: line.line_id,
        earned_to_date: line.earned_to_date,
        months: line.months
          .filter(({ earned }: Json) => earned !== 0)
          .map(({ month, earned }: Json) => ({ month, earned })),
      })),
    );
  }
}

async function compareSeries(studio: Studio, admin: CheckedAgent): Promise<void> {
  for (const { id, next, apart } of await admin.every("list_series", { scope: "all" })) {
    const { data } = await admin.dataOf("get_series", { series: id });
    const header = await studio.done(`GET /recurring-series/${id}`);
    const own = ["customer_name", "next", "apart", "lines", "planned_changes"];
    expect(without(data, ...own)).toEqual(counted(header));
    const { period, issue_date, net: expected } = data.next ?? {};
    expect(next).toEqual(data.next === null ? undefined : { period, issue_date, net: expected });
    expect(apart ?? []).toEqual(data.apart);
    const range = { from: "2025-01-01", to: `${addMonths(studio.month, 4)}-01` };
    const rows = await admin.every("list_occurrences", { series: id, ...range });
    const path = `/recurring-series/${id}/occurrences?from=${range.from}&to=${range.to}`;
    expect(rows.map((row) => without(row, "currency", "net"))).toEqual(
      (await studio.all(path)).map((one: Json) => carried("list_occurrences", one)),
    );
    const until = `${addMonths(studio.month, 5)}-01`;
    const preview = await studio.done(`GET /recurring-series/${id}/preview?until=${until}`);
    const coming = new Map<string, Json>(preview.occurrences.map((one: Json) => [one.period, one]));
    for (const row of rows) {
      const net = row.invoice_id
        ? (await studio.done(`GET /invoices/${row.invoice_id}/totals`)).net
        : (coming.get(row.period)?.net ?? row.net);
      expect(row.net, `net of ${row.period} of ${id}`).toBe(net);
    }
    const same = coming.get(next?.period);
    if (same) expect([next.net, next.issue_date]).toEqual([same.net, same.issue_date]);
  }
}

async function compareCustomers(studio: Studio, admin: CheckedAgent): Promise<void> {
  for (const { id } of studio.customers) {
    const { data } = await admin.dataOf("get_customer", { customer: id });
    const customer = await studio.done(`GET /customers/${id}`);
    expect(data).toMatchObject(customer);
    expect([data.owed, data.overdue, data.credit], `owed by ${id}`).toEqual(
      await owedBy(studio, id),
    );
    const drafts = await studio.all(`/invoices?customer=${id}&status=draft`);
    expect(data.open_drafts.map((one: Json) => one.id)).toEqual(drafts.map((one) => one.id));
    for (const month of [addMonths(studio.month, -1), studio.month]) {
      const { status, body } = await studio.ask(`GET /accruals?customer=${id}&month=${month}`);
      const accrual = await admin.callChecked("get_accrual", { customer: id, month });
      expect(accrual.is_error).toBe(status >= 300);
      if (accrual.is_error) continue;
      const detail = await studio.done(`GET /accruals/${body.id}`);
      const { lines, line_count, ...reported } = without(accrual.data.data, "customer_name");
      expect(lines).toHaveLength(line_count);
      const unnamed = lines.map((line: Json) => without(line, "product_name"));
      expect({ ...reported, lines: unnamed }).toEqual(detail);
      const is_current = detail.accrual_month === studio.month && detail.status === "draft";
      if (!is_current || detail.totals === null) continue;
      expect([data.contract_asset, data.contract_liability], `positions of ${id}`).toEqual([
        detail.totals.contract_asset_closing,
        detail.totals.contract_liability_closing,
      ]);
    }
  }
}

/** What a customer owes, what of it is late, and the credit; null in an account without issued documents, where nothing has begun. */
async function owedBy(studio: Studio, id: string): Promise<(number | null)[]> {
  const path = `/receivables?customer=${id}`;
  const { status, body } = await studio.ask(`GET ${path}`);
  if (status === 409) {
    expect(body.error.code).toBe("RECEIVABLES_NOT_BEGUN");
    expect(await studio.all("/invoices?status=issued")).toEqual([]);
    return [null, null, null];
  }
  const owed = (await studio.all(path)).map((row) => row.functional);
  const sum = (amountOf: (row: Json) => number) =>
    owed.reduce((total, row) => total + Math.round(amountOf(row) * 100), 0) / 100;
  return [
    sum(({ total }) => total),
    sum(({ total, not_due }) => total - not_due),
    sum(({ credit_notes, customer_credit }) => credit_notes + customer_credit),
  ];
}

/** The fields that tools add to the rows of revenue. */
const ADDED = ["customer_name", "user_name", "line_name", "product_name", "scheduled"];

/** The rows of the tool as REST has them: without those of what is scheduled alone, which only the tool has. */
const withRevenue = (rows: readonly Json[], current: string, of_rest: readonly Json[]): Json[] => {
  const known = new Set(of_rest.map(nameOfRow));
  return rows
    .filter(
      (row) =>
        row.month < current ||
        row.scheduled === 0 ||
        FIGURES.some((field) => row[field] !== 0) ||
        known.has(nameOfRow(row)),
    )
    .map((row) => without(row, ...ADDED));
};

const FIGURES = ["earned", "invoiced", "contract_asset", "contract_liability", "hours"];
const NAMES = [
  "customer_id",
  "series_id",
  "period",
  "invoice_id",
  "line_id",
  "product_id",
  "user_id",
];

/** What a row is of; REST may have one whose figures are all 0. */
function nameOfRow(row: Json): string {
  return JSON.stringify(["month", "currency", ...NAMES].map((field) => row[field]));
}

const GROUPS = ["line", "customer", "user", "product", "month"];

async function compareRevenue(studio: Studio, admin: CheckedAgent): Promise<void> {
  const [from, to] = [addMonths(studio.month, -4), addMonths(studio.month, 2)];
  for (const group_by of GROUPS) {
    for (const basis of ["work_month", "booking_month"]) {
      const path = `/recognition?from=${from}&to=${to}&group_by=${group_by}&basis=${basis}`;
      const args = { from, to, group_by, basis, limit: 100 };
      const { data, next_cursor } = await admin.dataOf("get_revenue", args);
      const page = await studio.done(`GET ${path}&limit=100`);
      const rows = withRevenue(data, studio.month, page.data);
      const alone = data.length - rows.length;
      // Rows of what is scheduled alone take the place of others, which are on the next page.
      const end = data.length < 100 ? page.data.length : 100 - alone;
      expect(rows).toEqual(page.data.slice(0, end));
      if (alone === 0) expect(next_cursor).toEqual(page.next_cursor);
      for (const { month, scheduled } of data) {
        // In the currency of the books it is also unknown while a rate is missing.
        const is_known = month >= studio.month && (group_by === "line" || scheduled !== null);
        expect(scheduled === null, `${month} ${scheduled}`).toBe(!is_known);
      }
    }
  }
}

/** A standard user's assistant reads what belongs to them: their view, their hours, their revenue. */
export async function compareOwn(studio: Studio, own: CheckedAgent): Promise<void> {
  const me = own.user_id;
  const has = (one: Json): boolean =>
    one.lines.some((line: Json) => line.assignees.some((who: Json) => who.user_id === me));
  const invoices = await studio.all("/invoices?origin=all");
  const mine = invoices.filter(has).map(({ id }) => id);
  const rows = await own.every("list_invoices");
  const is_issued = (one: Json): boolean => one.status === "issued";
  const known = inOrder("list_invoices", invoices.filter(has));
  expect(idsOf(rows.filter(is_issued))).toEqual(idsOf(known.filter(is_issued)));
  expect(new Set(idsOf(rows))).toEqual(new Set(mine));
  expect(rows.map(is_issued)).toEqual(known.map(is_issued));
  const { in_scope, beyond_scope } = await own.dataOf("list_invoices", { scope: "related" });
  expect([in_scope, beyond_scope]).toEqual([mine.length, invoices.length - mine.length]);
  for (const { id } of invoices) {
    const { is_error, data } = await own.callChecked("get_invoice", { invoice: id });
    expect(is_error ? data.code : "shown", id).toBe(mine.includes(id) ? "shown" : "OUT_OF_SCOPE");
    if (is_error) continue;
    for (const { hours_by_user } of data.data.lines) {
      expect(hours_by_user.filter(({ user_id }: Json) => user_id !== me)).toEqual([]);
    }
  }
  const credits = await studio.all("/credit-notes");
  const of_series = await studio.sql(
    `select distinct l.invoice_id as id from invoice_line_assignees a
     join invoice_lines l on l.account_id = a.account_id and l.id = a.line_id
     where a.account_id = $1 and a.user_id = $2`,
    [me],
  );
  const billed = new Set([...mine, ...of_series.map(({ id }) => id)]);
  const notes = credits.filter((note) => billed.has(note.invoice_id));
  expect(idsOf(await own.every("list_credit_notes"))).toEqual(
    idsOf(inOrder("list_credit_notes", notes)),
  );
  const months = { from: addMonths(studio.month, -4), to: addMonths(studio.month, 1) };
  const { data } = await own.dataOf("get_revenue", { ...months, limit: 100 });
  const path = `/recognition?from=${months.from}&to=${months.to}&user=${me}`;
  const of_rest = await studio.all(path);
  const revenue = withRevenue(data, studio.month, of_rest);
  expect(revenue).toEqual(of_rest.slice(0, revenue.length));
  await compareWork(studio, own);
  for (const { id } of await own.every("list_series"))
    await own.dataOf("get_series", { series: id });
  for (const { id } of await own.every("list_customers")) {
    const shown = await own.dataOf("get_customer", { customer: id });
    expect([shown.data.contract_asset, shown.data.contract_liability]).toEqual([null, null]);
    for (const draft of shown.data.open_drafts) expect(mine).toContain(draft.id);
  }
}

/** Computes from the API what waits for the user: lines of drafts, and of open periods that have begun. */
async function compareWork(studio: Studio, own: CheckedAgent): Promise<void> {
  const drafts = await studio.all("/invoices?status=draft");
  const waiting: { id: string; assignees: Json[]; amount: number; line_kind: string }[] = [];
  for (const { id, lines } of drafts) {
    const totals = await studio.done(`GET /invoices/${id}/totals`);
    const net = new Map<string, number>(totals.lines.map((one: Json) => [one.line_id, one.net]));
    for (const line of lines) {
      waiting.push({ ...line, amount: net.get(line.id), line_kind: "invoice" });
    }
  }
  for (const { id, status } of await studio.all("/recurring-series?status=active")) {
    if (status !== "active") continue;
    const path = `/recurring-series/${id}/occurrences`;
    const range = `from=2024-01-01&to=${studio.today}`;
    for (const { period, ...occurrence } of await studio.all(`${path}?${range}`)) {
      if (!["scheduled", "failed"].includes(occurrence.status)) continue;
      const { data } = await studio.done(`GET ${path}/${period}/lines`);
      waiting.push(...data.map((line: Json) => ({ ...line, line_kind: "occurrence" })));
    }
  }
  const mine = waiting.filter(({ assignees }) =>
    assignees.some(({ user_id }) => user_id === own.user_id),
  );
  const reported = await own.dataOf("get_my_work");
  const shown = reported.data.flatMap((group: Json) => group.lines);
  const row = (line_id: string, kind: string, amount: number) => `${line_id} ${kind} ${amount}`;
  expect(
    shown.map((one: Json) => row(one.line_id, one.line_kind, one.unbilled)).sort(),
    "get_my_work",
  ).toEqual(mine.map((one) => row(one.id, one.line_kind, one.amount)).sort());
  expect([reported.in_scope, reported.beyond_scope]).toEqual([
    mine.length,
    waiting.length - mine.length,
  ]);
}
