/** The tool that shows an accrual: the revenue accruals of a customer at the end of a month, as booked or as they will be. */
import * as z from "zod";
import type { Month as MonthOfYear } from "../../domain/base/calendar.ts";
import { requireAdmin } from "../../domain/base/visibility.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { productNames } from "../../features/catalogue/products/queries.ts";
import { explainAccrual } from "../../features/revenue/accruals/queries.ts";
import { AccrualDetail, MonthText } from "../../features/revenue/accruals/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { getStored } from "../../platform/database/resources.ts";
import { fitting, MOST_LINES } from "../protocol/answer-size.ts";
import { reading, reference } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, paragraphs, quoted, table } from "../protocol/words.ts";
import {
  AccrualEvent,
  AccrualRow,
  AccrualSum,
  accrualsOfMonth,
  historyOfMonth,
} from "../text/accruals-of-month.ts";

const Month = MonthText.describe("A month, YYYY-MM.");

const AccrualInput = z.object({
  customer: reference("customer", "Default: one row for each customer.").optional(),
  month: Month,
  history: z.boolean().default(false).describe("Also its bookings and reopenings."),
});

const ShownAccrual = AccrualDetail.extend({
  customer_name: z.string(),
  line_count: z.int(),
  lines: z.array(AccrualDetail.shape.lines.element.extend({ product_name: z.string() })),
});
type ShownAccrual = z.output<typeof ShownAccrual>;

export const getAccrualTool = defineTool<z.output<typeof AccrualInput>>({
  ...reading,
  heavy: { field: "month", narrow: "Request an earlier month." },
  name: "get_accrual",
  title: "Show an accrual",
  description:
    "Use it to show the accrual of one customer at the end of a month, booked or to be booked: earned against invoiced, contract asset and liability, lines and voucher entries; without a customer what each of them earns and invoices, with the sum. For a closed month that was never booked it shows the open accrual that carries its changes. Admins only.",
  input: () => AccrualInput,
  output: z.object({
    data: ShownAccrual.optional(),
    accruals: z.array(AccrualRow).optional().describe("Without a customer."),
    sum: AccrualSum.optional(),
    history: z.array(briefly(AccrualEvent)).optional(),
  }),

  async call(cx, { customer, month, history }) {
    requireAdmin(cx.caller.person.role, "accruals");
    const id = customer === undefined ? null : (await getStored(cx, "customers", customer)).id;
    const [accrual, past] = await Promise.all([
      id === null ? shownOfMonth(cx, month) : shownOfCustomer(cx, id, month),
      history ? historyOfMonth(cx, month, id) : null,
    ]);
    return fitting(MOST_LINES, (most) => {
      const { text, structured } = accrual(most);
      const events = past?.(most);
      if (events === undefined) return { text, structured };
      return {
        text: paragraphs(text, events.text),
        structured: { ...structured, history: events.history },
      };
    });
  },
});

interface ShownAccruals {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

async function shownOfMonth(
  cx: PersonReader,
  month: MonthOfYear,
): Promise<(most: number) => ShownAccruals> {
  const accrualsWith = await accrualsOfMonth(cx, month);
  return (most) => {
    const { text, ...structured } = accrualsWith(most);
    return { text, structured };
  };
}

async function shownOfCustomer(
  cx: PersonReader,
  customer: string,
  month: MonthOfYear,
): Promise<(most: number) => ShownAccruals> {
  const accrual: z.output<typeof AccrualDetail> = JSON.parse(
    await explainAccrual(cx, customer, month),
  );
  const product_ids = accrual.lines.map((line) => line.product_id);
  const [customers, products] = await Promise.all([
    customerNames(cx, [accrual.customer_id]),
    productNames(cx, product_ids),
  ]);
  return (most) => {
    const data: ShownAccrual = {
      ...accrual,
      customer_name: customers.get(accrual.customer_id) ?? "",
      contracts: accrual.contracts?.slice(0, most) ?? null,
      line_count: accrual.lines.length,
      lines: accrual.lines.slice(0, most).map((line) => ({
        ...line,
        product_name: products.get(line.product_id) ?? "",
      })),
    };
    return { text: accrualText(data), structured: { data } };
  };
}

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
    lines.length === data.line_count
      ? null
      : `The first ${lines.length} of ${data.line_count} lines and as many contracts; GET /accruals/${data.id} of the API has all.`,
    `Entries:\n${table(["role", "account", "debit", "credit"], entries, "No entries.")}`,
  );
}
