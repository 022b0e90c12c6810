/**
 * Shows revenue by month or summed over months, with its total, contract positions and computation, and what series
 * will invoice in the current month and later. A standard user sees only their own.
 */
import * as z from "zod";
import { addToMonth, type Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber, sumOfNumbers } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import { requireAdmin, seesAccount } from "../../domain/base/visibility.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { productNames } from "../../features/catalogue/products/queries.ts";
import { requireOwn } from "../../features/overview/views/require-own.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { MonthText } from "../../features/revenue/accruals/schemas.ts";
import { comparisons } from "../../features/revenue/outlook/explain-difference.ts";
import { scheduledEntries } from "../../features/revenue/outlook/list-scheduled.ts";
import { pageOfSums } from "../../features/revenue/outlook/report-sums.ts";
import { readExplanation } from "../../features/revenue/reports/explain.ts";
import type { Explanation } from "../../features/revenue/reports/explain-schemas.ts";
import {
  pageOfRecognition,
  type ReportEntry,
  shownEntry,
} from "../../features/revenue/reports/report.ts";
import {
  bases,
  groupings,
  RecognitionEntry,
  requireRange,
} from "../../features/revenue/reports/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { countRows } from "../../platform/database/page.ts";
import { getStored } from "../../platform/database/resources.ts";
import { pageArguments, pageOutput, reading, reference, refOfUser } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, hoursText, moreText, paragraphs, quoted, tableOf } from "../protocol/words.ts";
import { Difference, differenceText } from "../text/difference.ts";

const MonthArgument = MonthText.describe("A month, YYYY-MM.");

const arguments_of_all = {
  from: MonthArgument,
  to: MonthArgument.describe("The last month, at most 36 after the first."),
  customer: reference("customer").optional(),
  user: reference(
    "user",
    "Without it an admin sees the revenue of all users, a standard user their own.",
  ).optional(),
  group_by: z
    .enum(groupings)
    .default("line")
    .describe("One row for each month and group; line gives one for each line and user."),
  months: z
    .enum(["each", "sum"])
    .default("each")
    .describe("sum: one row for each group over all months, the highest earnings first."),
  basis: z
    .enum(bases)
    .default("work_month")
    .describe("The month of the work, or that of the accrual in which it is booked."),
};

/** The maximum number of explained rows: explaining one row reads as much as a whole page without explanations. */
const MOST_EXPLAINED = 10;

const Input = z.object({ ...arguments_of_all, ...pageArguments }).superRefine(requireRange);

const AdminInput = z
  .object({
    ...arguments_of_all,
    explain: z
      .boolean()
      .default(false)
      .describe(
        `An explanation of each row as a sentence; by line and work_month, at most ${MOST_EXPLAINED} rows a page.`,
      ),
    compared_to: z
      .enum(comparisons)
      .optional()
      .describe(
        "Why one month differs, by cause: from what its vouchers have booked, or what its close would book now (preview).",
      ),
    ...pageArguments,
  })
  .superRefine(requireRange);

const Row = RecognitionEntry.extend({
  customer_name: z.string().nullable(),
  user_name: z.string().nullable(),
  product_name: z.string().nullable(),
  scheduled: z
    .number()
    .nullable()
    .describe("What series will invoice in the month beyond `invoiced`; null for past months."),
  explanation: z.string().optional().describe("Only with explain: true."),
});
type Row = z.output<typeof Row>;

const Sum = z.object({
  currency: z.string(),
  earned: z.number(),
  invoiced: z.number(),
  scheduled: z.number().nullable(),
  hours: z.number(),
  contract_asset: z.number(),
  contract_liability: z.number(),
});
type Sum = z.output<typeof Sum>;

const Output = pageOutput(Row).extend({
  sum: Sum.nullable().describe(
    "Of all pages, in the currency of the books; contracts at the end of `to`. Null while a rate is missing, or if there are too many customers.",
  ),
  difference: briefly(Difference)
    .nullable()
    .optional()
    .describe("With compared_to: now, than, difference, and causes that add up to it."),
});

