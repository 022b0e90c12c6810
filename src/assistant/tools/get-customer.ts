/** The tool that shows one customer with open work: drafts, active series, contract asset and liability. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";
import { seesAccount } from "../../domain/base/visibility.ts";
import { balanceOf } from "../../domain/revenue/accrual.ts";
import { contractOf, positionOf, positionsOf } from "../../domain/revenue/contract.ts";
import { CustomerResource } from "../../features/catalogue/customers/schemas.ts";
import { customerBookings } from "../../features/ledger/booking/queries.ts";
import {
  requireInView,
  viewConditions,
  viewOfRole,
} from "../../features/overview/views/queries.ts";
import { findCustomerOwed } from "../../features/receivables/balances/find-customer-owed.ts";
import type { SeriesResource } from "../../features/recurring/series/schemas.ts";
import { currentMonth, positionThrough, todayOf } from "../../features/revenue/accruals/queries.ts";
import type { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonReader, Reader } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { getStored } from "../../platform/database/resources.ts";
import { readPage } from "../../platform/database/stored-read.ts";
import { fitting } from "../protocol/answer-size.ts";
import { reading, reference } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, paragraphs, quoted, table } from "../protocol/words.ts";
import { invoiceTable, ListedInvoice, withAmounts } from "../text/listed-invoices.ts";
import { ListedSeries, seriesTable, withNext } from "../text/listed-series.ts";

const MOST_SHOWN = 50;

const Input = z.object({ customer: reference("customer") });

const Detail = CustomerResource.extend({
  open_drafts: z
    .array(briefly(ListedInvoice))
    .describe("Drafts of one-time invoices in the person's view."),
  active_series: z
    .array(briefly(ListedSeries))
    .describe("Series in the person's view that have not ended."),
  /** The number of documents that the connected ledger is booking, by state, for admins; `in_doubt` waits for a person. */
  bookings: z.record(z.string(), z.number()).optional(),
  functional_currency: z.string(),
  contract_asset: z
    .number()
    .nullable()
    .describe(
      "Earned more than invoiced, in functional currency; null for standard users, and while an exchange rate is missing.",
    ),
  contract_liability: z
    .number()
    .nullable()
    .describe("Invoiced more than earned; null in the same cases."),
  owed: z
    .number()
    .nullable()
    .describe("Open invoices, with VAT, in functional currency; null where it is not known."),
  overdue: z.number().nullable().describe("Of it what is due."),
  credit: z.number().nullable().describe("Unused credit notes and payments."),
});
type Detail = z.output<typeof Detail>;

export const getCustomerTool = defineTool<z.output<typeof Input>>({
  ...reading,
  heavy: {
    field: "customer",
    narrow: "Use list_invoices and list_series for their invoices and series instead.",
  },
  name: "get_customer",
  title: "Show a customer",
  description:
    "Use it before you create something for a customer, or to see their current state: address and terms, open drafts, active series, and for admins what they owe, contract asset and liability as of now.",
  input: () => Input,
  output: z.object({ data: Detail }),

  async call(cx, { customer: ref }) {
    const { person } = cx.caller;
    const { id, document } = await getStored(cx, "customers", ref);
    await requireInView(cx, "customer", id);
    const configuration = await getConfiguration(cx);
    const sees_all = seesAccount(person.role);
    const today = todayOf(cx, configuration);
    const [open_drafts, active_series, position, bookings, owed] = await Promise.all([
      draftsOf(cx, id),
      seriesOf(cx, id, today),
      sees_all ? netPosition(cx, configuration, id) : Promise.resolve(null),
      sees_all ? customerBookings(cx, id) : Promise.resolve({ under_way: 0, in_doubt: 0 }),
      sees_all ? findCustomerOwed(cx, id, today) : Promise.resolve(null),
    ]);
    const { functional_currency } = configuration;
    const money = (amount: Money) => scaledToNumber(amount, currencyDigits(functional_currency));
    const data: Detail = {
      ...(JSON.parse(document) as CustomerResource),
      open_drafts,
      active_series,
      ...(bookings.under_way + bookings.in_doubt > 0 ? { bookings } : {}),
      functional_currency,
      contract_asset: position && money(position.asset),
      contract_liability: position && money(position.liability),
      owed: owed && money(owed.total),
      overdue: owed && money(owed.total - owed.not_due),
      credit: owed && money(owed.credit_notes + owed.customer_credit),
    };
    return fitting(MOST_SHOWN, (most) => {
      const shown = {
        ...data,
        open_drafts: open_drafts.slice(0, most),
        active_series: active_series.slice(0, most),
      };
      const text = textOf(cx, shown, currentMonth(cx, configuration));
      return { text, structured: { data: shown } };
    });
  },
});

