/** The tables of frozen documents and of the search, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { Generated } from "./columns.ts";

export interface DocumentTables {
  issued_documents: {
    account_id: string;
    document_id: string;
    kind: "invoice" | "credit_note" | "statement" | "reminder";
    number: bigint | null;
    snapshot: string;
    payload_hash: Buffer;
    created_at: Generated<Timestamp>;
    net: bigint | null;
    gross: bigint | null;
    ledger_connection_id: string | null;
    ledger_year: number | null;
    currency: string | null;
  };
  einvoice_files: {
    account_id: string;
    id: string;
    document_id: string;
    format: "peppol-bis-3" | "oioubl-2.1" | "factur-x";
    receiver: string;
    corrections: string;
    content: Buffer;
    sha256: Buffer;
    made_at: Generated<Timestamp>;
  };
  einvoice_connections: {
    account_id: string;
    id: string;
    kind: "folder" | "sftp" | "phoss-ap";
    is_current: Generated<boolean>;
    settings: string;
    key_id: string;
    sealed_secrets: Buffer;
    state: Generated<"connected" | "unauthorized" | "unavailable">;
    last_error: string | null;
    checked_at: Timestamp | null;
    created_at: Generated<Timestamp>;
    updated_at: Generated<Timestamp>;
    answers_read_at: Timestamp | null;
    failures: Generated<number>;
    next_probe_at: Timestamp | null;
    pauses: Generated<number>;
    reports: Generated<boolean>;
    formats: Generated<string[]>;
  };
  customer_statements: {
    account_id: string;
    id: string;
    customer_id: string;
    document: string;
    created_at: Timestamp;
  };
  waiting_documents: {
    account_id: string;
    document_id: string;
    weight: number;
    not_before: Timestamp;
  };
  search_words: {
    account_id: string;
    kind: "customer" | "invoice" | "product";
    word: string;
    id: string;
  };
}
