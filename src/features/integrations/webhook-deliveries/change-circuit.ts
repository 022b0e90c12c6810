/** Stores the state of an endpoint that an attempt has changed, with its event. */
import * as z from "zod";
import type { Timestamp } from "../../../domain/base/brand.ts";
import type { Circuit, CircuitNews } from "../../../domain/webhooks/circuit.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { getEndpoint, lockEndpoint, presentEndpoint, updateEndpoint } from "../webhooks/queries.ts";

/** The state that a change of the circuit stores. */
const StoredCircuit = z.object({
  id: z.string(),
  holder: z.string(),
  action: z.enum(["failing", "recovered", "disabled"]).nullable(),
  circuit: z.custom<Circuit>(),
});

/**
 * Stores the circuit of an endpoint with its event; after a recovery everything that waits is due. Returns false where a person has
 * paused or changed it meanwhile, or another process holds it: nothing is stored then.
 */
export const changeCircuit = defineCommand({
  name: "change_webhook_circuit",
  access: "write",
  input: StoredCircuit,

  async plan(tx, { id, holder, action, circuit }) {
    const before = await lockEndpoint(tx, id);
    const is_sent_to = before.status === "enabled" || before.status === "failing";
    return { before, action, circuit, applies: is_sent_to && before.holder === holder };
  },

  async commit(tx, { before, action, circuit, applies }): Promise<boolean> {
    if (!applies) return false;
    const { status, disabled_reason, failures_in_row, probe_wait_ms } = circuit;
    updateEndpoint(tx, before.id, {
      status,
      disabled_reason,
      failures_in_row,
      failing_since: momentOf(circuit.failing_since),
      probe_at: momentOf(circuit.probe_at),
      probe_wait_s: probe_wait_ms === null ? null : Math.round(probe_wait_ms / 1_000),
      recovered_at: momentOf(circuit.recovered_at),
      mailed_at: momentOf(circuit.mailed_at),
    });
    if (action === "recovered") {
      tx.write(sql`update webhook_deliveries set next_attempt_at = ${momentOf(circuit.recovered_at)}
        where account_id = ${tx.caller.account_id} and endpoint_id = ${before.id} and status = 'pending' and not is_test`);
    }
    if (action === null) return true;
    const after = presentEndpoint(await getEndpoint(tx, before.id));
    tx.audit("webhook_endpoint", before.id, action, { before: presentEndpoint(before), after });
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
