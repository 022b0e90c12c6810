/** `/work-registrations.csv`: one row for each registration, with the names of user, customer and line. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText } from "../../../domain/base/money.ts";
import { HOURS_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  type CsvColumn,
  defineCsvFile,
  flag,
  number,
  portionsOf,
  priceText,
  text,
} from "../../../platform/http/csv-file.ts";
import { userNames } from "../../access/people/queries.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { type PricedWork, pricedWork } from "./present.ts";
import { pageOfWork } from "./queries.ts";
import { WorkQuery } from "./schemas.ts";

interface Row extends PricedWork {
  readonly user_name: string | undefined;
  readonly customer_name: string | undefined;
  readonly invoice_number: bigint | null | undefined;
  readonly series_external_id: string | null | undefined;
}

const columns: readonly CsvColumn<Row>[] = [
  text("id", "The registration's id.", ({ row }) => row.id),
  text("external_id", "The id that the caller gave.", ({ row }) => row.external_id),
  text("date", "", ({ row }) => row.date),
  text("user_id", "Who worked.", ({ row }) => row.user_id),
  text("user_name", "As it is now.", ({ user_name }) => user_name),
  text("customer_id", "", ({ customer_id }) => customer_id),
  text("customer_name", "As it is now.", ({ customer_name }) => customer_name),
  text("invoice_id", "The invoice or draft to which it belongs.", ({ row }) => row.invoice_id),
  number("invoice_number", "Empty for a draft.", ({ invoice_number }) => invoice_number),
  text("series_id", "", ({ row }) => row.series_id),
  text("series_external_id", "The id that the caller gave.", (row) => row.series_external_id),
  text("period", "The key of the series' period.", ({ row }) => row.period),
  text("line_id", "", ({ row }) => row.line_id),
  text(
    "line",
    "The name of the line.",
    ({ line }) => line?.description_override ?? line?.product_name,
  ),
  number("hours", "", ({ row }) => decimalText(BigInt(row.hours), HOURS_DECIMALS)),
  flag("billable", "", ({ row }) => row.billable),
  text("status", "`open` until it is invoiced or dropped.", ({ row }) => row.status),
  text("currency", "Of rate and amount.", ({ currency }) => currency),
  number(
    "hourly_rate",
    "Of the user on the line; empty unless the line is by hours.",
    ({ rate, currency }) =>
      rate === null ? null : priceText(rate, RATE_DECIMALS, currencyDigits(currency)),
  ),
  number(
    "amount",
    "Net of VAT, rounded separately: an invoice bills all hours of a rate together, so totals may differ from its lines by rounding. 0 if not billable.",
    ({ amount, currency }) =>
      amount === null ? null : decimalText(amount, currencyDigits(currency)),
  ),
  text("note", "", ({ row }) => row.note),
  text("created_at", "", ({ row }) => row.created_at),
  text("updated_at", "", ({ row }) => row.updated_at),
];

export const workCsv = defineCsvFile({
  path: "/work-registrations.csv",
  operation: "work_registrations.export",
  summary: "Work registrations as a file",
  description:
    "One registration in a row, the newest first, with the filters of `GET /work-registrations`. `hours` adds up to the hours worked.",
  query: WorkQuery.omit({ limit: true, cursor: true, include: true }),
  columns,
  example: {
    id: "019a5d2f-3d4e-7f50-8162-738495a6b7c8",
    date: "2026-03-12",
    user_name: "Bo Holm",
    customer_name: "Acme A/S",
    invoice_number: "1001",
    line: "Consulting",
    hours: "7.50",
    billable: "true",
    status: "invoiced",
    currency: "DKK",
    hourly_rate: "1200.00",
    amount: "9000.00",
    note: "Kick-off",
  },
  async *rows(cx, filters) {
    const portions = portionsOf((page) => pageOfWork(cx, { ...filters, ...page }, pricedWork));
    for await (const rows of portions) yield await named(cx, rows);
  },
});

async function named(cx: Reader, rows: readonly PricedWork[]): Promise<Row[]> {
  const of = (idOf: (one: PricedWork) => string | null): string[] =>
    [...new Set(rows.map(idOf))].filter((id) => id !== null);
  const { account_id } = cx.caller;
  const users = await userNames(
    cx,
    of(({ row }) => row.user_id),
  );
  const customers = await customerNames(
    cx,
    of(({ customer_id }) => customer_id),
  );
  const numbers = await cx.rows<{ id: string; number: bigint | null }>(
    sql`select id, ledger_invoice_number as number from invoices where account_id = ${account_id} and id = any(${of(({ row }) => row.invoice_id)})`,
  );
  const series = await cx.rows<{ id: string; external_id: string | null }>(
    sql`select id, external_id from recurring_series where account_id = ${account_id} and id = any(${of(({ row }) => row.series_id)})`,
  );
  const number_of = new Map(numbers.map((one) => [one.id, one.number]));
  const external_id_of = new Map(series.map((one) => [one.id, one.external_id]));
  return rows.map((one) => ({
    ...one,
    user_name: users.get(one.row.user_id),
    customer_name: customers.get(one.customer_id),
    invoice_number: number_of.get(one.row.invoice_id ?? ""),
    series_external_id: external_id_of.get(one.row.series_id ?? ""),
  }));
}
