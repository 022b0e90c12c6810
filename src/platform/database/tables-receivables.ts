/** The tables of bank accounts, open items and allocations, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";
import type { Generated, Json, Stamped } from "./columns.ts";

export interface ReceivableTables {
  bank_accounts: {
    account_id: string;
    id: string;
    external_id: string | null;
    name: string;
    currency: string;
    ledger_account: number;
    iban: string | null;
    registration_number: string | null;
    account_number: string | null;
    is_default: boolean;
    active: Generated<boolean>;
    csv_profile: Json<CsvProfile> | null;
    statements_through: CalendarDate | null;
    request_hash: Buffer | null;
    document: string;
    updated_at: Stamped;
  };
  open_items: {
    account_id: string;
    id: string;
    kind: "invoice" | "credit_note" | "payment" | "refund" | "reminder" | "opening";
    is_credit: boolean;
    external_id: string | null;
    customer_id: string;
    number: string;
    date: CalendarDate;
    due_date: CalendarDate | null;
    currency: string;
    amount: bigint;
    functional: bigint;
    open: bigint;
    functional_open: bigint;
    ended_on: CalendarDate | null;
    request_hash: Buffer | null;
    updated_at: Stamped;
  };
  allocations: {
    account_id: string;
    id: string;
    external_id: string | null;
    debit_id: string;
    credit_id: string;
    currency: string;
    amount: bigint;
    rounding: bigint;
    debit_functional: bigint;
    credit_functional: bigint;
    rounding_functional: bigint;
    exchange_difference: bigint;
    date: CalendarDate;
    reversed_on: CalendarDate | null;
    reversal_reason: string | null;
    entry_no: bigint | null;
    request_hash: Buffer | null;
    created_at: Timestamp;
    updated_at: Stamped;
  };
  payments: {
    account_id: string;
    id: string;
    external_id: string | null;
    kind: "payment" | "refund";
    number: bigint;
    date: CalendarDate;
    customer_id: string;
    currency: string;
    amount: bigint;
    bank_account_id: string;
    bank_amount: bigint;
    fee: bigint;
    reference: string | null;
    bank_line_id: string | null;
    entry_nos: number[];
    reversed_on: CalendarDate | null;
    reversal_reason: string | null;
    request_hash: Buffer | null;
    document: string;
    created_at: Timestamp;
    updated_at: Stamped;
  };
  receivables_begins: { account_id: string; begun_on: CalendarDate };
}