/** Returns postal code and city, where known. */
function placeOf({ zip_code, city }: Detail): string {
  const known = [zip_code, city].filter((part) => part !== null);
  return known.length === 0 ? "-" : known.map((part) => quoted(part)).join(" ");
}

async function draftsOf(cx: PersonReader, customer_id: string): Promise<ListedInvoice[]> {
  const list = await readPage(
    "invoices",
    [
      ["series_id is null"],
      ["customer_id =", customer_id],
      ["status =", "draft"],
      ...viewConditions(cx, "invoice", viewOfRole(cx)),
    ],
    { limit: MOST_SHOWN },
  ).answer(cx);
  return withAmounts(cx, pageFrom<InvoiceResource>(list).data);
}

async function seriesOf(
  cx: PersonReader,
  customer_id: string,
  today: string,
): Promise<ListedSeries[]> {
  const list = await readPage(
    "recurring_series",
    [
      ["customer_id =", customer_id],
      ["status =", "active"],
      ["not is_discarded"],
      ["(end_date is null or end_date >= $value)", today],
      ...viewConditions(cx, "recurring_series", viewOfRole(cx)),
    ],
    { limit: MOST_SHOWN },
  ).answer(cx);
  return withNext(cx, pageFrom<SeriesResource>(list).data);
}

/** Returns the net position of the customer's contracts through this month; null while an exchange rate is missing. */
async function netPosition(
  cx: Reader,
  configuration: Configuration,
  customer_id: string,
): Promise<{ readonly asset: Money; readonly liability: Money } | null> {
  const current = currentMonth(cx, configuration);
  const { line_balances } = await positionThrough(cx, configuration, customer_id, current);
  const balances = line_balances.map(
    (line_balance) =>
      [
        contractOf(line_balance),
        balanceOf(line_balance.now.filter(({ month }) => month <= current)),
      ] as const,
  );
  const known = balances.flatMap(([contract, balance]) =>
    balance === null ? [] : [[contract, balance] as const],
  );
  if (known.length < balances.length) return null;
  let [asset, liability] = [0n, 0n];
  for (const { balance } of positionsOf(known).values()) {
    const one = positionOf(balance);
    asset += one.asset;
    liability += one.liability;
  }
  return { asset, liability };
}

function textOf(cx: PersonReader, data: Detail, month: Month): string {
  const rows = [
    ["name", quoted(data.name)],
    ["external id", quoted(data.external_id)],
    ["street", quoted(data.street)],
    ["city", placeOf(data)],
    ["country", data.country_key],
    ["VAT number", quoted(data.vat_number)],
    ["e-mail", quoted(data.email)],
    ["contact", quoted(data.att_person)],
    ["invoices by", data.send_method],
    ["currency", data.preferred_invoice_currency_key],
    ["payment terms", data.payment_condition_type],
    ["payment days", data.payment_condition_number_of_days],
  ];
  const money = (amount: number | null) => amountText(amount, data.functional_currency);
  const position = seesAccount(cx.caller.person.role)
    ? `Contract asset: ${money(data.contract_asset)}. Contract liability: ${money(data.contract_liability)}. Both at the end of ${month}, the current month.`
    : null;
  return paragraphs(
    `Customer ${data.id}:\n${table(["field", "value"], rows, "")}`,
    `Open drafts:\n${invoiceTable(data.open_drafts, "No open drafts.")}`,
    `Active series:\n${seriesTable(data.active_series, "No active series.")}`,
    data.bookings === undefined ? null : bookingsText(data.bookings),
    position,
    data.owed === null ? null : owedText(data, money),
  );
}

function owedText({ owed, overdue, credit }: Detail, money: (amount: number | null) => string) {
  return `Owed: ${money(owed)}, of it overdue ${money(overdue)}. Credit: ${money(credit)}. With VAT, today.`;
}

function bookingsText({ under_way = 0, in_doubt = 0 }: NonNullable<Detail["bookings"]>): string {
  const doubt =
    in_doubt === 0
      ? ""
      : ` Uncertain, so that an admin has to check the accounting system: ${in_doubt}.`;
  return `Being booked in the accounting system: ${under_way}.${doubt}`;
}
