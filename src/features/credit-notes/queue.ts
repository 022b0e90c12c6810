/** The queue of credit notes that cancellations have raised (domain.md 4.11): issued by the scheduler, with retries. */
import { Problem } from "../../domain/problem.ts";
import { run } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { issueCreditNote } from "./create.ts";

export interface QueueOutcome {
  readonly credit_notes_issued: string[];
  readonly credit_notes_failed: { readonly id: string; readonly code: string }[];
}

/** The same pauses as for occurrences: hours until the next try, seven in all. */
const HOURS_UNTIL_RETRY = [1, 6, 24, 24, 24, 24, 24];

/** Issues what is queued, the oldest first, until the deadline (milliseconds). */
export async function issueQueuedCreditNotes(cx: Context, deadline: number): Promise<QueueOutcome> {
  const outcome: QueueOutcome = { credit_notes_issued: [], credit_notes_failed: [] };
  const queued = await query<{ id: string }>(
    cx.db,
    `select id from credit_notes
     where account_id = $1 and queue_state is not null and next_attempt_at <= $2 order by id`,
    [cx.caller.account_id, cx.clock.now()],
  );
  for (const { id } of queued) {
    if (Date.now() > deadline) break;
    try {
      await run(issueCreditNote, cx, { ref: id });
      outcome.credit_notes_issued.push(id);
    } catch (error) {
      // Two runs at once: the other one has issued it.
      if (error instanceof Problem && error.code === "CREDIT_NOTE_ALREADY_ISSUED") continue;
      if (!(error instanceof Problem))
        cx.log.error({ err: error, credit_note_id: id }, "not issued");
      const code = error instanceof Problem ? error.code : "INTERNAL_ERROR";
      await postpone(cx, id);
      outcome.credit_notes_failed.push({ id, code });
    }
  }
  return outcome;
}

async function postpone(cx: Context, id: string): Promise<void> {
  const now = Date.parse(cx.clock.now());
  const times = HOURS_UNTIL_RETRY.map((hours) => new Date(now + hours * 3_600_000).toISOString());
  await query(
    cx.db,
    `update credit_notes set queue_state = 'failed', queue_attempts = queue_attempts + 1,
       next_attempt_at = ($3::timestamptz[])[queue_attempts + 1]
     where account_id = $1 and id = $2 and status = 'draft'`,
    [cx.caller.account_id, id, times],
  );
}
