/** What rows of lists of tools carry of the API's resources: what the text of the list shows. */
import type { Json } from "../support/world/world.ts";

const CARRIED: Readonly<Record<string, string>> = {
  list_customers: "id name country_key vat_number email external_id",
  list_invoices: "id status ledger_invoice_number title issue_date currency",
  list_series: "id status cancelled_at external_id frequency start_date end_date currency",
  list_occurrences: "period period_from period_to status issue_date invoice_id",
  list_credit_notes: "id status ledger_credit_note_number kind credit_date invoice_id",
  list_products: "id product_number name unit default_price prices quantity account_number",
  list_work_registrations: "date hours status billable period note id line_id",
  list_users: "id name role active",
};

/** The part of the resource that a row of the list carries, with further fields: those without a value are absent. */
export function carried(tool: string, resource: Json, ...further: readonly string[]): Json {
  const known = CARRIED[tool];
  if (known === undefined) throw new Error(`${tool} is no list`);
  return Object.fromEntries(
    [...known.split(" "), ...further]
      .map((field) => [field, resource[field]] as const)
      .filter(([, value]) => value !== null && value !== undefined && value.length !== 0),
  );
}
