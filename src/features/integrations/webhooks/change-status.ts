/** Pauses, enables and disables webhook endpoints. Events wait meanwhile, unless they are skipped. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import {
  type EndpointRow,
  type EndpointState,
  getEndpoint,
  headOf,
  lockEndpoint,
  presentEndpoint,
  updateEndpoint,
} from "./queries.ts";

/** The state of an endpoint that works. */
const WORKING = {
  status: "enabled",
  disabled_reason: null,
  failing_since: null,
  failures_in_row: 0,
  probe_at: null,
  probe_wait_s: null,
  mailed_at: null,
} as const;

/** Sends nothing until it is enabled; one that is disabled stays so. Throws NOT_FOUND. */
export const pauseEndpoint = defineCommand({
  name: "pause_webhook_endpoint",
  access: "write",
  input: z.object({ ref: Ref }),
  plan: (tx, { ref }) => lockEndpoint(tx, ref),

  async commit(tx, before): Promise<JsonText> {
    if (before.status === "paused" || before.status === "disabled") return presentEndpoint(before);
    return changeStatus(tx, before, { ...WORKING, status: "paused" }, "updated");
  },
});

/** Resumes where it stood, also after it was disabled; with `skip` at the last event. Throws NOT_FOUND. */
export const enableEndpoint = defineCommand({
  name: "enable_webhook_endpoint",
  access: "write",
  input: z.object({ ref: Ref, skip: z.boolean() }),

  async plan(tx, { ref, skip }) {
    const before = await lockEndpoint(tx, ref);
    const read_through = skip ? await headOf(tx) : before.read_through;
    return { before, skip, read_through };
  },

  async commit(tx, { before, skip, read_through }): Promise<JsonText> {
    const has_failed = before.status === "failing" || before.status === "disabled";
    if (
      before.status === "enabled" &&
      (!skip || (before.pending === 0 && before.read_through === read_through))
    ) {
      return presentEndpoint(before);
    }
    const recovered_at = has_failed ? timestampOf(Date.now()) : before.recovered_at;
    const { account_id } = tx.caller;
    tx.write(
      skip
        ? sql`update webhook_deliveries set status = 'skipped', next_attempt_at = null, settled_at = (select clock_timestamp())
            where account_id = ${account_id} and endpoint_id = ${before.id} and status = 'pending'`
        : sql`update webhook_deliveries set next_attempt_at = null
            where account_id = ${account_id} and endpoint_id = ${before.id} and status = 'pending'`,
    );
    return changeStatus(tx, before, { ...WORKING, recovered_at, read_through }, "updated");
  },
});

/** Disables it for the operator, until it is enabled. Throws NOT_FOUND. */
export const disableEndpoint = defineCommand({
  name: "disable_webhook_endpoint",
  access: "write",
  input: z.object({ ref: Ref }),
  plan: (tx, { ref }) => lockEndpoint(tx, ref),

  async commit(tx, before): Promise<JsonText> {
    if (before.disabled_reason === "operator") return presentEndpoint(before);
    const state = { ...WORKING, status: "disabled", disabled_reason: "operator" } as const;
    return changeStatus(tx, before, state, "disabled");
  },
});

async function changeStatus(
  tx: Tx,
  before: EndpointState,
  state: Partial<EndpointRow>,
  action: "updated" | "disabled",
): Promise<JsonText> {
  updateEndpoint(tx, before.id, { ...state, updated_at: timestampOf(Date.now()) });
  const document = presentEndpoint(await getEndpoint(tx, before.id));
  tx.audit("webhook_endpoint", before.id, action, {
    before: presentEndpoint(before),
    after: document,
  });
  return document;
}
