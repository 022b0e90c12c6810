/** The table of assistants' plans, as `tables.ts` has the others. */
import type { Generated } from "kysely";
import type { Timestamp } from "../../domain/brand.ts";

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
  };
}
