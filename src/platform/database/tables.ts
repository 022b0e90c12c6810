/** The tables as TypeScript types. A contract test fails if a column is only here or only in the live catalogue. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Printed } from "../../domain/sales/printed.ts";
import type { ColumnType, Generated, Json, Stamped } from "./columns.ts";
import type { AccrualTables } from "./tables-accruals.ts";
import type { CatalogueTables } from "./tables-catalogue.ts";
import type { DocumentTables } from "./tables-documents.ts";
import type { EinvoiceTables } from "./tables-einvoices.ts";
import type { FirstMinutesTables } from "./tables-first-minutes.ts";
import type { LedgerTables } from "./tables-ledger.ts";
import type { PlanTables } from "./tables-plans.ts";
import type { ReceivableTables } from "./tables-receivables.ts";
import type { SeriesTables } from "./tables-series.ts";
import type { SignInTables } from "./tables-sign-in.ts";
import type { WebhookTables } from "./tables-webhooks.ts";

export interface Tables
  extends AccrualTables,
    LedgerTables,
    SeriesTables,
    SignInTables,
    FirstMinutesTables,
    CatalogueTables,
    PlanTables,
    ReceivableTables,
    DocumentTables,
    EinvoiceTables,
    WebhookTables {
  accounts: {
    id: string;
    name: string;
    sandbox: boolean;
    ledger_kind: string;
    created_at: Generated<Timestamp>;
    test_clock: Timestamp | null;
    test_clock_floor: Timestamp | null;
  };
  polls_cut_short: { account_id: string; horizon: Timestamp; asked_at: Timestamp };
  configurations: {
    account_id: string;
    functional_currency: string;
    time_zone: string;
    recognition_convention: "monthly" | "daily";
    period_lock_date: CalendarDate | null;
    work_lock_date: CalendarDate | null;
    contract_asset_account: number | null;
    contract_liability_account: number | null;
    exchange_difference_account: number | null;
    default_revenue_account: number | null;
    payment_type: "Netto" | "NettoCash" | "CurrentMonthOut";
    payment_days: number;
    default_auto_send: boolean;
    vat_domestic_rate: number;
    vat_domestic_country: string;
    seller: ColumnType<Record<string, unknown> | null, string | null>;
    invoice_language_key: string;
    updated_at: Stamped;
    rate_max_age_days: number | null;
    require_complete_invoices: Generated<boolean>;
    document_links: Generated<boolean>;
    mail_texts: ColumnType<Record<string, unknown> | null, string | null>;
    customer_credit_account: number | null;
    rounding_account: number | null;
    payment_fee_account: number | null;
    reminder_fee_account: number | null;
    interest_income_account: number | null;
    payments_rounding_limit: Generated<bigint>;
    reminders: ColumnType<Record<string, unknown> | null, string | null>;
  };
  exchange_rates: {
    account_id: string;
    currency: string;
    date: CalendarDate;
    rate_micro: bigint;
    updated_at: Stamped;
  };
  logins: { id: string; email: string; password_hash: string; created_at: Generated<Timestamp> };
  users: {
    account_id: string;
    id: string;
    external_id: string | null;
    name: string;
    email: string;
    role: "admin" | "standard";
    active: Generated<boolean>;
    login_id: string | null;
    request_hash: Buffer | null;
    document: string;
    created_at: Stamped;
    updated_at: Stamped;
  };
  preferences: {
    account_id: string;
    user_id: string;
    language: "da" | "en" | null;
    theme: "dark" | "light" | null;
    start_page: "today" | "hours" | "close" | null;
  };
  api_keys: {
    id: string;
    account_id: string;
    name: string;
    scope: "read" | "read_write";
    hash: Buffer;
    prefix: string;
    created_at: Generated<Timestamp>;
    expires_at: Timestamp | null;
    last_used_at: Timestamp | null;
    revoked_at: Timestamp | null;
    form_hash: Buffer | null;
    created_by: string | null;
  };
  api_key_requests: {
    account_id: string;
    key_id: string;
    id: string;
    at: Timestamp;
    method: string;
    path: string;
    status: number;
    milliseconds: number;
    refusal: string | null;
    request_id: string;
  };
  audit_heads: {
    account_id: string;
    seq: Generated<bigint>;
    hash: Generated<Buffer>;
    feed_id: Generated<string>;
  };
  audit_events: {
    account_id: string;
    seq: bigint;
    id: string;
    at: Timestamp;
    actor_kind: string;
    actor_id: string;
    action: string;
    resource_type: string;
    resource_id: string;
    payload: string;
    hash: Buffer;
    grant_id: string | null;
    hash_version: Generated<number>;
    customer_id: string | null;
  };
  verifications: { account_id: string; checked_at: Timestamp; ok: boolean; document: string };
  invoices: {
    account_id: string;
    id: string;
    external_id: string | null;
    customer_id: string;
    currency: string;
    issue_date: CalendarDate | null;
    title: string | null;
    auto_send: boolean;
    status: "draft" | "issued";
    ledger_invoice_guid: string | null;
    ledger_invoice_number: bigint | null;
    issued_at: Timestamp | null;
    request_hash: Buffer | null;
    document: string;
    updated_at: Stamped;
    series_id: string | null;
    period_index: number | null;
    period: string | null;
    period_from: CalendarDate | null;
    period_to: CalendarDate | null;
    is_final_partial: boolean | null;
    rate_micro: bigint | null;
    printed: Json<Printed>;
    ledger_connection_id: string | null;
    ledger_year: number | null;
    drafted_at: Generated<Timestamp | null>;
  };
  invoice_lines: {
    account_id: string;
    id: string;
    invoice_id: string;
    product_id: string;
    recognition_method: "value" | "hours" | "progress" | "milestone" | "on_issue";
    agreed_value: bigint | null;
    hourly_rate: bigint | null;
    discount: number;
    description_override: string | null;
    position: bigint;
    assignees: Json<unknown>;
    service_from: CalendarDate | null;
    service_to: CalendarDate | null;
    budget_hours: number | null;
    product_name: string;
    product_number: string | null;
    account_number: number;
    unit: string;
    amount: bigint | null;
    amount_functional: bigint | null;
    vat_code: string | null;
    share_days: number | null;
    share_of: number | null;
    price_from_product: Generated<boolean>;
    domestic_account: number | null;
    nominal_budget: number | null;
  };
  invoice_line_assignees: { account_id: string; line_id: string; user_id: string };
  ledger_accounts: {
    account_id: string;
    number: number;
    name: string;
    type: "asset" | "liability" | "equity" | "income" | "expense";
    standard_number: number | null;
    standard_version: string | null;
    vat_code: string | null;
  };
  ledger_books: {
    account_id: string;
    next_entry_no: Generated<bigint>;
    next_invoice_number: Generated<bigint>;
    next_credit_note_number: Generated<bigint>;
    next_voucher_number: Generated<bigint>;
    head_hash: Generated<Buffer>;
    next_payment_number: Generated<bigint>;
    next_reminder_number: Generated<bigint>;
    next_opening_number: Generated<bigint>;
  };
  ledger_entries: {
    account_id: string;
    entry_no: bigint;
    guid: string;
    kind: "invoice" | "credit_note" | "voucher" | "payment" | "reminder" | "opening";
    number: bigint;
    entry_date: CalendarDate;
    text: string;
    currency: string;
    rate_micro: bigint | null;
    payload_hash: Buffer;
    reverses_guid: string | null;
    registered_at: Timestamp;
    registered_by: string;
    prev_hash: Buffer;
    hash: Buffer;
    hash_version: Generated<number>;
  };
  ledger_postings: {
    account_id: string;
    entry_no: bigint;
    line_no: number;
    account_number: number;
    amount: bigint;
    currency_amount: bigint;
    vat_code: string | null;
    customer_id: string | null;
  };
  seller_logos: {
    account_id: string;
    sha256: Buffer;
    content_type: string;
    width: number;
    height: number;
    content: Buffer;
    created_at: Generated<Timestamp>;
    plain: Buffer | null;
  };
  document_files: {
    account_id: string;
    document_id: string;
    format: "pdf";
    content: Buffer;
    sha256: Buffer;
    created_at: Generated<Timestamp>;
  };
  deliveries: {
    account_id: string;
    id: string;
    document_id: string;
    channel: "email" | "einvoice";
    address: string | null;
    state: DeliveryState;
    error_code: string | null;
    send_error: string | null;
    attempt: Generated<number>;
    message: Buffer | null;
    next_attempt_at: Timestamp | null;
    lease_until: Timestamp | null;
    at: Timestamp;
    updated_at: Generated<Timestamp>;
    is_counted: Generated<boolean>;
    ledger_send_id: string | null;
    looks: Generated<number>;
    next_look_at: Timestamp | null;
    link_hash: Buffer | null;
    link_ends_at: Timestamp | null;
    link_revoked_at: Timestamp | null;
    format: string | null;
    file_sha256: string | null;
    delivered_at: Timestamp | null;
    response: string | null;
    response_code: string | null;
    einvoice_file_id: string | null;
    einvoice_connection_id: string | null;
    corrections: string | null;
    einvoice_look_at: Timestamp | null;
    call_ended_at: Timestamp | null;
    absent_at: Timestamp | null;
    is_copied: Generated<boolean>;
    customer_id: string | null;
  };
  delivery_events: {
    account_id: string;
    id: string;
    delivery_id: string;
    at: Timestamp;
    kind: string;
    code: string | null;
    text: string | null;
    source: string;
  };
  revenue_figures: {
    account_id: string;
    wanted_at: Timestamp;
    computed_at: Timestamp | null;
    content: string | null;
  };
  customer_balances: {
    account_id: string;
    customer_id: string;
    wanted_at: Timestamp;
    computed_at: Timestamp | null;
    content: string | null;
  };
  mail_counters: { account_id: string; subject: string; count: number; ends_at: Timestamp };
  credit_notes: {
    account_id: string;
    id: string;
    external_id: string | null;
    invoice_id: string;
    customer_id: string;
    kind: "full" | "partial";
    status: "draft" | "issued";
    credit_date: CalendarDate;
    ledger_credit_note_guid: string | null;
    ledger_credit_note_number: bigint | null;
    issued_at: Timestamp | null;
    send_error: string | null;
    queue_state: "queued" | "failed" | null;
    queue_attempts: Generated<number>;
    next_attempt_at: Timestamp | null;
    request_hash: Buffer | null;
    document: string;
    updated_at: Stamped;
    ledger_connection_id: string | null;
    ledger_year: number | null;
    reason: string | null;
  };
  credit_note_lines: {
    account_id: string;
    id: string;
    credit_note_id: string;
    invoice_line_id: string;
    amount: bigint;
    position: number;
    new_service_to: CalendarDate | null;
  };
  work_registrations: {
    account_id: string;
    id: string;
    external_id: string | null;
    line_id: string;
    invoice_id: string | null;
    series_id: string | null;
    period_index: number | null;
    period: string | null;
    user_id: string;
    date: CalendarDate;
    hours: number;
    billable: boolean;
    note: string | null;
    status: "open" | "invoiced" | "dropped";
    request_hash: Buffer | null;
    created_at: Stamped;
    updated_at: Stamped;
  };
  line_completions: { account_id: string; line_id: string; completed_on: CalendarDate };
}

export type DeliveryState =
  | "queued"
  | "sending"
  | "written_to_outbox"
  | "accepted"
  | "delivered"
  | "rejected"
  | "failed_temporary"
  | "failed_permanent"
  | "unknown";
