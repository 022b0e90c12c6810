/** The tools that show revenue: what was earned, for everybody their own, and the accruals of admins. */
import * as z from "zod";
import { requireAdmin, seesAccount } from "../../domain/visibility.ts";
import { together } from "../../platform/database/transaction.ts";
import {
  pageArguments,
  pageFrom,
  pageOutput,
  Reference,
  reading,
  UserReference,
} from "../../platform/mcp/arguments.ts";
import { defineTool, type PersonContext } from "../../platform/mcp/tool.ts";
import {
  amountText,
  hoursText,
  moreText,
  paragraphs,
  quoted,
  table,
} from "../../platform/mcp/words.ts";
import { customerNames } from "../customers/queries.ts";
import { requireOwn } from "../people/own.ts";
import { userNames } from "../people/queries.ts";
import { productNames } from "../products/queries.ts";
import { findAccrual, readAccrual } from "./accruals.ts";
import { listRecognition } from "./report.ts";
import { bases, groupings, RecognitionEntry, requireRange } from "./report-schemas.ts";
import { AccrualDetail, MonthText } from "./schemas.ts";

const Month = MonthText.describe("A month, YYYY-MM.");

const AccrualInput = z.object({ customer: Reference, month: Month });

const ShownAccrual = AccrualDetail.extend({
  customer_name: z.string(),
  lines: z.array(AccrualDetail.shape.lines.element.extend({ product_name: z.string() })),
});
type ShownAccrual = z.output<typeof ShownAccrual>;

export const getAccrualTool = defineTool<z.output<typeof AccrualInput>>({
  ...reading,
  name: "get_accrual",
  title: "Show an accrual",
  description:
    "Use it for what the books say, or will say, of one customer at the end of a month: earned against invoiced, contract asset and liability, lines and voucher entries. Of a closed month that was never booked it shows the open accrual that carries its changes. Admins only.",
  input: () => AccrualInput,
  output: z.object({ data: ShownAccrual }),

  async call(cx, { customer, month }) {
    requireAdmin(cx.caller.person.role, "accruals");
    const { id } = JSON.parse(await findAccrual(cx, customer, month)) as { id: string };
    const accrual: z.output<typeof AccrualDetail> = JSON.parse(await readAccrual(cx, id));
    const [customers, products] = await together([
      customerNames(cx, [accrual.customer_id]),
      productNames(
        cx,
        accrual.lines.map((line) => line.product_id),
      ),
    ]);
    const data: ShownAccrual = {
      ...accrual,
      customer_name: customers.get(accrual.customer_id) ?? "",
      lines: accrual.lines.map((line) => ({
        ...line,
        product_name: products.get(line.product_id) ?? "",
      })),
    };
    return { text: accrualText(data), structured: { data } };
  },
});

function accrualText(data: ShownAccrual): string {
  const money = (amount: number | null) => amountText(amount, data.functional_currency);
  const { totals } = data;
  const booked =
    data.status === "booked"
      ? `booked${data.ledger_voucher_number === null ? ", without a voucher" : ` as voucher ${data.ledger_voucher_number}`}`
      : "a draft";
  const carried =
    data.original_accrual_month === null
      ? ""
      : ` It carries changes of closed months from ${data.original_accrual_month} on.`;
  const sums = totals && [
    ["earned", money(totals.earned)],
    ["invoiced", money(totals.invoiced)],
    ["exchange difference", money(totals.exchange_difference)],
    ["contract asset before", money(totals.contract_asset_opening)],
    ["contract asset after", money(totals.contract_asset_closing)],
    ["contract liability before", money(totals.contract_liability_opening)],
    ["contract liability after", money(totals.contract_liability_closing)],
  ];
  const lines = data.lines.map((line) => [
    line.line_id,
    quoted(line.product_name),
    line.period ?? (line.invoice_id === null ? "-" : `invoice ${line.invoice_id}`),
    amountText(line.earned_to_date, line.currency),
    amountText(line.invoiced_to_date, line.currency),
    money(line.movement),
  ]);
  const entries = (data.entries ?? []).map((entry) => [
    entry.account_role,
    entry.account_number,
    money(entry.debit),
    money(entry.credit),
  ]);
  const columns = ["line_id", "product", "on", "earned to date", "invoiced to date", "movement"];
  return paragraphs(
    `Accrual of ${quoted(data.customer_name)} for ${data.accrual_month}: ${booked}, id ${data.id}.${carried}`,
    sums === null
      ? "Amounts are not known while an exchange rate is missing."
      : table(["sum", "amount"], sums, ""),
    table(columns, lines, "No lines."),
    `Entries:\n${table(["role", "account", "debit", "credit"], entries, "No entries.")}`,
  );
}

