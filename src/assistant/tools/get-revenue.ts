/** Shows revenue by month with its total, contract positions and computation. A standard user sees only their own. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { sumOfNumbers } from "../../domain/base/money.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import { requireAdmin, seesAccount } from "../../domain/base/visibility.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { productNames } from "../../features/catalogue/products/queries.ts";
import { requireOwn } from "../../features/overview/views/require-own.ts";
import { MonthText } from "../../features/revenue/accruals/schemas.ts";
import { readExplanation } from "../../features/revenue/reports/explain.ts";
import type { Explanation } from "../../features/revenue/reports/explain-schemas.ts";
import { listRecognition } from "../../features/revenue/reports/report.ts";
import {
  bases,
  groupings,
  RecognitionEntry,
  requireRange,
} from "../../features/revenue/reports/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { countRows, pageFrom } from "../../platform/database/page.ts";
import { pageArguments, pageOutput, reading, reference, refOfUser } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, hoursText, moreText, paragraphs, quoted, tableOf } from "../protocol/words.ts";

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
    ...pageArguments,
  })
  .superRefine(requireRange);

const Row = RecognitionEntry.extend({
  customer_name: z.string().nullable(),
  user_name: z.string().nullable(),
  product_name: z.string().nullable(),
  explanation: z.string().optional().describe("Only with explain: true."),
});
type Row = z.output<typeof Row>;

const Sum = z.object({
  currency: z.string(),
  earned: z.number(),
  invoiced: z.number(),
  hours: z.number(),
  contract_asset: z.number(),
  contract_liability: z.number(),
});
type Sum = z.output<typeof Sum>;

const Output = pageOutput(Row).extend({
  sum: Sum.nullable().describe(
    "Of all pages, in the currency of the books; contracts at the end of `to`. Null while a rate is missing, or if there are too many customers.",
  ),
});

type Sent = z.output<typeof AdminInput>;

export const getRevenueTool = defineTool<Omit<Sent, "explain"> & Partial<Pick<Sent, "explain">>>({
  ...reading,
  heavy: { field: "from", narrow: "Request fewer months at a time, or one customer." },
  name: "get_revenue",
  title: "Show revenue",
  description:
    "Use it for earned revenue by month with totals, contract assets and liabilities, and the forecast: by line, customer, user, product or month, in all or of one customer or user; for admins also why. Standard users see their own revenue only.",
  input: (role: Role) => (seesAccount(role) ? AdminInput : Input),
  output: Output,

  async call(cx, { user, explain = false, ...named }) {
    if (explain) requireExplainable(cx, named);
    const whose = await userOf(cx, user);
    const filters = { ...named, user: whose };
    const limit = explain ? Math.min(named.limit, MOST_EXPLAINED) : named.limit;
    const list = pageFrom<z.output<typeof RecognitionEntry>>(
      await listRecognition(cx, { ...filters, limit }),
    );
    const rows = await withNames(cx, list.data);
    const data = explain ? await withExplanations(cx, rows) : rows;
    const sum = await sumOf(cx, filters);
    const text = paragraphs(
      `Revenue from ${named.from} to ${named.to}${whose === undefined ? "" : ", of one user"}:`,
      revenueTable(data),
      sumText(sum),
      ...data.flatMap((row) => (row.explanation === undefined ? [] : [row.explanation])),
      moreText(list.next_cursor),
    );
    return { text, structured: { ...list, data, sum } };
  },
});

function requireExplainable(
  cx: PersonReader,
  { group_by, basis }: Pick<Sent, "group_by" | "basis">,
): void {
  requireAdmin(
    cx.caller.person.role,
    "the explanation of revenue, which includes that of all users",
  );
  if (group_by === "line" && basis === "work_month") return;
  const message = "Rows are explained by line and work_month: omit group_by and basis.";
  throw new Problem("VALIDATION_FAILED", {
    message,
    field_errors: [{ field: "explain", code: "not_allowed", message }],
  });
}

async function withNames(
  cx: PersonReader,
  entries: readonly z.output<typeof RecognitionEntry>[],
): Promise<Row[]> {
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

/** Adds explanations to rows. A line has one row for each user, and one explanation for each month. */
async function withExplanations(cx: PersonReader, rows: readonly Row[]): Promise<Row[]> {
  const listed = new Map<string, string>();
  const explained: Row[] = [];
  for (const row of rows) {
    const key = `${row.line_id} ${row.month}`;
    if (row.line_id !== null && !listed.has(key)) {
      const query = { line_id: row.line_id, month: row.month as Month };
      const explanation = JSON.parse(await readExplanation(cx, query));
      listed.set(key, (explanation as z.output<typeof Explanation>).sentence);
    }
    explained.push({ ...row, explanation: listed.get(key) ?? "" });
  }
  return explained;
}

function revenueTable(rows: readonly Row[]): string {
  return tableOf(rows, "No revenue.", {
    month: (row) => (row.forecast ? `${row.month} (forecast)` : row.month),
    customer: (row) => quoted(row.customer_name),
    user: (row) => quoted(row.user_name),
    product: (row) => quoted(row.product_name),
    line_id: (row) => row.line_id,
    earned: (row) => amountText(row.earned, row.currency),
    invoiced: (row) => amountText(row.invoiced, row.currency),
    "contract asset": (row) => amountText(row.contract_asset, row.currency),
    "contract liability": (row) => amountText(row.contract_liability, row.currency),
    hours: (row) => hoursText(row.hours),
  });
}

/** The maximum number of customers for a total over the account, which reads every line of every customer. */
const MOST_CUSTOMERS = 2_000;

/** Returns the total of all pages; null where it is unknown, or too expensive to compute here. */
async function sumOf(
  cx: PersonReader,
  filters: Omit<Sent, "explain" | "user"> & { readonly user: string | undefined },
): Promise<Sum | null> {
  if (filters.customer === undefined) {
    const customers = await countRows(cx, "customers", []);
    if (customers > MOST_CUSTOMERS) return null;
  }
  const { cursor: _, ...all } = filters;
  const months = pageFrom<z.output<typeof RecognitionEntry>>(
    await listRecognition(cx, { ...all, group_by: "month", limit: 100 }),
  ).data;
  const { functional_currency: currency } = await getConfiguration(cx);
  const digits = currencyDigits(currency);
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
  return `Total: earned ${money(sum.earned)}, invoiced ${money(sum.invoiced)}, ${hoursText(sum.hours)}. At the end: contract asset ${money(sum.contract_asset)}, contract liability ${money(sum.contract_liability)}.`;
}

/** Returns the user whose revenue is shown; undefined for the revenue of all users. Throws ROLE_FORBIDDEN. */
async function userOf(cx: PersonReader, user: string | undefined): Promise<string | undefined> {
  if (user !== undefined) return requireOwn(cx, refOfUser(cx, user), "revenue");
  return seesAccount(cx.caller.person.role) ? undefined : cx.caller.person.user_id;
}
