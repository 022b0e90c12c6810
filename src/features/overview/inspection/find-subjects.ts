/**
 * Finds the records that an operator's reference may name: an id, `ext:` and an external id, the number of a document, a period
 * of a series as `REF/2027-01`, or the month of a period close. One reference may name several records.
 */
import type { AccountId } from "../../../domain/base/brand.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { joined, raw, sql } from "../../../platform/database/sql.ts";

export interface Subject {
  readonly account_id: AccountId;
  /** The name in the audit trail. */
  readonly kind: keyof typeof TABLES | "occurrence";
  /** For an occurrence `series_id/period`, for a period close its month. */
  readonly id: string;
}

/** The table of each kind, and the columns that a reference may match. */
const TABLES = {
  invoice: ["invoices", "id", "external_id", "ledger_invoice_number"],
  credit_note: ["credit_notes", "id", "external_id", "ledger_credit_note_number"],
  recurring_series: ["recurring_series", "id", "external_id"],
  accrual: ["accruals", "id", "ledger_voucher_number"],
  customer: ["customers", "id", "external_id"],
  delivery: ["deliveries", "id"],
  work_registration: ["work_registrations", "id", "external_id"],
  period_close: ["period_closes", "month"],
} as const;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns every record that the reference may name, in one account or in all accounts. */
export async function findSubjects(
  db: Reads,
  ref: string,
  account_id: string | null,
): Promise<Subject[]> {
  const of_accounts = sql`account_id in (select id from accounts where ${account_id}::uuid is null or id = ${account_id})`;
  const { column, value } = meantBy(ref);
  const places = Object.entries(TABLES).flatMap(([kind, [table, ...columns]]) => {
    const found_by = columns.find((one) => one.endsWith(column));
    if (found_by === undefined) return [];
    const id = raw(found_by === "month" ? "month" : "id::text");
    return sql`select account_id, ${raw(`'${kind}'`)} as kind, ${id} as id from ${raw(table)}
      where ${of_accounts} and ${raw(found_by)} = ${value}`;
  });
  const found = await db.rows<Subject>(joined(places, " union all "));
  const slash = ref.lastIndexOf("/");
  if (found.length > 0 || slash < 0) return found;
  const owners = await findSubjects(db, ref.slice(0, slash), account_id);
  return owners
    .filter(({ kind }) => kind === "recurring_series")
    .map((owner) => ({ ...owner, kind: "occurrence", id: owner.id + ref.slice(slash) }));
}

/** Returns the column to search, and the value, by the form of the reference. */
function meantBy(ref: string): { readonly column: string; readonly value: string } {
  if (UUID.test(ref)) return { column: "id", value: ref };
  if (ref.startsWith("ext:")) return { column: "external_id", value: ref.slice(4) };
  return { column: /^\d{1,18}$/.test(ref) ? "_number" : "month", value: ref };
}
