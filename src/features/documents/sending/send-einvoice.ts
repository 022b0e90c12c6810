/**
 * Hands an e-invoice over through the connection of the account. An adapter may be slow or silent: what is in doubt is `unknown`
 * and is looked up under its id, never handed over again by itself (spec 14.8).
 */
import { Problem } from "../../../domain/base/problem.ts";
import {
  secondsUntilCheck,
  secondsUntilLook,
  UNCONFIRMED,
} from "../../../domain/einvoice/einvoice-delivery.ts";
import { addressText, sellerOf } from "../../../domain/einvoice/parties-from-snapshot.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Submission, SubmitOutcome } from "../../../einvoice/access-point.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  accessPointOf,
  type OpenedAccessPoint,
} from "../einvoice-connections/open-access-point.ts";
import {
  type PreparedFile,
  prepareFile,
  readFileSource,
} from "../einvoice-files/einvoice-files.ts";
import { readReceiver } from "../einvoice-files/read-electronic-invoice.ts";

/** What an attempt to hand over has led to. */
export interface EinvoiceOutcome {
  readonly state:
    | "queued"
    | "written_to_outbox"
    | "accepted"
    | "delivered"
    | "failed_temporary"
    | "failed_permanent"
    | "unknown";
  readonly error_code: string | null;
  readonly error_text: string | null;
  readonly delivered_at: string | null;
  /** Seconds until the first look; null without one. */
  readonly look_seconds: number | null;
}

/** An e-invoice that may be handed over. */
export interface PreparedEinvoice {
  readonly opened: OpenedAccessPoint;
  readonly submission: Submission;
  readonly file: Pick<PreparedFile, "storing" | "stored_id"> & { readonly sha256: string };
}

/** The delivery that is attempted. */
interface EinvoiceDelivery {
  readonly id: string;
  readonly document_id: string;
  readonly address: string | null;
  readonly at: string;
  readonly corrections: string | null;
  readonly is_copied: boolean;
}

/** The time limits of preparing and of handing over, which an access point may need a minute for. Both are within the lease. */
const PREPARE_MS = 20_000;
const SUBMIT_MS = 60_000;
/** Calls in a row without an answer that open the circuit. */
const SILENT_CALLS = 3;

/** The failure of an account without a connection. */
export const NOT_CONFIGURED: EinvoiceOutcome = failed(
  "failed_permanent",
  "einvoice_not_configured",
  "e-invoice sending is not configured",
);

/** Makes the file and prepares its handing over; returns the outcome instead where that ends the attempt. */
export async function prepareEinvoice(
  cx: Reader,
  delivery: EinvoiceDelivery,
  snapshot: DocumentSnapshot,
): Promise<PreparedEinvoice | EinvoiceOutcome> {
  const reads = asOneStatement(cx);
  const [opened, receiver, source] = await Promise.all([
    accessPointOf(cx, reads),
    readReceiver(reads, snapshot.customer.id),
    readFileSource(reads, delivery.document_id),
  ]);
  if (opened === null) return NOT_CONFIGURED;
  // The original of this restored copy may have handed it over: it is looked up first.
  if (delivery.is_copied) return { ...IN_DOUBT, error_code: "restored_copy", look_seconds: 0 };
  const { state, access_point } = opened;
  if (state !== "connected") return WAITS[state];
  const made = await makeFile(cx, delivery, { opened, receiver, source });
  if ("state" in made) return made;
  const { file, submission } = made;
  const signal = AbortSignal.timeout(PREPARE_MS);
  const outcome = (await access_point.prepare?.(submission, { signal })) ?? null;
  if (outcome === null) return { opened, submission, file };
  await noteSilence(cx, opened, outcome);
  return outcomeOf(cx, outcome, opened);
}

type MadeFile = Pick<PreparedEinvoice, "file" | "submission">;

/** What the file of a delivery is made from, read together. */
interface MakingAhead {
  readonly opened: OpenedAccessPoint;
  readonly receiver: Awaited<ReturnType<typeof readReceiver>>;
  readonly source: Awaited<ReturnType<typeof readFileSource>>;
}

async function makeFile(
  cx: Reader,
  { id, document_id, address, at, corrections }: EinvoiceDelivery,
  { opened, receiver: customer, source }: MakingAhead,
): Promise<MadeFile | EinvoiceOutcome> {
  const { format } = customer;
  const { snapshot } = source.issued;
  const receiver = address ?? customer.address;
  const carried = opened.access_point.formats.find((one) => one === format);
  if (carried === undefined) {
    const text = `the connection does not carry the format ${format}`;
    return failed("failed_permanent", "einvoice_format", text);
  }
  try {
    const asked = { format, receiver, corrections: JSON.parse(corrections ?? "{}") };
    const { content, ...file } = await prepareFile(cx, document_id, asked, source);
    const { endpoint } = sellerOf(snapshot);
    if (receiver === null || endpoint === null) throw new Error("an e-invoice has no addresses");
    const sender = addressText(endpoint);
    const { kind } = snapshot;
    const of_file = { sender, receiver, format: carried, kind, xml: content };
    const submission = { delivery_id: id, at, ...of_file };
    return { file: { ...file, sha256: file.sha256.toString("hex") }, submission };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "EINVOICE_INCOMPLETE") throw error;
    const missing = (error.extras.details as { missing?: string[] } | undefined)?.missing ?? [];
    const text = `the e-invoice lacks ${missing.join(", ")}`;
    return failed("failed_permanent", "einvoice_incomplete", text);
  }
}

