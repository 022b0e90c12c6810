/** The SQL of invoices and their lines. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { notFound } from "../../domain/base/problem.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import type { Line } from "../../domain/sales/line.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { type Condition, CUSTOMER_HAS, has, SCANNED } from "../../platform/database/page.ts";
import { columnOfRef, findStored, stamped } from "../../platform/database/resources.ts";
import { insert, sql, update } from "../../platform/database/sql.ts";
import { together, withCommit } from "../../platform/database/transaction.ts";
import type { JsonText } from "../../platform/json.ts";
import { presentInvoice } from "./present.ts";
import type { InvoiceQuery, Origin } from "./schemas.ts";

const NOBODY = "00000000-0000-0000-0000-000000000000";

type InvoiceFilters = Partial<
  Omit<InvoiceQuery, "limit" | "cursor" | "updated_since" | "include">
> & {
  /** Of the issue date, also of a draft that has one. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
};

const OF_ORIGIN: Readonly<Record<Origin, readonly Condition[]>> = {
  one_time: [["series_id is null"]],
  series: [["series_id is not null"]],
  all: [],
};

/** Invoices that meet the filters, one-time ones unless they ask for others. */
export async function invoiceConditions(
  cx: Context,
  filters: InvoiceFilters,
): Promise<Condition[]> {
  const conditions: Condition[] = [...OF_ORIGIN[filters.origin ?? "one_time"]];
  if (filters.customer !== undefined) {
    const customer = await findStored(cx.db, "customers", cx.caller.account_id, filters.customer);
    conditions.push(["customer_id =", customer?.id ?? NOBODY]);
  }
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.status !== undefined) conditions.push(["status =", filters.status]);
  if (filters.number !== undefined) conditions.push(["ledger_invoice_number =", filters.number]);
  const dates: (readonly [string, CalendarDate | undefined])[] = [
    ["issue_date >=", filters.from],
    ["issue_date <=", filters.to],
    ["status = 'issued' and issue_date >=", filters.issued_from],
    ["status = 'issued' and issue_date <=", filters.issued_to],
  ];
  for (const [condition, day] of dates) {
    if (day !== undefined) conditions.push([`${SCANNED}${condition}`, day]);
  }
  if (filters.search !== undefined) conditions.push(has(filters.search, SEARCHED, CUSTOMER_HAS));
  return conditions;
}

const SEARCHED = ["ledger_invoice_number", "external_id", "title"];

/** An invoice with what its changes need to know. */
export interface LoadedInvoice {
  readonly invoice: Invoice;
  readonly document: JsonText;
  /** Whether a booking in an external ledger is under way. */
  readonly is_being_issued: boolean;
}

type LoadedRow = Omit<Invoice, "lines"> & {
  readonly document: JsonText;
  readonly is_being_issued: boolean;
  readonly lines: readonly LineJson[];
};

/** A line as PostgreSQL's JSON: amounts are text, because JSON numbers lose digits. */
type LineJson = Omit<
  Line,
  "agreed_value" | "hourly_rate" | "assignees" | "share" | "nominal_budget" | "price_from_product"
> & {
  readonly price_from_product: boolean;
  readonly share_days: number | null;
  readonly share_of: number | null;
  readonly nominal_budget: number | null;
  readonly domestic_account: number | null;
  readonly agreed_value: string | null;
  readonly hourly_rate: string | null;
  readonly assignees: readonly AssigneeJson[];
};

type AssigneeJson = Omit<Line["assignees"][number], "hourly_rate_override"> & {
  readonly hourly_rate_override: string | null;
};

const LINE_AS_JSON = `json_build_object('id', l.id, 'product_id', l.product_id,
  'recognition_method', l.recognition_method, 'agreed_value', l.agreed_value::text,
  'hourly_rate', l.hourly_rate::text, 'discount', l.discount,
  'description_override', l.description_override, 'position', l.position,
  'assignees', l.assignees, 'service_from', l.service_from, 'service_to', l.service_to,
  'budget_hours', l.budget_hours, 'product_name', l.product_name,
  'product_number', l.product_number, 'account_number', l.account_number,
  'domestic_account', l.domestic_account, 'unit', l.unit, 'share_days', l.share_days,
  'share_of', l.share_of, 'nominal_budget', l.nominal_budget,
  'price_from_product', l.price_from_product)`;

/** A line with what its document says of all of them. */
interface LineOfDocument {
  readonly line: Line;
  readonly customer_id: string;
  readonly currency: string;
}

