/**
 * Lists revenue (spec 3.11): by line and user, or summed by customer, user, product or month. Lines are processed in the order
 * of their ids, as far as a page needs them; groups need all lines, one customer at a time.
 */
import type * as z from "zod";
import { addToMonth, type Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { positionOf } from "../../../domain/revenue/contract.ts";
import { HOURS_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import {
  cursorFrom,
  envelope,
  positionFrom,
  type RowsOfPage,
  strangeCursor,
} from "../../../platform/database/page.ts";
import { findStored, type Stored } from "../../../platform/database/resources.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth } from "../accruals/queries.ts";
import { isShown, type LineMonth } from "./line-months.ts";
import { candidateLines, customersInScope, type ReportScope } from "./report-candidates.ts";
import { type Entry, EVERYTHING, groupsOf, isInScope, withScheduled } from "./report-groups.ts";
import { lineMonthsOf } from "./report-rows.ts";
import { type Grouping, MOST_MONTHS, RecognitionEntry, type RecognitionQuery } from "./schemas.ts";

/** Returns a page of revenue as text. */
export async function listRecognition(cx: Reader, page: RecognitionQuery): Promise<JsonText> {
  const { rows, next_cursor } = await pageOfRecognition(cx, page);
  return envelope(
    rows.map((row) => presentEntry(row, row.forecast)),
    next_cursor,
  );
}

/** A row of the report; a forecast if its month is in the future. */
export type ReportEntry = Entry & { readonly forecast: boolean };

/** What a row is about: a group, or a line of one user in the currency of the line. */
export type RowKind = Grouping | "line_of_user";

/** The months of scheduled rows: from the current one on, or later. */
export interface MonthsAhead {
  readonly from: Month;
  readonly to: Month;
}

/** Returns rows with what series will invoice beyond `invoiced`, each with this amount alone. */
type FindScheduled = (
  cx: Reader,
  configuration: Configuration,
  scope: ReportScope,
  kind: RowKind,
  months: MonthsAhead,
) => Promise<Entry[]>;

/**
 * Returns a page of revenue. A filter with an unknown reference gives an empty list. With `findScheduled` the rows from the current
 * month on have what is scheduled, and there are rows for what is scheduled alone.
 */
export async function pageOfRecognition(
  cx: Reader,
  page: RecognitionQuery,
  findScheduled?: FindScheduled,
): Promise<RowsOfPage<ReportEntry>> {
  const scope = await scopeOf(cx, page);
  if (scope === undefined) return { rows: [], next_cursor: null };
  const configuration = await getConfiguration(cx);
  const after = afterFrom(page);
  const current = currentMonth(cx, configuration);
  const found =
    page.group_by === "line"
      ? await lineEntries(cx, configuration, page, scope, after, current)
      : await groupEntries(cx, configuration, page, scope, after);
  const kind = page.group_by === "line" ? "line_of_user" : page.group_by;
  const months = { from: page.from > current ? page.from : current, to: page.to };
  const entries =
    findScheduled && current <= page.to
      ? withScheduled(found, await findScheduled(cx, configuration, scope, kind, months))
      : found;
  const rest = entries.filter((entry) => isAfter(entry, after));
  const shown = rest.slice(0, page.limit);
  const last = rest.length > shown.length ? shown.at(-1) : undefined;
  return {
    rows: shown.map((entry) => ({ ...entry, forecast: entry.month > current })),
    next_cursor: last ? cursorFrom({ id: `${last.month} ${last.key}`, horizon: null }) : null,
  };
}

/** Yields all rows by line and user, by work month: for files, which have no pages. A customer has all months together. */
export async function* revenueOfMonths(
  cx: Reader,
  from: Month,
  to: Month,
): AsyncGenerator<readonly ReportEntry[]> {
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const range = { from, to, basis: "work_month" } as const;
  for await (const customers of customersInScope(cx, EVERYTHING)) {
    for await (const months of lineMonthsOf(cx, configuration, customers, range)) {
      const entries = months.flatMap((one) => userEntries(one, EVERYTHING));
      yield entries.map((entry) => ({ ...entry, forecast: entry.month > current }));
    }
  }
}

interface After {
  readonly month: Month;
  readonly key: string;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const MONTH = "(?:19|20|21)\\d\\d-(?:0[1-9]|1[0-2])";
/** A line has a row for each user, customer and account; a group has one. */
const LINE_POSITION = new RegExp(`^${MONTH} ${UUID} (?:${UUID}|-) ${UUID} \\d{1,9}$`);
const GROUP_POSITION = new RegExp(`^${MONTH} (?:${UUID}|-)$`);

function afterFrom(page: RecognitionQuery): After | null {
  if (page.cursor === undefined) return null;
  const form = page.group_by === "line" ? LINE_POSITION : GROUP_POSITION;
  const { id } = positionFrom(page.cursor, form);
  const month = id.slice(0, 7) as Month;
  if (month < page.from || month > page.to) throw strangeCursor();
  return { month, key: id.slice(8) };
}

function isAfter(entry: Entry, after: After | null): boolean {
  if (after === null || entry.month > after.month) return true;
  return entry.month === after.month && entry.key > after.key;
}

/** Resolves the references of the filters to ids; returns undefined when a reference is unknown. */
export async function scopeOf(
  cx: Reader,
  page: Pick<RecognitionQuery, "customer" | "series" | "invoice" | "user" | "product">,
): Promise<ReportScope | undefined> {
  const find = async (
    table: "customers" | "recurring_series" | "invoices" | "users" | "products",
    ref: string | undefined,
  ): Promise<Stored | null | undefined> => (ref === undefined ? null : findStored(cx, table, ref));
  const [customer, series, invoice, user, product] = [
    await find("customers", page.customer),
    await find("recurring_series", page.series),
    await find("invoices", page.invoice),
    await find("users", page.user),
    await find("products", page.product),
  ];
  for (const one of [customer, series, invoice, user, product]) {
    if (one === undefined) return undefined;
  }
  return {
    customer_id: customer?.id ?? null,
    series_id: series?.id ?? null,
    invoice_id: invoice?.id ?? null,
    user_id: user?.id ?? null,
    product_id: product?.id ?? null,
  };
}

const LINES_AT_A_TIME = 100;

/** Returns rows of lines in order: one more than a page holds, or all rows when there are fewer. */
async function lineEntries(
  cx: Reader,
  configuration: Configuration,
  page: RecognitionQuery,
  scope: ReportScope,
  after: After | null,
  current: Month,
): Promise<Entry[]> {
  const found: Entry[] = [];
  const candidatesOf = candidateLines(cx, configuration, scope, page.basis, current);
  for (let month = after?.month ?? page.from; month <= page.to; month = addToMonth(month, 1)) {
    const candidates = candidatesOf(month);
    let from = after?.month === month ? (after.key.split(" ")[0] ?? "") : "";
    for (;;) {
      const { lines, has_more } = await candidates.from(
        from,
        Math.max(LINES_AT_A_TIME, page.limit),
      );
      const wanted = new Set(lines.map((line) => line.line_id));
      const customers = [...new Set(lines.map((line) => line.customer_id))];
      const range = { from: month, to: month, basis: page.basis };
      const rows: Entry[] = [];
      for await (const months of lineMonthsOf(cx, configuration, customers, range, wanted)) {
        const own = months.filter((one) => isInScope(one, scope));
        rows.push(...own.flatMap((one) => userEntries(one, scope)));
      }
      found.push(...rows.sort((a, b) => (a.key < b.key ? -1 : 1)));
      const has_enough = found.filter((entry) => isAfter(entry, after)).length > page.limit;
      if (has_enough) return found;
      const last = lines.at(-1);
      if (last === undefined || !has_more) break;
      from = `${last.line_id}+`;
    }
  }
  return found;
}

/** Returns one row for each user of a line, in the line's currency. */
function userEntries(
  { customer_id, line_balance, month, users }: LineMonth,
  scope: ReportScope,
): Entry[] {
  return users()
    .filter((part) => isShown(part) && (scope.user_id === null || part.user_id === scope.user_id))
    .map((part) => {
      const { asset, liability } = positionOf(part.balance);
      const { invoice_id, series_id, opening_contract_id, period, line_id, product_id } =
        line_balance;
      return {
        month,
        key: `${line_id} ${part.user_id ?? "-"} ${customer_id} ${line_balance.account_number}`,
        ids: {
          customer_id,
          invoice_id,
          series_id,
          opening_contract_id,
          period,
          line_id,
          product_id,
          user_id: part.user_id,
        },
        account_number: line_balance.account_number,
        currency: line_balance.currency,
        earned: part.earned,
        invoiced: part.invoiced,
        asset,
        liability,
        hours: part.hours,
      };
    });
}

/** Returns rows of a grouping in functional currency, month by month, until a page is full. */
async function groupEntries(
  cx: Reader,
  configuration: Configuration,
  page: RecognitionQuery,
  scope: ReportScope,
  after: After | null,
): Promise<Entry[]> {
  const found: Entry[] = [];
  // For one customer all months are read together; for many customers each month is read only when needed.
  const step = scope.customer_id === null ? 1 : MOST_MONTHS + 1;
  for (let from = after?.month ?? page.from; from <= page.to; from = addToMonth(from, step)) {
    const last = addToMonth(from, step - 1);
    const to = last < page.to ? last : page.to;
    found.push(...(await groupsOf(cx, configuration, page, scope, from, to)));
    if (found.filter((entry) => isAfter(entry, after)).length > page.limit) break;
  }
  return found;
}

function presentEntry(entry: Entry, forecast: boolean): JsonText {
  return jsonText(shownEntry(entry, forecast));
}

/** Returns a row as the API shows it, without what is scheduled. */
export function shownEntry(entry: Entry, forecast: boolean): z.output<typeof RecognitionEntry> {
  const digits = currencyDigits(entry.currency);
  const money = (amount: Money | null): number | null =>
    amount === null ? null : scaledToNumber(amount, digits);
  return RecognitionEntry.parse({
    object: "recognition_entry",
    month: entry.month,
    customer_id: null,
    invoice_id: null,
    series_id: null,
    opening_contract_id: null,
    period: null,
    line_id: null,
    product_id: null,
    user_id: null,
    ...entry.ids,
    currency: entry.currency,
    earned: money(entry.earned),
    invoiced: money(entry.invoiced),
    contract_asset: money(entry.asset),
    contract_liability: money(entry.liability),
    hours: scaledToNumber(entry.hours, HOURS_DECIMALS),
    forecast,
  });
}