const RevenueInput = z
  .object({
    from: Month,
    to: Month.describe("The last month, at most 36 after the first."),
    customer: Reference.optional(),
    user: UserReference.optional().describe(
      "me, a user's id, or ext: and the external id; without it an admin sees everybody's, a standard user their own.",
    ),
    group_by: z
      .enum(groupings)
      .default("line")
      .describe("One row for each month and group; line gives one for each line and user."),
    basis: z
      .enum(bases)
      .default("work_month")
      .describe("The month of the work, or that of the accrual in which it is booked."),
    ...pageArguments,
  })
  .superRefine(requireRange);

const ListedRevenue = RecognitionEntry.extend({
  customer_name: z.string().nullable(),
  user_name: z.string().nullable(),
  product_name: z.string().nullable(),
});

export const getRevenueTool = defineTool<z.output<typeof RevenueInput>>({
  ...reading,
  name: "get_revenue",
  title: "Show revenue",
  description:
    "Use it for what was earned month by month, and what is forecast: by line, customer, user, product or month, in all or of one customer or user. Standard users see their own revenue only.",
  input: () => RevenueInput,
  output: pageOutput(ListedRevenue),

  async call(cx, { user, ...named }) {
    const whose = await userOf(cx, user);
    const list = pageFrom<z.output<typeof RecognitionEntry>>(
      await listRecognition(cx, { ...named, user: whose }),
    );
    const [customers, users, products] = await together([
      customerNames(
        cx,
        list.data.flatMap((entry) => entry.customer_id ?? []),
      ),
      userNames(
        cx,
        list.data.flatMap((entry) => entry.user_id ?? []),
      ),
      productNames(
        cx,
        list.data.flatMap((entry) => entry.product_id ?? []),
      ),
    ]);
    const data = list.data.map((entry) => ({
      ...entry,
      customer_name: entry.customer_id && (customers.get(entry.customer_id) ?? null),
      user_name: entry.user_id && (users.get(entry.user_id) ?? null),
      product_name: entry.product_id && (products.get(entry.product_id) ?? null),
    }));
    const rows = data.map((entry) => [
      entry.forecast ? `${entry.month} (forecast)` : entry.month,
      quoted(entry.customer_name),
      quoted(entry.user_name),
      quoted(entry.product_name),
      entry.line_id,
      amountText(entry.earned, entry.currency),
      amountText(entry.invoiced, entry.currency),
      hoursText(entry.hours),
    ]);
    const columns = [
      "month",
      "customer",
      "user",
      "product",
      "line_id",
      "earned",
      "invoiced",
      "hours",
    ];
    const text = paragraphs(
      `Revenue from ${named.from} to ${named.to}${whose === undefined ? "" : ", of one user"}:`,
      table(columns, rows, "No revenue."),
      moreText(list.next_cursor),
    );
    return { text, structured: { ...list, data } };
  },
});

/** Whose revenue is asked for; undefined for everybody's. Throws ROLE_FORBIDDEN. */
async function userOf(cx: PersonContext, user: string | undefined): Promise<string | undefined> {
  if (user !== undefined) return requireOwn(cx, user, "revenue");
  return seesAccount(cx.caller.person.role) ? undefined : cx.caller.person.user_id;
}
