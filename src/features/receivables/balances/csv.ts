/** `/receivables.csv`: one row for each customer and currency, with the filters of `GET /receivables`. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText } from "../../../domain/base/money.ts";
import { reading } from "../../../platform/commands/tx.ts";
import { type CsvColumn, defineCsvFile, number, text } from "../../../platform/http/csv-file.ts";
import { type CustomerLabel, customerLabels } from "../../catalogue/customers/queries.ts";
import type { Balance, OwedSums } from "./find-balances.ts";
import { readBalances } from "./report-balances.ts";
import { ReceivableQuery } from "./schemas.ts";

interface Row extends Balance {
  readonly books: string;
  readonly customer: CustomerLabel | undefined;
}

/** What each amount is. */
const AMOUNTS: Readonly<Record<keyof OwedSums, string>> = {
  not_due: "Owed and not due before the day.",
  days_1_30: "Owed and 1 to 30 days late.",
  days_31_60: "Owed and 31 to 60 days late.",
  days_61_90: "Owed and 61 to 90 days late.",
  over_90: "Owed and more than 90 days late.",
  total: "All that is owed.",
  credit_notes: "Credit notes and opening credits that are not applied.",
  customer_credit: "Payments that are not applied.",
  balance: "The total less both kinds of credit.",
};
const names = Object.keys(AMOUNTS) as (keyof OwedSums)[];

const columns: readonly CsvColumn<Row>[] = [
  text("customer_id", "", (row) => row.customer_id),
  text("customer_external_id", "The id that the caller gave.", (row) => row.customer?.external_id),
  text("customer_name", "As it is now.", (row) => row.customer?.name),
  text(
    "currency",
    "ISO 4217, of all amounts that are not called functional.",
    (row) => row.currency,
  ),
  ...names.map((name) =>
    number<Row>(name, AMOUNTS[name], (row) =>
      decimalText(row.sums[name], currencyDigits(row.currency)),
    ),
  ),
  text("oldest_due_date", "Of what is owed.", (row) => row.oldest_due_date),
  text("functional_currency", "Of the books.", (row) => row.books),
  ...names.map((name) =>
    number<Row>(`functional_${name}`, "The same in functional currency.", (row) =>
      decimalText(row.functional[name], currencyDigits(row.books)),
    ),
  ),
];

export const receivablesCsv = defineCsvFile({
  path: "/receivables.csv",
  operation: "receivables.export",
  summary: "What customers owe as a file",
  description:
    "One customer and currency in a row, with the filters of `GET /receivables`. `functional_total` less `functional_credit_notes` adds up to the account of receivables, `functional_customer_credit` to that of customer credit.",
  query: ReceivableQuery.omit({ limit: true, cursor: true }),
  columns,
  example: {
    customer_name: "Acme A/S",
    currency: "DKK",
    not_due: "11250.00",
    days_1_30: "4250.00",
    days_31_60: "0.00",
    days_61_90: "0.00",
    over_90: "0.00",
    total: "15500.00",
    credit_notes: "0.00",
    customer_credit: "250.00",
    balance: "15250.00",
    oldest_due_date: "2026-03-14",
    functional_currency: "DKK",
  },
  heavy: { field: "customer", narrow: "Request one customer." },
  refuses: ["PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"],
  async *rows(cx, filters) {
    yield await reading(cx, async (inside) => {
      const { balances, functional_currency: books } = await readBalances(inside, filters);
      const ids = balances.map(({ customer_id }) => customer_id);
      const customers = await customerLabels(inside, ids);
      return balances.map((one) => ({ ...one, books, customer: customers.get(one.customer_id) }));
    });
  },
});
