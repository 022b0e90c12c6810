/** What a caller is told of a booking that did not happen. A ledger's own words stay in the log. */
import { Problem } from "../../domain/base/problem.ts";
import type { Booked, BookOutcome } from "../../ledger/ledger.ts";

/** What did not book. */
export type Unsettled = Exclude<BookOutcome, Booked>;

/** What a route that issues an invoice may answer of the invoice and its booking. */
export const issueRefusals = [
  "INVOICE_ALREADY_ISSUED",
  "INVOICE_ISSUE_IN_PROGRESS",
  "INVOICE_EMPTY",
  "CUSTOMER_INACTIVE",
  "PERIOD_LOCKED",
  "LEDGER_NOT_CONNECTED",
  "EXCHANGE_RATE_MISSING",
  "INVOICE_INCOMPLETE",
  "LEDGER_MAPPING_MISSING",
  "LEDGER_REJECTED",
  "LEDGER_UNAVAILABLE",
] as const;

const USUAL_RETRY_MS = 5_000;

/** Throws the refusal that a caller sees for a booking that did not happen. */
export function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state === "booked") return outcome;
  throw refusalOf(outcome);
}

export function refusalOf(outcome: Unsettled): Problem {
  if (outcome.state === "unauthorized") {
    const message =
      "The connection to the accounting system does not work any more: what has begun waits for it, and goes on by itself.";
    return new Problem("LEDGER_NOT_CONNECTED", { message });
  }
  if (outcome.state !== "rejected") {
    const told_ms = outcome.state === "not_started" ? outcome.retry_after_ms : undefined;
    const retry_after_seconds = Math.max(1, Math.ceil((told_ms ?? USUAL_RETRY_MS) / 1_000));
    return new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds });
  }
  if (outcome.code === "PERIOD_LOCKED") return new Problem("PERIOD_LOCKED");
  return new Problem("LEDGER_REJECTED", { details: { reason: outcome.code } });
}
