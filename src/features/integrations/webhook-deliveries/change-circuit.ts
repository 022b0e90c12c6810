/** Stores the state of an endpoint that an attempt has changed, with its event. */
import * as z from "zod";
import type { Timestamp } from "../../../domain/base/brand.ts";
import { type Circuit, type CircuitNews, isSentTo } from "../../../domain/webhooks/circuit.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import {
  getEndpoint,
  lockEndpointRow,
  presentEndpoint,
  updateEndpoint,
} from "../webhooks/queries.ts";

/** The state that a change of the circuit stores. */
const StoredCircuit = z.object({
  id: z.string(),
  holder: z.string(),
  action: z.enum(["failing", "recovered", "disabled"]).nullable(),
  circuit: z.custom<Circuit>(),
  /** The deliveries that wait for their next attempts. */
  planned: z.array(z.string()),
});

/**
 * Stores the circuit of an endpoint with its event; after a recovery everything that waits is due. Returns false where a person has
 * paused or changed it meanwhile, or another process holds it: nothing is stored then.
 */
export const changeCircuit = defineCommand({
  name: "change_webhook_circuit",
  access: "write",
  input: StoredCircuit,

  async plan(tx, { id, holder, action, circuit, planned }) {
    const row = await lockEndpointRow(tx, id);
    // What waits is counted for an event alone: a probe that fails must not cost more with every event that waits.
    const before = action === null ? null : await getEndpoint(tx, id);
    return {
      id,
      before,
      action,
      circuit,
      planned,
      applies: isSentTo(row) && row.holder === holder,
    };
  },

  async commit(tx, { id, before, action, circuit, planned, applies }): Promise<boolean> {
    if (!applies) return false;
    const { status, disabled_reason, failures_in_row, probe_wait_ms } = circuit;
    const changes = {
      status,
      disabled_reason,
      failures_in_row,
      failing_since: momentOf(circuit.failing_since),
      probe_at: momentOf(circuit.probe_at),
      probe_wait_s: probe_wait_ms === null ? null : Math.round(probe_wait_ms / 1_000),
      recovered_at: momentOf(circuit.recovered_at),
      mailed_at: momentOf(circuit.mailed_at),
    };
    updateEndpoint(tx, id, changes);
    if (action === "recovered") {
      tx.write(sql`update webhook_deliveries set next_attempt_at = ${momentOf(circuit.recovered_at)}
        where account_id = ${tx.caller.account_id} and id = any(${planned}::uuid[]) and settled_at is null`);
    }
    if (action === null || before === null) return true;
    const after = presentEndpoint({ ...before, ...changes });
    tx.audit("webhook_endpoint", id, action, { before: presentEndpoint(before), after });
    return true;
  },
});

/** Returns the action of the event that tells news; null for what is mailed alone, and for none. */
export function actionOf(news: CircuitNews): "failing" | "recovered" | "disabled" | null {
  return news === "still_failing" || news === "probe_failed" ? null : news;
}

function momentOf(milliseconds: number | null): Timestamp | null {
  return milliseconds === null ? null : timestampOf(milliseconds);
}