/** Lines of invoices by their ids, with customer and currency. */
export async function findLines(
  cx: Context,
  line_ids: readonly string[],
): Promise<Map<string, LineOfDocument>> {
  if (line_ids.length === 0) return new Map();
  const rows = await query<Omit<LineOfDocument, "line"> & { readonly line: LineJson }>(
    cx.db,
    `select i.customer_id, i.currency, ${LINE_AS_JSON} as line from invoice_lines l
     join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where l.account_id = $1 and l.id = any($2)`,
    [cx.caller.account_id, line_ids],
  );
  return new Map(rows.map((row) => [row.line.id, { ...row, line: lineFromJson(row.line) }]));
}

/** A line with what it was booked with; null on a draft. */
export interface LineOfInvoice {
  readonly invoice_id: string;
  readonly currency: string;
  readonly booked: bigint | null;
  readonly line: Line;
}

/** The lines of invoices by the ids of these, in the order of their positions. */
export async function linesOfInvoices(
  cx: Context,
  invoice_ids: readonly string[],
): Promise<LineOfInvoice[]> {
  if (invoice_ids.length === 0) return [];
  const rows = await query<Omit<LineOfInvoice, "line"> & { readonly line: LineJson }>(
    cx.db,
    `select l.invoice_id, i.currency, l.amount as booked, ${LINE_AS_JSON} as line
     from invoice_lines l join invoices i on i.account_id = l.account_id and i.id = l.invoice_id
     where l.account_id = $1 and l.invoice_id = any($2) order by l.invoice_id, l.position`,
    [cx.caller.account_id, invoice_ids],
  );
  return rows.map((row) => ({ ...row, line: lineFromJson(row.line) }));
}

/**
 * The invoice with its lines, read in one statement. When the context locks, the row is locked first:
 * a statement that waits for a lock would read the lines as they were before it waited. Throws
 * NOT_FOUND.
 */
export async function getInvoice(cx: Context, ref: string): Promise<LoadedInvoice> {
  const [column, value] = columnOfRef(ref);
  const key = [cx.caller.account_id, value];
  const lock = `select id from invoices where account_id = $1 and ${column} = $2 for no key update`;
  const locked = cx.locks ? query(cx.db, lock, key) : undefined;
  const read = query<LoadedRow>(
    cx.db,
    `select i.id, i.external_id, i.customer_id, i.currency, i.issue_date, i.title, i.auto_send,
       i.status, i.ledger_invoice_guid, i.ledger_invoice_number, i.issued_at, i.document, i.printed,
       exists (select from intents t where t.account_id = $1 and t.id = i.id) as is_being_issued,
       (select coalesce(json_agg(${LINE_AS_JSON} order by l.position), '[]')
        from invoice_lines l where l.account_id = $1 and l.invoice_id = i.id) as lines
     from invoices i where i.account_id = $1 and i.${column} = $2`,
    key,
  );
  const [, rows] = await together([locked ?? Promise.resolve([]), read]);
  const row = rows[0];
  if (row === undefined) throw notFound("invoice", ref);
  const { document, is_being_issued, lines, ...header } = row;
  return { invoice: { ...header, lines: lines.map(lineFromJson) }, document, is_being_issued };
}

/** The period of a series that an invoice bills. */
interface BilledPeriod {
  readonly series_id: string;
  readonly index: number;
  readonly key: string;
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly is_final_partial: boolean;
}

/** Answers false when the external id is taken. The lines are inserted with the invoice. */
export async function insertInvoice(
  cx: Context,
  invoice: Invoice,
  request_hash: Buffer | null,
  billed: BilledPeriod | null = null,
): Promise<boolean> {
  const { account_id } = cx.caller;
  const row = {
    ...headerOf(invoice),
    account_id,
    id: invoice.id,
    external_id: invoice.external_id,
    status: "draft" as const,
    request_hash,
    series_id: billed?.series_id ?? null,
    period_index: billed?.index ?? null,
    period: billed?.key ?? null,
    period_from: billed?.from ?? null,
    period_to: billed?.to ?? null,
    is_final_partial: billed?.is_final_partial ?? null,
    updated_at: stamped(account_id),
  };
  const inserted = query(
    cx.db,
    sql`${insert("invoices", row)} on conflict (account_id, external_id) do nothing returning id`,
  );
  if (invoice.external_id !== null && (await inserted).length === 0) return false;
  const saved = together([inserted, saveLines(cx, invoice), saveAssignees(cx, invoice)]);
  await withCommit(cx.db, saved);
  return true;
}

/** Replaces the header and lines of a draft. Lines that keep their id stay the same rows. */
export async function replaceInvoice(cx: Context, invoice: Invoice): Promise<void> {
  const { account_id } = cx.caller;
  const kept = invoice.lines.map((line) => line.id);
  await together([
    query(
      cx.db,
      "delete from invoice_lines where account_id = $1 and invoice_id = $2 and not id = any($3)",
      [account_id, invoice.id, kept],
    ),
    query(cx.db, "delete from invoice_line_assignees where account_id = $1 and line_id = any($2)", [
      account_id,
      kept,
    ]),
    saveLines(cx, invoice),
    saveAssignees(cx, invoice),
    query(
      cx.db,
      sql`${update("invoices", { ...headerOf(invoice), updated_at: stamped(account_id) })}
        where account_id = ${account_id} and id = ${invoice.id}`,
    ),
  ]);
}

