/** The tables of assistants' plans and of repeated requests, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { Generated } from "./columns.ts";

export interface PlanTables {
  plans: {
    account_id: string;
    id: string;
    user_id: string;
    grant_id: string;
    tool: string;
    role: "admin" | "standard";
    input: string;
    fingerprint: Buffer;
    shown: string;
    state: "open" | "begun" | "committed" | "ended";
    ended_by: string | null;
    result: string | null;
    created_at: Generated<Timestamp>;
    expires_at: Timestamp;
    words: string | null;
  };
  idempotency_keys: {
    account_id: string;
    key: string;
    request_hash: Buffer;
    claim: string;
    lease_until: Timestamp;
    committed: string | null;
    status: number | null;
    answer: string | null;
    expires_at: Timestamp;
    process: string | null;
  };
}
