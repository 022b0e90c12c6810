/** `/credit-notes.csv`: one row for each credited line, with the fields of its credit note. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type CsvColumn, defineCsvFile, number, text } from "../../../platform/http/csv-file.ts";
import {
  accountingCostColumn,
  amountColumns,
  answerColumn,
  currencyColumn,
  customerColumns,
  type DocumentRowOfFile,
  deliveryColumn,
  exampleOfLine,
  lineColumns,
  portionsOfDocuments,
  rowsOfDocuments,
} from "../../documents/issued/csv-columns.ts";
import { documentsOfNotes } from "./list.ts";
import { creditNoteConditions } from "./queries.ts";
import { CreditNoteQuery, type CreditNoteResource } from "./schemas.ts";

interface Row extends DocumentRowOfFile {
  readonly of: CreditNoteResource;
}

const columns: readonly CsvColumn<Row>[] = [
  text("credit_note_id", "", (row) => row.of.id),
  text("external_id", "The id that the caller gave.", (row) => row.of.external_id),
  number(
    "number",
    "The credit note's number; empty while it is queued.",
    (row) => row.of.ledger_credit_note_number,
  ),
  text("status", "`draft` for a queued one, `issued`.", (row) => row.of.status),
  text("kind", "`full` or `partial`.", (row) => row.of.kind),
  text("credit_date", "The date of the document.", (row) => row.document.issue_date),
  text("invoice_id", "", (row) => row.of.invoice_id),
  number("invoice_number", "", (row) => row.document.credits?.invoice_number),
  text("invoice_date", "", (row) => row.document.credits?.invoice_date),
  ...customerColumns,
  currencyColumn,
  text("invoice_line_id", "", (row) => row.flat?.line.line_id),
  ...lineColumns,
  ...amountColumns,
  deliveryColumn,
  text("send_error", "Why the last delivery failed.", (row) => row.of.send_error),
  text("issued_at", "When it was booked.", (row) => row.of.issued_at),
  accountingCostColumn,
  answerColumn,
];

export const creditNotesCsv = defineCsvFile({
  path: "/credit-notes.csv",
  operation: "credit_notes.export",
  summary: "Credit notes as a file, line by line",
  description:
    "One credited line in a row, the newest credit note first, with the filters of `GET /credit-notes`. Amounts are positive, as in the API: they are credited. `net`, `vat`, `gross` and their functional amounts add up to those of the documents. Queued ones are computed as of now; leave them out with `status=issued`.",
  query: CreditNoteQuery.omit({ limit: true, cursor: true, include: true }),
  columns,
  example: {
    credit_note_id: "019a5d2e-2c3d-7e4f-9051-62738495a6b7",
    external_id: "regret-7",
    number: "1",
    status: "issued",
    kind: "partial",
    credit_date: "2026-04-02",
    invoice_id: "019a5d2d-1b2c-7d3e-8f40-516273849506",
    invoice_number: "1001",
    invoice_date: "2026-03-31",
    ...exampleOfLine("400.00", "100.00", "500.00"),
  },
  rows: (cx, query) =>
    portionsOfDocuments(cx, "credit_notes", creditNoteConditions(query), query, rowsOf),
});

async function rowsOf(cx: Reader, notes: readonly CreditNoteResource[]): Promise<Row[]> {
  const ids = notes.map(({ id }) => id);
  const documents = await documentsOfNotes(cx, ids);
  return rowsOfDocuments(cx, notes, documents, ({ status }) => status === "issued");
}
