/** The conditions that lists of invoices and of credit notes share on pages, as SQL on their tables. */
import { type Condition, CUSTOMER_HAS, SEARCH } from "../../../platform/database/page.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";

type DocumentTable = "invoices" | "credit_notes";

/** Returns the condition that the last attempt to send the document has the state; `none` without an attempt. */
export function deliveryCondition(table: DocumentTable, state: DeliveryState | "none"): Condition {
  const attempts = "from deliveries d where d.account_id = $1";
  if (state === "none") return [`not exists (select ${attempts} and d.document_id = ${table}.id)`];
  const later = `not exists (select from deliveries l where l.account_id = $1 and l.document_id = d.document_id and l.id > d.id)`;
  return [
    `${table}.id in (select d.document_id ${attempts} and d.state = $value and ${later})`,
    state,
  ];
}

/**
 * Returns the SQL of a text that sorts documents by currency and then by amount with VAT, from their row of `issued_documents`.
 * It is the expression of the index `issued_documents_by_amount`.
 */
export function amountKey(row: string): string {
  return `(${row}.currency || (${row}.gross + 4000000000000000000)::text)`;
}

/**
 * Returns the condition that one of the columns or the customer's name contains the text, or that the document has one of the
 * amounts, with or without VAT. Amounts are in minor units, as `TypedAmounts` reads them from the text.
 */
export function foundCondition(
  table: DocumentTable,
  columns: readonly string[],
  text: string,
  amounts: readonly bigint[],
): Condition {
  const typed = "($value::text[])[1]";
  const kind = table === "invoices" ? "invoice" : "credit_note";
  const minor = "any(($value::text[])[2:]::bigint[])";
  const of = (column: "net" | "gross") =>
    ` or ${table}.id in (select document_id from issued_documents where account_id = $1 and kind = '${kind}' and ${column} = ${minor})`;
  const condition = `${SEARCH}(position(lower(${typed}) in lower(concat_ws(E'\\n', ${columns.join(", ")}))) > 0
    or ${CUSTOMER_HAS.replaceAll("$value", typed)}${amounts.length === 0 ? "" : of("gross") + of("net")})`;
  return [condition, [text, ...amounts.map(String)]];
}