type Sent = z.output<typeof AdminInput>;

/** The filters of a call, with the id of the user whose revenue is shown. */
type Filters = Omit<Sent, "explain" | "user" | "compared_to"> & {
  readonly user: string | undefined;
};

export const getRevenueTool = defineTool<Omit<Sent, "explain"> & Partial<Pick<Sent, "explain">>>({
  ...reading,
  heavy: { field: "from", narrow: "Request fewer months at a time, or one customer." },
  name: "get_revenue",
  title: "Show revenue",
  description:
    "Use it for earned and invoiced revenue by month with totals, contract assets and liabilities, what will be invoiced in a month (invoiced + scheduled), and the forecast: by line, customer, user, product or month, in all or of one customer or user; for admins also why, and why a month changed (compared_to). Standard users see their own revenue only.",
  input: (role: Role) => (seesAccount(role) ? AdminInput : Input),
  output: Output,

  async call(cx, { user, explain = false, compared_to, ...named }) {
    if (explain) requireExplainable(cx, named);
    if (compared_to !== undefined) requireComparable(cx, { user, ...named });
    const whose = await userOf(cx, user);
    const filters: Filters = { ...named, user: whose };
    const limit = explain ? Math.min(named.limit, MOST_EXPLAINED) : named.limit;
    const current = currentMonth(cx, await getConfiguration(cx));
    const { rows: entries, next_cursor } = await pageOf(cx, { ...filters, limit });
    const rows = await withNames(cx, entries, current);
    const data = explain ? await withExplanations(cx, rows) : rows;
    const sum = await sumOf(cx, filters, current);
    const compared =
      compared_to && (await differenceText(cx, named.from, compared_to, await idOf(cx, named)));
    const text = paragraphs(
      compared?.text ?? null,
      headingOf(filters, current),
      revenueTable(data, named.months, current),
      sumText(sum),
      aheadText(entries, named, current),
      ...data.flatMap((row) => (row.explanation === undefined ? [] : [row.explanation])),
      moreText(next_cursor),
    );
    const list = { data, has_more: next_cursor !== null, next_cursor, sum };
    return {
      text,
      structured: compared === undefined ? list : { ...list, difference: compared.difference },
    };
  },
});

function pageOf(cx: PersonReader, { months, ...page }: Filters) {
  return months === "sum" ? pageOfSums(cx, page) : pageOfRecognition(cx, page, scheduledEntries);
}

function requireExplainable(
  cx: PersonReader,
  { group_by, basis, months }: Pick<Sent, "group_by" | "basis" | "months">,
): void {
  requireAdmin(
    cx.caller.person.role,
    "the explanation of revenue, which includes that of all users",
  );
  if (group_by === "line" && basis === "work_month" && months === "each") return;
  const message = "Rows are explained by line and work_month: omit group_by, basis and months.";
  throw new Problem("VALIDATION_FAILED", {
    message,
    field_errors: [{ field: "explain", code: "not_allowed", message }],
  });
}

function requireComparable(
  cx: PersonReader,
  { from, to, user }: Pick<Sent, "from" | "to" | "user">,
): void {
  requireAdmin(cx.caller.person.role, "the comparison with what is booked");
  const message =
    from !== to
      ? "One month is compared: from and to must be the same."
      : "The revenue of one user is not compared: omit user.";
  if (from === to && user === undefined) return;
  throw new Problem("VALIDATION_FAILED", {
    message,
    field_errors: [{ field: "compared_to", code: "not_allowed", message }],
  });
}

async function idOf(cx: PersonReader, { customer }: Pick<Sent, "customer">) {
  return customer === undefined ? null : (await getStored(cx, "customers", customer)).id;
}

