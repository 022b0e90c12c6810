/** `/payments.csv`: one row for each payment or refund. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText } from "../../../domain/base/money.ts";
import { listRows } from "../../../platform/database/page.ts";
import {
  type CsvColumn,
  defineCsvFile,
  number,
  portionsOf,
  text,
} from "../../../platform/http/csv-file.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type PaymentRow, paymentConditions } from "./queries.ts";
import { PaymentQuery } from "./schemas.ts";

type Row = PaymentRow & { readonly customer_name: string; readonly functional_currency: string };

const books = (row: Row, amount: bigint) =>
  decimalText(amount, currencyDigits(row.functional_currency));

const columns: readonly CsvColumn<Row>[] = [
  text("id", "The payment's id.", (row) => row.id),
  text("external_id", "The id that the caller gave.", (row) => row.external_id),
  text("kind", "`payment` or `refund`.", (row) => row.kind),
  number("number", "", (row) => row.number),
  text("status", "`booked` or `reversed`.", (row) =>
    row.reversed_on === null ? "booked" : "reversed",
  ),
  text("date", "", (row) => row.date),
  text("customer_id", "", (row) => row.customer_id),
  text("customer_name", "", (row) => row.customer_name),
  text("currency", "Of the amount.", (row) => row.currency),
  number("amount", "What the customer paid, or got back.", (row) =>
    decimalText(row.amount, currencyDigits(row.currency)),
  ),
  number("bank_amount", "What the bank credited or debited, in functional currency.", (row) =>
    books(row, row.bank_amount),
  ),
  number("fee", "What the bank kept, in functional currency.", (row) => books(row, row.fee)),
  text("reference", "", (row) => row.reference),
  text("reversed_on", "", (row) => row.reversed_on),
  text("entry_nos", "The journal entries, separated by spaces.", (row) => row.entry_nos.join(" ")),
];

export const paymentsCsv = defineCsvFile({
  path: "/payments.csv",
  operation: "payments.export",
  summary: "Payments as a file",
  description: "One payment in a row, the newest first, with the filters of `GET /payments`.",
  query: PaymentQuery.omit({ limit: true, cursor: true }),
  columns,
  example: {
    id: "019a5d2c-8a30-7a10-8d3f-9b1c2d3e4f50",
    kind: "payment",
    number: "12",
    status: "booked",
    date: "2026-03-10",
    customer_name: "Havnegadens Bryggeri A/S",
    currency: "DKK",
    amount: "12500.00",
    bank_amount: "12500.00",
    fee: "0.00",
    entry_nos: "31",
  },
  async *rows(cx, query) {
    const { functional_currency } = await getConfiguration(cx);
    const portions = portionsOf((page) =>
      listRows<PaymentRow>(
        cx,
        `id, external_id, kind, number, date, customer_id, currency, amount, bank_account_id, bank_amount, fee, reference,
         bank_line_id, entry_nos, reversed_on, reversal_reason, created_at`,
        "payments",
        paymentConditions(query),
        { ...page, updated_since: query.updated_since },
      ),
    );
    for await (const rows of portions) {
      const names = await customerNames(
        cx,
        rows.map(({ customer_id }) => customer_id),
      );
      yield rows.map((row) => ({
        ...row,
        functional_currency,
        customer_name: names.get(row.customer_id) ?? "",
      }));
    }
  },
});
