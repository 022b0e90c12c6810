/** Sends one delivery again, whatever became of it: with the same id and body, and with all its attempts before it. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { lockEndpoint, wakeEndpoint } from "../webhooks/queries.ts";
import { getDelivery, presentDelivery } from "./queries.ts";
import { requireRunning } from "./require-running.ts";

/** Makes a delivery wait again, due at once. Throws NOT_FOUND, BACKGROUND_PAUSED. */
export const retryDelivery = defineCommand({
  name: "redeliver_webhook",
  access: "write",
  input: z.object({ id: Uuid }),

  async plan(tx, { id }) {
    const { endpoint_id } = await getDelivery(tx, id);
    await requireRunning(tx);
    await lockEndpoint(tx, endpoint_id);
    return id;
  },

  async commit(tx, id): Promise<JsonText> {
    tx.write(sql`update webhook_deliveries
      set status = 'pending', attempt_count = 0, next_attempt_at = null, settled_at = null
      where account_id = ${tx.caller.account_id} and id = ${id}`);
    const row = await getDelivery(tx, id);
    wakeEndpoint(tx, row.endpoint_id);
    return presentDelivery(row);
  },
});
