/** The conditions that lists of invoices and of credit notes share, as SQL on their tables, and their filter by delivery. */
import { type Condition, CUSTOMER_HAS, SEARCH } from "../../../platform/database/page.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import { readAs } from "../../../platform/http/schemas.ts";
import { formOfNames, withForm } from "../../../platform/http/written-forms.ts";
import { deliveryStates } from "./schemas.ts";

type DocumentTable = "invoices" | "credit_notes";

/** The state of the last attempt to send a document; `none` without an attempt. */
const askedStates = [...deliveryStates, "none"] as const;
type AskedDelivery = (typeof askedStates)[number];

/** States of deliveries, separated by commas. */
export const AskedDeliveries = readAs(
  (value): AskedDelivery[] | undefined => {
    const asked = value.split(",");
    return asked.every((name) => askedStates.some((known) => known === name))
      ? (asked as AskedDelivery[])
      : undefined;
  },
  `States of ${askedStates.join(", ")}, separated by commas.`,
  "invalid_value",
);

/** The filter of REST lists by the last delivery. */
export const deliveryFilter = withForm(AskedDeliveries, formOfNames(askedStates)).optional().meta({
  type: "string",
  example: "failed_permanent,none",
  description: "States of the last delivery, separated by commas; `none` if there was none.",
});

/** Returns the condition that the last attempt to send the document has one of the states; `none` without an attempt. */
export function deliveryCondition(
  table: DocumentTable,
  states: readonly AskedDelivery[],
): Condition {
  const attempts = "from deliveries d where d.account_id = $1";
  const later = `not exists (select from deliveries l where l.account_id = $1 and l.document_id = d.document_id and l.id > d.id)`;
  const never = `not exists (select ${attempts} and d.document_id = ${table}.id)`;
  const known = states.filter((state): state is DeliveryState => state !== "none");
  if (known.length === 0) return [never];
  const or_never = known.length < states.length ? ` or ${never}` : "";
  return [
    `(${table}.id in (select d.document_id ${attempts} and d.state = any($value::text[]) and ${later})${or_never})`,
    known,
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