/** What a client sends of an invoice, as its row has it. */
function headerOf(invoice: Invoice) {
  return {
    customer_id: invoice.customer_id,
    currency: invoice.currency,
    issue_date: invoice.issue_date,
    title: invoice.title,
    auto_send: invoice.auto_send,
    document: presentInvoice(invoice),
    printed: JSON.stringify(invoice.printed),
  };
}

async function saveLines(cx: Context, invoice: Invoice): Promise<void> {
  if (invoice.lines.length === 0) return;
  const values = JSON.stringify(
    invoice.lines.map((line) => ({
      ...line,
      agreed_value: line.agreed_value?.toString() ?? null,
      hourly_rate: line.hourly_rate?.toString() ?? null,
      share_days: line.share?.days ?? null,
      share_of: line.share?.of ?? null,
      price_from_product: line.price_from_product ?? false,
      assignees: line.assignees.map((assignee) => ({
        ...assignee,
        hourly_rate_override: assignee.hourly_rate_override?.toString() ?? null,
      })),
    })),
  );
  await query(cx.db, SAVE_LINES, [cx.caller.account_id, invoice.id, values]);
}

const SAVE_LINES = `
  insert into invoice_lines (account_id, id, invoice_id, product_id, recognition_method, agreed_value,
    hourly_rate, discount, description_override, position, assignees, service_from, service_to,
    budget_hours, product_name, product_number, account_number, domestic_account, unit, share_days,
    share_of, nominal_budget, price_from_product)
  select $1, l.id, $2, l.product_id, l.recognition_method, l.agreed_value, l.hourly_rate, l.discount,
    l.description_override, l.position, l.assignees, l.service_from, l.service_to, l.budget_hours,
    l.product_name, l.product_number, l.account_number, l.domestic_account, l.unit, l.share_days,
    l.share_of, l.nominal_budget, l.price_from_product
  from json_to_recordset($3::json) as l (id uuid, product_id uuid, recognition_method text,
    agreed_value bigint, hourly_rate bigint, discount int, description_override text,
    position bigint, assignees json, service_from date, service_to date, budget_hours int,
    product_name text, product_number text, account_number int, domestic_account int, unit text,
    share_days int, share_of int, nominal_budget int, price_from_product boolean)
  on conflict (account_id, id) do update set product_id = excluded.product_id,
    recognition_method = excluded.recognition_method, agreed_value = excluded.agreed_value,
    hourly_rate = excluded.hourly_rate, discount = excluded.discount,
    description_override = excluded.description_override, position = excluded.position,
    assignees = excluded.assignees, service_from = excluded.service_from,
    service_to = excluded.service_to, budget_hours = excluded.budget_hours,
    product_name = excluded.product_name, product_number = excluded.product_number,
    account_number = excluded.account_number, domestic_account = excluded.domestic_account,
    unit = excluded.unit, price_from_product = excluded.price_from_product`;

async function saveAssignees(cx: Context, invoice: Invoice): Promise<void> {
  const assigned = invoice.lines.flatMap((line) =>
    line.assignees.map((assignee) => [line.id, assignee.user_id] as const),
  );
  if (assigned.length === 0) return;
  await query(
    cx.db,
    `insert into invoice_line_assignees (account_id, line_id, user_id)
     select $1, a.line_id, a.user_id from unnest($2::uuid[], $3::uuid[]) as a (line_id, user_id)`,
    [
      cx.caller.account_id,
      assigned.map(([line_id]) => line_id),
      assigned.map(([, user_id]) => user_id),
    ],
  );
}

function lineFromJson(json: LineJson): Line {
  const { share_days, share_of, nominal_budget, price_from_product, domestic_account, ...line } =
    json;
  return {
    ...line,
    ...(domestic_account === null ? {} : { domestic_account }),
    ...(price_from_product ? { price_from_product } : {}),
    ...(share_days === null || share_of === null
      ? {}
      : { share: { days: share_days, of: share_of } }),
    ...(nominal_budget === null ? {} : { nominal_budget }),
    agreed_value: line.agreed_value === null ? null : BigInt(line.agreed_value),
    hourly_rate: line.hourly_rate === null ? null : BigInt(line.hourly_rate),
    assignees: line.assignees.map((assignee) => ({
      ...assignee,
      hourly_rate_override:
        assignee.hourly_rate_override === null ? null : BigInt(assignee.hourly_rate_override),
    })),
  };
}
