/**
 * Reads the answers of buyers that wait in the folders of connections, in the background: each is stored as one that an access
 * point hands over, and then moved to `in/done` or `in/refused`. A move that fails is repeated, and the answer is then known.
 */
import { Problem } from "../../../domain/base/problem.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../../platform/runtime/services.ts";
import type { DeliveryListener } from "../deliveries/store-outcome.ts";
import { accessPointOf } from "../einvoice-connections/open-access-point.ts";
import { readArrived } from "./read-answer.ts";
import { storingAnswer } from "./store-answer.ts";

/** Connections whose folders were not read within a minute, of all accounts. */
export const dueFolders = sql`from einvoice_connections c where c.is_current and c.kind in ('folder', 'sftp')
  and (c.answers_read_at is null or c.answers_read_at < (select clock_timestamp() - interval '1 minute'))`;

/** The longest list of due connections that other processes may take before this one. */
const SOME = 20;
const READING_MS = 30_000;

/** Reads the folder that was read the longest time ago; returns whether one was due. */
export async function readDueFolder(
  services: Services,
  notify: DeliveryListener,
): Promise<boolean> {
  const account_id = await takeDueFolder(services.db);
  if (account_id === undefined) return false;
  await readFolder(await schedulerContext(services, account_id), notify);
  return true;
}

async function takeDueFolder(db: Reads): Promise<string | undefined> {
  const due = await db.rows<{
    account_id: string;
    id: string;
  }>(
    sql`select c.account_id, c.id ${dueFolders} order by c.answers_read_at nulls first limit ${SOME}`,
  );
  for (const { account_id, id } of due) {
    const taken =
      await db.row(sql`update einvoice_connections set answers_read_at = (select clock_timestamp())
      where account_id = ${account_id} and id = ${id}
        and (answers_read_at is null or answers_read_at < (select clock_timestamp() - interval '1 minute')) returning id`);
    if (taken !== undefined) return account_id;
  }
  return undefined;
}

/** Stores and moves the answers that wait for an account. An answer that fails for a fault of ours stays. */
async function readFolder(cx: Context, notify: DeliveryListener): Promise<void> {
  const opened = await accessPointOf(cx);
  if (opened === null) return;
  const { access_point } = opened;
  const call = { signal: AbortSignal.timeout(READING_MS) };
  const waiting = (await access_point.answers?.(call)) ?? [];
  const storeAnswer = storingAnswer(notify);
  for (const { name, bytes } of waiting) {
    const outcome = await outcomeOf(cx, bytes, storeAnswer).catch((err: unknown) => {
      cx.log.error({ err, name, account_id: cx.caller.account_id }, "an answer was not stored");
    });
    if (outcome !== undefined) await access_point.settleAnswer?.(name, outcome, call);
  }
}

async function outcomeOf(
  cx: Context,
  bytes: Uint8Array,
  storeAnswer: ReturnType<typeof storingAnswer>,
): Promise<"done" | "refused"> {
  try {
    const arrived = await readArrived(bytes, cx.signal);
    const answer = await run(storeAnswer, cx, { arrived, content: bytes, instance_id: null });
    return JSON.parse(answer).outcome === "refused" ? "refused" : "done";
  } catch (error) {
    if (error instanceof Problem && error.code === "MALFORMED_REQUEST") return "refused";
    throw error;
  }
}