async function withNames(
  cx: PersonReader,
  found: readonly ReportEntry[],
  current: Month,
): Promise<Row[]> {
  const entries = found.map((entry) => ({
    ...shownEntry(entry, entry.forecast),
    scheduled: scheduledOf(entry, current),
  }));
  const idsOf = (field: "customer_id" | "user_id" | "product_id") =>
    entries.flatMap((entry) => entry[field] ?? []);
  const [customers, users, products] = await Promise.all([
    customerNames(cx, idsOf("customer_id")),
    userNames(cx, idsOf("user_id")),
    productNames(cx, idsOf("product_id")),
  ]);
  return entries.map((entry) => ({
    ...entry,
    customer_name: entry.customer_id && (customers.get(entry.customer_id) ?? null),
    user_name: entry.user_id && (users.get(entry.user_id) ?? null),
    product_name: entry.product_id && (products.get(entry.product_id) ?? null),
  }));
}

/** Returns what is scheduled in a row of the current month or later; null in others, and while a rate is missing. */
function scheduledOf(
  { month, scheduled = 0n, currency }: Pick<ReportEntry, "month" | "scheduled" | "currency">,
  current: Month,
): number | null {
  if (month < current || scheduled === null) return null;
  return scaledToNumber(scheduled, currencyDigits(currency));
}

/** Adds explanations to rows. A line has one row for each user, and one explanation for each month. */
async function withExplanations(cx: PersonReader, rows: readonly Row[]): Promise<Row[]> {
  const listed = new Map<string, string>();
  const explained: Row[] = [];
  for (const row of rows) {
    const key = `${row.line_id} ${row.month}`;
    // What is scheduled alone has no revenue that a sentence could explain.
    if (row.line_id !== null && hasRevenue(row) && !listed.has(key)) {
      const query = { line_id: row.line_id, month: row.month as Month };
      const explanation = JSON.parse(await readExplanation(cx, query));
      listed.set(key, (explanation as z.output<typeof Explanation>).sentence);
    }
    const explanation = listed.get(key);
    explained.push(explanation === undefined ? row : { ...row, explanation });
  }
  return explained;
}

/** Returns the first line of the answer; with the months summed it says which of them are not over. */
function headingOf({ from, to, user, months }: Filters, current: Month): string {
  const whose = user === undefined ? "" : ", of one user";
  if (months === "each") return `Revenue from ${from} to ${to}${whose}:`;
  const so_far = from <= current && current <= to ? ` (${current} so far)` : "";
  const ahead = to > current ? ", with the forecast of later months" : "";
  return `Revenue from ${from} to ${to}${so_far}, all months together${ahead}${whose}:`;
}

function hasRevenue({ earned, invoiced, contract_asset, contract_liability, hours }: Row): boolean {
  return [earned, invoiced, contract_asset, contract_liability, hours].some((one) => one !== 0);
}

function revenueTable(rows: readonly Row[], months: Sent["months"], current: Month): string {
  const has_scheduled = rows.some(
    ({ month, scheduled }) => scheduled !== null && (scheduled !== 0 || month === current),
  );
  return tableOf(rows, "No revenue.", {
    ...(months === "each" && { month: (row: Row) => monthText(row, current) }),
    ...namesOfRows(rows),
    earned: (row) => amountText(row.earned, row.currency),
    invoiced: (row) => amountText(row.invoiced, row.currency),
    ...(has_scheduled && { scheduled: (row: Row) => amountText(row.scheduled, row.currency) }),
    "contract asset": (row) => amountText(row.contract_asset, row.currency),
    "contract liability": (row) => amountText(row.contract_liability, row.currency),
    hours: (row) => hoursText(row.hours),
  });
}

/** Returns the columns that name the rows, without those that are empty in all of them. */
function namesOfRows(rows: readonly Row[]): Record<string, (row: Row) => string | null> {
  const has = (field: "customer_name" | "user_name" | "product_name" | "line_id"): boolean =>
    rows.some((row) => row[field] !== null);
  return {
    ...(has("customer_name") && { customer: (row: Row) => quoted(row.customer_name) }),
    ...(has("user_name") && {
      user: ({ user_name }: Row) => (user_name === null ? "not assigned" : quoted(user_name)),
    }),
    ...(has("product_name") && { product: (row: Row) => quoted(row.product_name) }),
    ...(has("line_id") && { line_id: (row: Row) => row.line_id }),
  };
}

