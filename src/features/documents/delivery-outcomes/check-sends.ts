/** Checks documents that a connected ledger sends: asks the ledger for the outcomes, and stores them on the deliveries. */
import { eventOfOutcome } from "../../../domain/einvoice/einvoice-delivery.ts";
import { afterLook } from "../../../domain/sales/delivery.ts";
import type { LedgerSend } from "../../../ledger/connected.ts";
import { callWithin } from "../../../platform/commands/connected-ledger.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { madeAt } from "../../../platform/runtime/id.ts";
import { type DeliveryRow, SHOWN } from "../deliveries/read-ahead.ts";
import { type DeliveryListener, noteEvent, recordOutcome } from "../deliveries/store-outcome.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import { ledgerGuidOf } from "../issued/queries.ts";
import { printingLedger } from "../issued/read-pdf.ts";

/** The time limit for the ledger's response. */
const TIMEOUT_MS = 15_000;
/** Longer than the time limit: until then, the check is leased to one process. */
const LEASE = raw("interval '1 minute'");

interface Looking extends DeliveryRow {
  readonly kind: "invoice" | "credit_note";
  readonly ledger_guid: string;
  readonly ledger_send_id: string | null;
  /** The number of checks, including this one. */
  readonly looks: number;
}

/** Checks the sending that has waited longest; returns whether there was one. */
export async function settleSend(cx: Context, notify?: DeliveryListener): Promise<boolean> {
  const looking = await takeLook(cx);
  if (looking === undefined) return false;
  const { kind, document_id, ledger_guid } = looking;
  const ledger = printingLedger(await inItsLedger(cx, document_id));
  if (ledger?.sends === undefined) {
    // The ledger that sent it is not available any more: nothing tells what became of the sending.
    await cx.rows(sql`update deliveries set next_look_at = null
      where account_id = ${cx.caller.account_id} and id = ${looking.id} and looks = ${looking.looks}`);
    return true;
  }
  const known = await ledger
    .sends(kind, ledger_guid, callWithin(cx, TIMEOUT_MS))
    .catch((cause: unknown) => ({ state: "unknown" as const, cause }));
  if (known.state !== "sends") {
    cx.log.warn(
      { document_id, outcome: known.state, err: known.cause },
      "no answer about a sending",
    );
    await cx.rows(sql`update deliveries set looks = looks - 1
      where account_id = ${cx.caller.account_id} and id = ${looking.id} and looks = ${looking.looks}`);
    return true;
  }
  await transact(cx, (tx) => store(tx, looking, known.sends, notify));
  return true;
}

async function takeLook(cx: Context): Promise<Looking | undefined> {
  const { account_id } = cx.caller;
  const taken = await cx.row<Omit<Looking, "kind" | "ledger_guid">>(sql`update deliveries d
    set looks = looks + 1, next_look_at = (select clock_timestamp() + ${LEASE})
    where d.account_id = ${account_id} and d.id = (
      select id from deliveries where account_id = ${account_id} and next_look_at <= statement_timestamp()
      order by next_look_at limit 1 for update skip locked)
    returning ${raw(SHOWN)}, ledger_send_id, looks`);
  const document =
    taken &&
    (await cx.row<
      Pick<Looking, "kind" | "ledger_guid">
    >(sql`select i.kind, ${ledgerGuidOf(sql`i`)} as ledger_guid
      from issued_documents i where i.account_id = ${account_id} and i.document_id = ${taken.document_id}`));
  return document && { ...taken, ...document };
}

async function store(
  tx: Tx,
  looking: Looking,
  sends: readonly LedgerSend[],
  notify: DeliveryListener | undefined,
): Promise<void> {
  const { account_id } = tx.caller;
  const { id, looks } = looking;
  const before = await tx.row<DeliveryRow>(sql`select ${raw(SHOWN)} from deliveries
    where account_id = ${account_id} and id = ${id} and looks = ${looks} for no key update`);
  // The delivery has been sent again in the meantime, or another process has checked it.
  if (before === undefined || (before.state !== "accepted" && before.state !== "unknown")) return;
  const others = await tx.rows<{ ledger_send_id: string | null }>(sql`
    select ledger_send_id from deliveries
    where account_id = ${account_id} and document_id = ${looking.document_id} and id <> ${id} and ledger_send_id is not null`);
  const sending = sendingOf(looking, sends, new Set(others.map((one) => one.ledger_send_id)));
  const { state, minutes_until_look } = afterLook(before.state, looks, sending?.state ?? null);
  const send_error = errorOf(state, sending);
  const error_code = send_error === null ? null : `ledger_${sending?.event ?? "unconfirmed"}`;
  const after =
    await tx.row<DeliveryRow>(sql`update deliveries set state = ${state}, send_error = ${send_error},
      error_code = ${error_code},
      ledger_send_id = coalesce(${sending?.id ?? null}, ledger_send_id), updated_at = (select clock_timestamp()),
      next_look_at = (select clock_timestamp() + ${minutes_until_look}::int * interval '1 minute'), next_attempt_at = (select clock_timestamp())
    where account_id = ${account_id} and id = ${id} returning ${raw(SHOWN)}`);
  if (after === undefined) throw new Error(`there is no delivery ${id}`);
  if (before.state === after.state && before.send_error === after.send_error) return;
  noteEvent(tx, id, eventOfOutcome({ ...after, error_code }));
  await recordOutcome(tx, before, after, notify);
}

/** The tolerated difference between clocks. */
const SKEW_MS = 120_000;

/** Returns the ledger's sending of a delivery: the one found before, else the first of its channel not in `others`. */
function sendingOf(
  { id, channel, ledger_send_id }: Looking,
  sends: readonly LedgerSend[],
  others: ReadonlySet<string | null>,
): LedgerSend | undefined {
  const since = madeAt(id) - SKEW_MS;
  return ledger_send_id === null
    ? sends.find(
        (one) => one.channel === channel && !others.has(one.id) && Date.parse(one.at) >= since,
      )
    : sends.find((one) => one.id === ledger_send_id);
}

function errorOf(state: string, sending: LedgerSend | undefined): string | null {
  if (state === "failed_permanent") {
    // A single word from the ledger, of limited length.
    const event = /^[A-Za-z]{1,40}$/.test(sending?.event ?? "") ? `: ${sending?.event}` : "";
    return `the ledger could not deliver the document${event}`;
  }
  if (state === "failed_temporary")
    return "the ledger has not sent the document; it is tried again";
  return state === "unknown"
    ? "the sending is unconfirmed: the ledger is asked whether it has sent the document"
    : null;
}
