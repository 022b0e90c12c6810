/** Refusals that a caller sees for a failed booking. The ledger's own messages stay in the log. */
import { lockedInLedger } from "../../../domain/base/period-lock.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { Booked, BookOutcome } from "../../../ledger/ledger.ts";
import type { RejectCode } from "../../../ledger/outcome.ts";
import { ledgerTitle } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";

/** An outcome other than a booking. */
export type Unsettled = Exclude<BookOutcome, Booked>;

/** The refusals of a route that issues an invoice: of the invoice, and of its booking. */
export const issueRefusals = [
  "INVOICE_ALREADY_ISSUED",
  "INVOICE_ISSUE_IN_PROGRESS",
  "INVOICE_EMPTY",
  "CUSTOMER_INACTIVE",
  "PERIOD_LOCKED",
  "LEDGER_MOVING",
  "LEDGER_NOT_CONNECTED",
  "EXCHANGE_RATE_MISSING",
  "INVOICE_INCOMPLETE",
  "EINVOICE_INCOMPLETE",
  "LEDGER_MAPPING_MISSING",
  "LEDGER_REJECTED",
  "LEDGER_UNAVAILABLE",
] as const;

const USUAL_RETRY_MS = 5_000;
const TOO_SLOW =
  "The accounting system answers too slowly. Nothing is lost: repeat the call, and it continues where it stopped.";

/** Returns the booking, or throws the refusal that a caller sees for a failed booking. */
export function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state === "booked") return outcome;
  throw refusalOf(outcome, null);
}

/** The details of a refusal: the accounting system, and the date and currency of the document. */
interface Refused {
  readonly ledger: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly currency: string;
}

/** Returns the refusal that a caller sees; `refused` is null for the built-in ledger, which refuses no date at this step. */
export function refusalOf(outcome: Unsettled, refused: Refused | null): Problem {
  if (outcome.state === "unauthorized") {
    const message =
      "The connection to the accounting system no longer works: bookings that have begun wait for it, and continue automatically.";
    return new Problem("LEDGER_NOT_CONNECTED", { message });
  }
  if (outcome.state !== "rejected") {
    const retry_after_ms = outcome.state === "not_started" ? outcome.retry_after_ms : undefined;
    const retry_after_seconds = Math.max(1, Math.ceil((retry_after_ms ?? USUAL_RETRY_MS) / 1_000));
    const is_slow = "reason" in outcome && outcome.reason === "timeout";
    return new Problem("LEDGER_UNAVAILABLE", {
      ...(is_slow && { message: TOO_SLOW }),
      retry_after_seconds,
    });
  }
  if (outcome.code === "PERIOD_LOCKED" && refused !== null) {
    return lockedInLedger(refused.date, refused.ledger);
  }
  if (outcome.code === "RATE_MISSING" && refused !== null) {
    const { currency, date } = refused;
    return new Problem("EXCHANGE_RATE_MISSING", { details: { currency, date } });
  }
  return new Problem("LEDGER_REJECTED", { details: { reason: outcome.code } });
}

/**
 * Returns the refusals that callers see for documents that the ledger has refused, by document. Documents whose later booking
 * had another outcome are left out, and those that a person released.
 */
export async function readRefusals(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, Problem>> {
  const rows = await cx.rows<{
    document_id: string;
    reason: string | null;
    date: string;
    currency: string;
  }>(sql`select t.document_id, t.reason, t.payload::json ->> 'issue_date' as date,
      t.payload::json ->> 'currency' as currency
    from intents t
    where t.account_id = ${cx.caller.account_id} and t.document_id = any(${document_ids}) and t.state = 'released'
      and not exists (select from intents o where o.account_id = t.account_id and o.document_id = t.document_id
        and o.created_at > t.created_at)`);
  const ledger = ledgerTitle(cx.ledger);
  return new Map(
    rows.flatMap(({ document_id, reason, date, currency }) => {
      if (reason === null || !CODE.test(reason)) return [];
      const rejected = { state: "rejected", code: reason as RejectCode } as const;
      return [[document_id, refusalOf(rejected, { ledger, date, currency })]];
    }),
  );
}

/** The reason that a person gives is a sentence. */
const CODE = /^[A-Z_]+$/;
