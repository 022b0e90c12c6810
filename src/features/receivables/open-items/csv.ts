/** `/open-items.csv`: one row for each open item, with the filters of `GET /open-items`. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText, type Money } from "../../../domain/base/money.ts";
import {
  CSV_PORTION,
  type CsvColumn,
  defineCsvFile,
  flag,
  number,
  text,
} from "../../../platform/http/csv-file.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import type { ItemOnDay } from "./find-open.ts";
import { daysOverdue, readItems } from "./list-items.ts";
import { OpenItemQuery } from "./schemas.ts";

interface Row extends ItemOnDay {
  readonly day: CalendarDate;
  readonly books: string;
  readonly customer_name: string | undefined;
}

const money = (row: Row, amount: Money): `${number}` =>
  decimalText(amount, currencyDigits(row.currency));
const books = (row: Row, amount: Money): `${number}` =>
  decimalText(amount, currencyDigits(row.books));

const columns: readonly CsvColumn<Row>[] = [
  text("id", "", (row) => row.id),
  text("kind", "`invoice`, `credit_note`, `payment`, `reminder` or `opening`.", (row) => row.kind),
  flag("is_credit", "Whether it is held for the customer, and not owed.", (row) => row.is_credit),
  text("document_id", "Empty for an opening item.", (row) =>
    row.kind === "opening" ? null : row.id,
  ),
  text(
    "number",
    "Of the document; of an opening item that of the old system.",
    (row) => row.number,
  ),
  text("customer_id", "", (row) => row.customer_id),
  text("customer_name", "As it is now.", (row) => row.customer_name),
  text("date", "", (row) => row.date),
  text("due_date", "Empty for a credit.", (row) => row.due_date),
  text(
    "currency",
    "ISO 4217, of all amounts that are not called functional.",
    (row) => row.currency,
  ),
  number("amount", "The whole amount.", (row) => money(row, row.amount)),
  number("open", "What is open of it on the day.", (row) => money(row, row.open)),
  text("functional_currency", "Of the books.", (row) => row.books),
  number("functional_amount", "What it posted.", (row) => books(row, row.functional)),
  number("functional_open", "What is open of that on the day.", (row) =>
    books(row, row.functional_open),
  ),
  number("days_overdue", "0 where it is not overdue.", (row) => daysOverdue(row, row.day)),
  number(
    "functional_balance",
    "`functional_open`, below 0 for a credit; adds up to the accounts of receivables and customer credit.",
    (row) => books(row, row.is_credit ? -row.functional_open : row.functional_open),
  ),
];

export const openItemsCsv = defineCsvFile({
  path: "/open-items.csv",
  operation: "open_items.export",
  summary: "Open items as a file",
  description:
    "One open item in a row, the newest first, with the filters of `GET /open-items`. All amounts are above 0; `functional_balance` has the sign of the item.",
  query: OpenItemQuery.omit({ limit: true, cursor: true }),
  columns,
  example: {
    kind: "invoice",
    is_credit: "false",
    number: "1001",
    customer_name: "Acme A/S",
    date: "2026-03-31",
    due_date: "2026-04-14",
    currency: "DKK",
    amount: "11250.00",
    open: "4250.00",
    functional_currency: "DKK",
    functional_amount: "11250.00",
    functional_open: "4250.00",
    days_overdue: "12",
    functional_balance: "4250.00",
  },
  refuses: ["PAYMENTS_IN_LEDGER", "RECEIVABLES_NOT_BEGUN"],
  async *rows(cx, filters) {
    let at = filters.at;
    let cursor: string | undefined;
    do {
      const found = await readItems(cx, { ...filters, at }, { limit: CSV_PORTION, cursor });
      // All portions are of one day, also when the file is sent over midnight.
      at = found.day;
      const customers = await customerLabels(
        cx,
        found.rows.map(({ customer_id }) => customer_id),
      );
      yield found.rows.map((row) => ({
        ...row,
        day: found.day,
        books: found.functional_currency,
        customer_name: customers.get(row.customer_id)?.name,
      }));
      cursor = found.next_cursor ?? undefined;
    } while (cursor !== undefined);
  },
});
