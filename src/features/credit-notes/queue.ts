/** The queue of credit notes that cancellations have raised (spec 4.11): issued by the scheduler, with retries. */

import { Problem } from "../../domain/base/problem.ts";
import { run } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { sql } from "../../platform/database/sql.ts";
import { isUnavailable } from "../../platform/database/unavailable.ts";
import { transact } from "../../platform/tx.ts";
import { issueCreditNote } from "./create.ts";
import { postpone } from "./retry.ts";

/** The part of a scheduler run that is about credit notes. */
interface QueueOutcome {
  readonly credit_notes_issued: string[];
  readonly credit_notes_failed: { readonly id: string; readonly code: string }[];
}

/**
 * Issues what is queued and due by the account's clock, the oldest first, until the deadline
 * (milliseconds of the real clock). Throws nothing for a refusal: that one is tried again later.
 */
export async function issueQueuedCreditNotes(cx: Context, deadline: number): Promise<QueueOutcome> {
  const outcome: QueueOutcome = { credit_notes_issued: [], credit_notes_failed: [] };
  const queued = await cx.rows<{
    id: string;
    queue_attempts: number;
  }>(sql`select id, queue_attempts from credit_notes
     where account_id = ${cx.caller.account_id} and queue_state is not null and next_attempt_at <= ${cx.clock.now()} order by id`);
  for (const { id, queue_attempts } of queued) {
    if (Date.now() > deadline) break;
    try {
      await run(issueCreditNote, cx, { ref: id });
      outcome.credit_notes_issued.push(id);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // Two runs at once: the other one has issued it.
      if (error instanceof Problem && error.code === "CREDIT_NOTE_ALREADY_ISSUED") continue;
      if (!(error instanceof Problem))
        cx.log.error({ err: error, credit_note_id: id }, "not issued");
      const code = error instanceof Problem ? error.code : "INTERNAL_ERROR";
      // A booking that is under way is no failure: the worker goes on with it.
      if (code !== "LEDGER_UNAVAILABLE")
        await transact(cx, async (tx) => postpone(tx, id, queue_attempts));
      outcome.credit_notes_failed.push({ id, code });
    }
  }
  return outcome;
}
