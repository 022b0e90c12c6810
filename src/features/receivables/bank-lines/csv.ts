/** `/bank-lines.csv`: one row for each bank line. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText } from "../../../domain/base/money.ts";
import {
  type CsvColumn,
  defineCsvFile,
  number,
  portionsOf,
  text,
} from "../../../platform/http/csv-file.ts";
import { type BankLineRow, pageOfBankLines } from "./queries.ts";
import { BankLineFileQuery } from "./schemas.ts";

const columns: readonly CsvColumn<BankLineRow>[] = [
  text("id", "The bank line's id.", (row) => row.id),
  text("bank_account_id", "", (row) => row.bank_account_id),
  text(
    "bank_statement_id",
    "The statement in which it came first.",
    (row) => row.bank_statement_id,
  ),
  text("date", "The day of its booking by the bank.", (row) => row.date),
  text("value_date", "The day of interest.", (row) => row.value_date),
  text("currency", "", (row) => row.currency),
  number("amount", "Above 0 is money in.", (row) =>
    decimalText(row.amount, currencyDigits(row.currency)),
  ),
  text("instructed_currency", "", (row) => row.instructed_currency),
  number("instructed_amount", "In the currency before.", (row) =>
    row.instructed_amount === null || row.instructed_currency === null
      ? null
      : decimalText(row.instructed_amount, currencyDigits(row.instructed_currency)),
  ),
  text("text", "", (row) => row.text),
  text("reference", "The payer's structured reference.", (row) => row.reference),
  text("end_to_end_id", "", (row) => row.end_to_end_id),
  text("counterparty", "", (row) => row.counterparty_name),
  text("counterparty_account", "", (row) => row.counterparty_account),
  text("state", "`open`, `booked` or `ignored`.", (row) => row.state),
  text("payment_id", "The payment that it was booked as.", (row) => row.payment_id),
  text("ignored_reason", "", (row) => row.ignored_reason),
];

export const bankLinesCsv = defineCsvFile({
  path: "/bank-lines.csv",
  operation: "bank_lines.export",
  summary: "Bank lines as a file",
  description:
    "One bank line in a row, the last imported first, with the filters of `GET /bank-lines`. The amounts of a bank account add up to the change of its balance.",
  query: BankLineFileQuery,
  columns,
  example: {
    id: "019a5d2c-8a30-7a10-8d3f-9b1c2d3e4f50",
    date: "2026-03-02",
    currency: "DKK",
    amount: "12500.00",
    text: "Invoice 47",
    counterparty: "Acme ApS",
    state: "open",
  },
  rows: (cx, query) => portionsOf((page) => pageOfBankLines(cx, { ...query, ...page })),
});
