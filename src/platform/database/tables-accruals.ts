/** The tables of revenue recognition, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate, Month } from "../../domain/base/calendar.ts";
import type { Generated, Json, Stamped } from "./columns.ts";

/** An assignee of an opening contract; the percentage in hundredths. */
interface StoredAssignee {
  readonly user_id: string;
  readonly distribution_percentage: number | null;
  /** In 1/10000 of a currency unit, as text. */
  readonly hourly_rate_override: string | null;
}

export interface AccrualTables {
  line_earnings: { account_id: string; line_id: string; content: string };
  accruals: {
    account_id: string;
    id: string;
    customer_id: string;
    month: Month;
    status: "draft" | "booked";
    revision: Generated<number>;
    original_month: Month | null;
    ledger_voucher_guid: string | null;
    ledger_voucher_number: bigint | null;
    booked_at: Timestamp | null;
  };
  accrual_bookings: {
    account_id: string;
    accrual_id: string;
    revision: number;
    state: "pending" | "booked" | "reversing" | "reversed";
    snapshot: string;
    voucher_guid: string | null;
    voucher_number: bigint | null;
    booked_at: Timestamp | null;
    booked_by: string | null;
    reversal_guid: string | null;
    reversal_number: bigint | null;
    reopened_at: Timestamp | null;
    reopened_by: string | null;
    reason: string | null;
    ledger_connection_id: string | null;
    voucher_year: number | null;
    reversal_year: number | null;
  };
  accrual_rows: {
    account_id: string;
    customer_id: string;
    line_id: string;
    month: Month;
    account_number: number;
    currency: string;
    accrual_id: string;
    revision: number;
    is_reversal: boolean;
    invoice_id: string | null;
    series_id: string | null;
    period: string | null;
    product_id: string;
    earned: bigint;
    invoiced: bigint;
    earned_functional: bigint;
    invoiced_functional: bigint;
    exchange_difference: bigint;
    users: string;
    opening_contract_id: string | null;
  };
  opening_contracts: {
    account_id: string;
    id: string;
    external_id: string;
    customer_id: string;
    product_id: string;
    line_id: string;
    currency: string;
    invoiced: bigint;
    earned: bigint;
    amount: bigint;
    rate_micro: bigint | null;
    amount_functional: bigint;
    service_from: CalendarDate | null;
    service_to: CalendarDate;
    cutover: CalendarDate;
    counter_account: number | null;
    assignees: Json<readonly StoredAssignee[]>;
    product_name: string;
    product_number: string | null;
    account_number: number;
    unit: string;
    vat_code: string | null;
    entry_no: bigint | null;
    ended_on: CalendarDate | null;
    returned: bigint | null;
    returned_functional: bigint | null;
    end_guid: string | null;
    created_at: Timestamp;
    request_hash: Buffer;
    document: string;
    updated_at: Stamped;
  };
  accrual_rates: {
    account_id: string;
    customer_id: string;
    currency: string;
    month: Month;
    rate_micro: bigint;
    accrual_id: string;
    revision: number;
  };
  period_closes: {
    account_id: string;
    month: Month;
    status: "running" | "completed" | "partial" | "reopened";
    locks: boolean;
    lock_date_before: CalendarDate | null;
    has_locked: Generated<boolean>;
    done_name: string | null;
    done_id: string | null;
    errors: Generated<string>;
    warnings: Generated<string>;
    skipped: number | null;
    closed_at: Timestamp | null;
    closed_by: string | null;
    actor_kind: string;
    actor_id: string;
    lease_until: Timestamp | null;
    begun_at: Generated<Timestamp>;
  };
  announced_months: { account_id: string; month: Month };
}
