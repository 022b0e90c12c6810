/** `/recognition.csv`: earned revenue by month, with the names of customers, users and products. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText, type Money } from "../../../domain/base/money.ts";
import { HOURS_DECIMALS } from "../../../domain/sales/line.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  type CsvColumn,
  defineCsvFile,
  flag,
  number,
  portionsOf,
  text,
} from "../../../platform/http/csv-file.ts";
import { userNames } from "../../access/people/queries.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { productNames } from "../../catalogue/products/queries.ts";
import { accountNames } from "../../settings/configuration/accounts.ts";
import { pageOfRecognition } from "./report.ts";
import type { Entry } from "./report-groups.ts";
import { RecognitionFileQuery } from "./schemas.ts";

interface Row extends Entry {
  readonly forecast: boolean;
  readonly customer_name: string | undefined;
  readonly invoice_number: bigint | null | undefined;
  readonly series_external_id: string | null | undefined;
  readonly product_name: string | undefined;
  readonly user_name: string | undefined;
  readonly account_name: string | undefined;
}

/** Larger than for other files, because each portion searches for its start again. */
const PORTION = 2_000;

const money = (row: Row, amount: Money | null): `${number}` | null =>
  amount === null ? null : decimalText(amount, currencyDigits(row.currency));

const columns: readonly CsvColumn<Row>[] = [
  text("month", "", (row) => row.month),
  text("customer_id", "", (row) => row.ids.customer_id),
  text("customer_name", "As it is now.", (row) => row.customer_name),
  text("invoice_id", "", (row) => row.ids.invoice_id),
  number("invoice_number", "Empty for a draft.", (row) => row.invoice_number),
  text("series_id", "", (row) => row.ids.series_id),
  text("series_external_id", "The id that the caller gave.", (row) => row.series_external_id),
  text("period", "The key of the series' period.", (row) => row.ids.period),
  text("line_id", "", (row) => row.ids.line_id),
  text("product_id", "", (row) => row.ids.product_id),
  text("product_name", "As it is now.", (row) => row.product_name),
  text("user_id", "Empty for unassigned revenue.", (row) => row.ids.user_id),
  text("user_name", "As it is now.", (row) => row.user_name),
  number("account_number", "The revenue account of the line.", (row) => row.account_number),
  text("account_name", "Its name in the built-in ledger.", (row) => row.account_name),
  text(
    "currency",
    "Of all amounts: the line's by line, that of the books otherwise.",
    (row) => row.currency,
  ),
  number("earned", "Empty while a closing rate is missing.", (row) => money(row, row.earned)),
  number("invoiced", "", (row) => money(row, row.invoiced)),
  number("contract_asset", "At the end of the month.", (row) => money(row, row.asset)),
  number("contract_liability", "At the end of the month.", (row) => money(row, row.liability)),
  number("hours", "Registered hours, billable or not.", (row) =>
    decimalText(row.hours, HOURS_DECIMALS),
  ),
  flag("forecast", "True if the month is in the future.", (row) => row.forecast),
  text(
    "opening_contract_id",
    "Of what was invoiced elsewhere.",
    (row) => row.ids.opening_contract_id,
  ),
];

export const recognitionCsv = defineCsvFile({
  path: "/recognition.csv",
  operation: "recognition.export",
  summary: "Earned revenue by month, as a file",
  description:
    "The rows of `GET /recognition` with its filters and groupings, by month. By line, `earned` adds up within a currency; added up by customer, user, product or month it is in the currency of the books. Columns that a grouping adds up are empty.",
  query: RecognitionFileQuery,
  heavy: { field: "from", narrow: "Request fewer months at a time, or one customer." },
  columns,
  example: {
    month: "2026-03",
    customer_name: "Acme A/S",
    invoice_number: "1001",
    product_name: "Consulting",
    user_name: "Bo Holm",
    account_number: "1000",
    currency: "DKK",
    earned: "9000.00",
    invoiced: "9000.00",
    contract_asset: "0.00",
    contract_liability: "0.00",
    hours: "7.50",
    forecast: "false",
  },
  async *rows(cx, filters) {
    const portions = portionsOf(
      (page) =>
        reading(cx, async (inside) => {
          const { rows, next_cursor } = await pageOfRecognition(inside, { ...filters, ...page });
          return { rows: await named(inside, rows), next_cursor };
        }),
      PORTION,
    );
    yield* portions;
  },
});

type Shown = Entry & { readonly forecast: boolean };

async function named(cx: Reader, rows: readonly Shown[]): Promise<Row[]> {
  const of = (name: keyof Entry["ids"]): string[] =>
    [...new Set(rows.map(({ ids }) => ids[name] ?? null))].filter((id) => id !== null);
  const accounts = await accountNames(cx);
  const customers = await customerNames(cx, of("customer_id"));
  const products = await productNames(cx, of("product_id"));
  const users = await userNames(cx, of("user_id"));
  const { account_id } = cx.caller;
  const invoices = await cx.rows<{ id: string; number: bigint | null }>(
    sql`select id, ledger_invoice_number as number from invoices where account_id = ${account_id} and id = any(${of("invoice_id")})`,
  );
  const series = await cx.rows<{ id: string; external_id: string | null }>(
    sql`select id, external_id from recurring_series where account_id = ${account_id} and id = any(${of("series_id")})`,
  );
  const number_of = new Map(invoices.map((one) => [one.id, one.number]));
  const external_id_of = new Map(series.map((one) => [one.id, one.external_id]));
  return rows.map((row) => ({
    ...row,
    customer_name: customers.get(row.ids.customer_id ?? ""),
    invoice_number: number_of.get(row.ids.invoice_id ?? ""),
    series_external_id: external_id_of.get(row.ids.series_id ?? ""),
    product_name: products.get(row.ids.product_id ?? ""),
    user_name: users.get(row.ids.user_id ?? ""),
    account_name: row.account_number === null ? undefined : accounts.get(row.account_number),
  }));
}
