/** The tables of bank accounts, open items, allocations and reminders, in the form of `tables.ts`. */

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
  ledger_items: {
    account_id: string;
    id: string;
    connection_id: string;
    guid: string;
    kind: "invoice" | "credit_note";
    customer_id: string;
    number: string;
    date: CalendarDate;
    due_date: CalendarDate | null;
    currency: string;
    amount: bigint;
    functional: bigint;
    state: "open" | "partly_paid" | "paid" | "overpaid" | null;
    paid: bigint | null;
    remaining: bigint | null;
    paid_on: CalendarDate | null;
    read_at: Timestamp | null;
    reported_at: Timestamp | null;
    next_read_at: Timestamp | null;
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
  reference_rates: {
    account_id: string;
    date: CalendarDate;
    rate: number;
    updated_at: Timestamp;
  };
  reminder_holds: {
    account_id: string;
    invoice_id: string;
    until_date: CalendarDate;
    reason: string;
    updated_at: Timestamp;
  };
  bank_imports: {
    account_id: string;
    id: string;
    bank_account_id: string;
    sha256: Buffer;
    content: Buffer;
    answer: string;
    created_at: Timestamp;
  };
  bank_statements: {
    account_id: string;
    id: string;
    import_id: string;
    bank_account_id: string;
    format: string;
    first_day: CalendarDate;
    last_day: CalendarDate;
    opening_balance: bigint | null;
    closing_balance: bigint | null;
    lines: number;
    new_lines: number;
    known_lines: number;
    warnings: Json<readonly StoredWarning[]>;
    updated_at: Stamped;
  };
  bank_lines: {
    account_id: string;
    id: string;
    bank_account_id: string;
    bank_statement_id: string;
    date: CalendarDate;
    value_date: CalendarDate | null;
    amount: bigint;
    currency: string;
    instructed_amount: bigint | null;
    instructed_currency: string | null;
    text: string;
    reference: string | null;
    end_to_end_id: string | null;
    counterparty_name: string | null;
    counterparty_account: string | null;
    is_reversal: boolean;
    identity: Buffer;
    state: Generated<"open" | "booked" | "ignored">;
    payment_id: string | null;
    ignored_reason: string | null;
    updated_at: Stamped;
    request_hash: Buffer | null;
  };
}

interface StoredWarning {
  readonly code: string;
  readonly message: string;
}