/** Hands the e-invoice over; never throws. */
export async function submitEinvoice(
  cx: Reader,
  { opened, submission }: PreparedEinvoice,
): Promise<EinvoiceOutcome> {
  const { delivery_id } = submission;
  try {
    const call = { signal: AbortSignal.timeout(SUBMIT_MS) };
    const outcome = await opened.access_point.submit(submission, call);
    if (outcome.state === "unknown" || outcome.state === "refused") {
      const { state, code, text } = outcome;
      const level = outcome.state === "refused" && code === "einvoice_invalid" ? "error" : "warn";
      cx.log[level]({ delivery_id, outcome: state, code, text }, "an e-invoice was not confirmed");
    }
    await noteSilence(cx, opened, outcome);
    return outcomeOf(cx, outcome, opened);
  } catch (err) {
    cx.log.error({ err, delivery_id }, "the sending of an e-invoice failed");
    return IN_DOUBT;
  }
}

/** How long the caller of an issue waits for the other side, in milliseconds. */
export function mostWaitOf({ opened }: PreparedEinvoice): number {
  return opened.access_point.most_wait_ms ?? MOST_WAIT_MS;
}

const MOST_WAIT_MS = 10_000;

const WAITS = {
  unauthorized: waits("unauthorized", "the connection for e-invoices was refused: it is checked"),
  unavailable: waits("unavailable", "the connection for e-invoices does not answer: it waits"),
} as const;

/** In doubt: the outcome of the call is asked for later. */
const IN_DOUBT: EinvoiceOutcome = {
  state: "unknown",
  error_code: "unconfirmed",
  error_text: UNCONFIRMED,
  delivered_at: null,
  look_seconds: secondsUntilLook(0),
};

function failed(state: EinvoiceOutcome["state"], error_code: string, text: string) {
  const error_text = text.slice(0, 500);
  return { state, error_code, error_text, delivered_at: null, look_seconds: null };
}

function waits(code: string, text: string): EinvoiceOutcome {
  return failed("queued", `einvoice_${code}`, text);
}

function outcomeOf(
  cx: Reader,
  outcome: SubmitOutcome,
  { access_point }: OpenedAccessPoint,
): EinvoiceOutcome {
  const look_seconds = secondsUntilLook(0);
  const good = { error_code: null, error_text: null, delivered_at: null, look_seconds };
  switch (outcome.state) {
    case "delivered": {
      const look = outcome.is_final ? null : look_seconds;
      return {
        ...good,
        state: "delivered",
        delivered_at: outcome.at ?? cx.clock.now(),
        look_seconds: look,
      };
    }
    case "accepted":
      return {
        ...good,
        state: "accepted",
        look_seconds: access_point.reports ? look_seconds : null,
      };
    case "written":
      return { ...good, state: "written_to_outbox" };
    case "refused":
      return failed("failed_permanent", outcome.code, outcome.text);
    case "not_taken":
      return outcome.connection === null
        ? failed("failed_temporary", outcome.code, outcome.text)
        : WAITS[outcome.connection];
    case "unknown":
      return { ...IN_DOUBT, error_code: outcome.code };
  }
}

/**
 * Counts calls without an answer. After three in a row, or when the other side is away, nothing is handed over until a check, which
 * comes later each time that submissions fail after a good one. Calls that were made at once count as one.
 */
async function noteSilence(
  cx: Reader,
  { connection_id, failures, pauses }: OpenedAccessPoint,
  outcome: SubmitOutcome,
): Promise<void> {
  const own = sql`account_id = ${cx.caller.account_id} and id = ${connection_id}`;
  const checked_at = sql`(select clock_timestamp() + make_interval(secs => ${secondsUntilCheck(pauses)}))`;
  if (outcome.state === "unknown") {
    const opens = sql`failures + 1 >= ${SILENT_CALLS} and pauses = ${pauses}`;
    await cx.rows(sql`update einvoice_connections set failures = failures + 1,
        state = case when ${opens} then 'unavailable' else state end,
        last_error = case when ${opens} then ${outcome.text} else last_error end,
        next_probe_at = case when ${opens} then ${checked_at} else next_probe_at end,
        pauses = case when ${opens} then pauses + 1 else pauses end
      where ${own}`);
  } else if (outcome.state === "not_taken" && outcome.connection !== null) {
    await cx.rows(sql`update einvoice_connections
      set next_probe_at = ${checked_at}, pauses = pauses + 1 where ${own} and pauses = ${pauses}`);
  } else if (failures > 0 || pauses > 0) {
    await cx.rows(sql`update einvoice_connections set failures = 0, pauses = 0 where ${own}`);
  }
}
