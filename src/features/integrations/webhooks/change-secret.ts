/** Gives a webhook endpoint a new secret. For a while the previous one signs too, so that receivers can change theirs. */
import * as z from "zod";
import { defineCommand } from "../../../platform/commands/command.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { secretPlace } from "./mint-secret.ts";
import { lockEndpoint, presentEndpoint, updateEndpoint } from "./queries.ts";

const HOUR_MS = 3_600_000;

/** Replaces the secret by the given one. The previous one signs for so many hours, and one before it no more. Throws NOT_FOUND. */
export const rotateSecret = defineCommand({
  name: "rotate_webhook_secret",
  access: "write",
  input: z.object({ ref: Ref, overlap_hours: z.int(), secret: z.string() }),

  async plan(tx, { ref, overlap_hours, secret }) {
    const before = await lockEndpoint(tx, ref);
    const place = secretPlace(tx.caller.account_id, before.id);
    return { before, overlap_hours, sealed: tx.sealing.seal(secret, place).content };
  },

  async commit(tx, { before, overlap_hours, sealed }): Promise<JsonText> {
    const now = Date.now();
    const has_overlap = overlap_hours > 0;
    const stored = {
      secret_sealed: sealed,
      previous_secret_sealed: has_overlap ? before.secret_sealed : null,
      secret_expires_at: has_overlap ? timestampOf(now + overlap_hours * HOUR_MS) : null,
      updated_at: timestampOf(now),
    };
    updateEndpoint(tx, before.id, stored);
    const document = presentEndpoint({ ...before, ...stored });
    tx.audit("webhook_endpoint", before.id, "secret_rotated", {
      before: presentEndpoint(before),
      after: document,
    });
    return document;
  },
});
