/** The tables of connected accounting systems, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Generated } from "./columns.ts";

export interface LedgerTables {
  ledger_connections: {
    account_id: string;
    id: string;
    kind: string;
    is_current: Generated<boolean>;
    settings: string;
    key_id: string;
    sealed_secrets: Buffer;
    sealed_tokens: Buffer | null;
    organisation_id: string | null;
    organisation_name: string | null;
    state: Generated<"connected" | "unauthorized" | "unavailable" | "subscription">;
    last_error: string | null;
    checked_at: Timestamp | null;
    told: string | null;
    locked_through: CalendarDate | null;
    failures: Generated<number>;
    down_since: Timestamp | null;
    next_probe_at: Timestamp | null;
    turn_of: string | null;
    turn_until: Timestamp | null;
    pulled_until: string | null;
    next_pull_at: Generated<Timestamp>;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    turn_wanted_until: Timestamp | null;
    refused_since: Timestamp | null;
    payments_until: string | null;
    payments_read_at: Timestamp | null;
    payments_whole_at: Timestamp | null;
    next_payments_at: Generated<Timestamp>;
  };
  ledger_mappings: {
    account_id: string;
    connection_id: string;
    account_number: number;
    vat_code: string;
    ledger_account: string;
    ledger_vat_code: string | null;
  };
  ledger_budgets: {
    organisation_key: string;
    next_at: Timestamp;
    interactive_until: Generated<Timestamp>;
  };
  ledger_links: {
    account_id: string;
    connection_id: string;
    kind: "customer" | "product";
    local_id: string;
    ledger_id: string | null;
    state: "queued" | "synced" | "failed";
    version: Generated<bigint>;
    reason: string | null;
    attempts: Generated<number>;
    lease_until: Timestamp | null;
    next_attempt_at: Timestamp | null;
    synced_at: Timestamp | null;
    updated_at: Generated<Timestamp>;
    previous: string | null;
    is_answered: Generated<boolean>;
    unsure_until: Timestamp | null;
    given_up: string | null;
  };
  intents: {
    account_id: string;
    id: string;
    kind: "invoice" | "credit_note" | "voucher";
    payload: string;
    payload_hash: Buffer;
    actor_kind: string;
    actor_id: string;
    attempts: Generated<number>;
    last_outcome: string | null;
    lease_until: Timestamp;
    next_attempt_at: Timestamp;
    created_at: Generated<Timestamp>;
    document_id: string;
    connection_id: string | null;
    state: Generated<"booking" | "unknown" | "pending" | "parked" | "settled" | "released">;
    accounts: Generated<string>;
    called_at: Timestamp | null;
    looks: Generated<number>;
    absent_at: Timestamp | null;
    reason: string | null;
    settled_at: Timestamp | null;
    sweep_at: Timestamp | null;
    ledger_id: string | null;
    ledger_number: bigint | null;
    guid: string | null;
    former_guids: Generated<string[]>;
    returned: Generated<number>;
  };
  intent_calls: {
    account_id: string;
    intent_id: string;
    id: string;
    at: Timestamp;
    verb: string;
    outcome: string;
    status: string | null;
    ms: number;
  };
}