function monthText({ month, forecast }: Row, current: Month): string {
  if (forecast) return `${month} (forecast)`;
  return month === current ? `${month} (so far)` : month;
}

/** The maximum number of customers for a total over the account, which reads every line of every customer. */
const MOST_CUSTOMERS = 2_000;

/** Returns the total of all pages; null where it is unknown, or too expensive to compute here. */
async function sumOf(cx: PersonReader, filters: Filters, current: Month): Promise<Sum | null> {
  if (filters.customer === undefined) {
    const customers = await countRows(cx, "customers", []);
    if (customers > MOST_CUSTOMERS) return null;
  }
  const { cursor: _, months: __, ...all } = filters;
  const page = { ...all, group_by: "month", limit: 100 } as const;
  const { rows } = await pageOfRecognition(cx, page, scheduledEntries);
  const { functional_currency: currency } = await getConfiguration(cx);
  const digits = currencyDigits(currency);
  const months = rows.map((row) => shownEntry(row, row.forecast));
  const last = months.find(({ month }) => month === filters.to);
  const { contract_asset = 0, contract_liability = 0 } = last ?? {};
  const earned = months.map((entry) => entry.earned);
  const invoiced = months.map((entry) => entry.invoiced);
  const known = [...earned, ...invoiced, contract_asset, contract_liability];
  if (!known.every((amount) => amount !== null)) return null;
  return {
    currency,
    earned: sumOfNumbers(earned as number[], digits),
    invoiced: sumOfNumbers(invoiced as number[], digits),
    scheduled: scheduledIn(rows, filters.to, current),
    hours: sumOfNumbers(
      months.map((entry) => entry.hours),
      HOURS_DECIMALS,
    ),
    contract_asset: contract_asset ?? 0,
    contract_liability: contract_liability ?? 0,
  };
}

function sumText(sum: Sum | null): string {
  if (sum === null)
    return "The total is not known: a rate is missing, or there are too many customers.";
  const money = (amount: number) => amountText(amount, sum.currency);
  const scheduled = sum.scheduled === null ? "" : `, scheduled ${money(sum.scheduled)}`;
  return `Total: earned ${money(sum.earned)}, invoiced ${money(sum.invoiced)}${scheduled}, ${hoursText(sum.hours)}. At the end: contract asset ${money(sum.contract_asset)}, contract liability ${money(sum.contract_liability)}.`;
}

/** Returns what series will invoice by the end of `to` beyond `invoiced`; null if the months are over or a rate is missing. */
function scheduledIn(months: readonly ReportEntry[], to: Month, current: Month): number | null {
  if (to < current) return null;
  let sum = 0n;
  for (const { month, scheduled = 0n, scheduled_ahead = 0n } of months) {
    if (scheduled === null) return null;
    // The forecast of the next month has it as invoiced.
    sum += scheduled - (month < to ? scheduled_ahead : 0n);
  }
  const [first] = months;
  return first === undefined ? 0 : scaledToNumber(sum, currencyDigits(first.currency));
}

/** Returns the sentence on invoices in advance, which are in two rows of months; null where none is. */
function aheadText(
  rows: readonly ReportEntry[],
  { to, months }: Pick<Sent, "to" | "months">,
  current: Month,
): string | null {
  const is_ahead = rows.some(
    ({ month, scheduled_ahead = 0n }) => month < to && scheduled_ahead > 0n,
  );
  if (months === "sum" || !is_ahead) return null;
  const next = addToMonth(current, 1);
  return `Some of what is scheduled in ${current} is for periods that begin later: the forecast of ${next} has it as invoiced too, the total only once.`;
}

/** Returns the user whose revenue is shown; undefined for the revenue of all users. Throws ROLE_FORBIDDEN. */
async function userOf(cx: PersonReader, user: string | undefined): Promise<string | undefined> {
  if (user !== undefined) return requireOwn(cx, refOfUser(cx, user), "revenue");
  return seesAccount(cx.caller.person.role) ? undefined : cx.caller.person.user_id;
}
