/** The tables of feeds and webhooks, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { ColumnType, Generated, Json } from "./columns.ts";

/** One attempt to deliver an event, as it is stored and shown. */
interface WebhookAttempt {
  readonly at: string;
  readonly duration_ms: number;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** Why there was no answer, such as `unreachable`; null for an answer. */
  readonly error: string | null;
  readonly response_headers: Readonly<Record<string, string>>;
  /** The first 4 kB; null without an answer. */
  readonly response_body: string | null;
}

export interface WebhookTables {
  ended_feeds: {
    account_id: string;
    feed_id: string;
    shared_through: bigint;
    ended_at: Timestamp;
  };
  webhook_endpoints: {
    account_id: string;
    id: string;
    external_id: string | null;
    url: string;
    description: string | null;
    event_types: string[];
    format: "standard" | "text";
    payload: "full" | "thin";
    ordering: "resource" | "account";
    header_names: string[];
    headers_sealed: Buffer | null;
    max_per_second: number;
    secret_sealed: Buffer;
    previous_secret_sealed: Buffer | null;
    secret_expires_at: Timestamp | null;
    status: Generated<"enabled" | "paused" | "failing" | "disabled">;
    disabled_reason: "gone" | "failing" | "operator" | null;
    failing_since: Timestamp | null;
    failures_in_row: Generated<number>;
    probe_at: Timestamp | null;
    probe_wait_s: number | null;
    recovered_at: Timestamp | null;
    mailed_at: Timestamp | null;
    read_through: bigint;
    last_fitting: bigint | null;
    last_success_at: Timestamp | null;
    request_hash: Buffer | null;
    created_at: Timestamp;
    updated_at: Timestamp;
    holder: string | null;
    lease_until: Timestamp | null;
    work_version: Generated<bigint>;
  };
  webhook_deliveries: {
    account_id: string;
    endpoint_id: string;
    id: string;
    event_id: string;
    sequence: bigint | null;
    event_type: string;
    root: string;
    status: "pending" | "delivered" | "dead" | "skipped";
    attempt_count: Generated<number>;
    next_attempt_at: Timestamp | null;
    body: string | null;
    previous_sequence: bigint | null;
    is_test: Generated<boolean>;
    request_headers: ColumnType<Record<string, string> | null, string | null>;
    attempts: Json<readonly WebhookAttempt[]>;
    created_at: Timestamp;
    settled_at: Timestamp | null;
  };
}
