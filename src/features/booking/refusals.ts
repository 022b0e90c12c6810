/** What a caller is told of a booking that did not happen. A ledger's own words stay in the log. */
import { Problem } from "../../domain/base/problem.ts";
import type { Booked, BookOutcome } from "../../ledger/ledger.ts";

/** Throws the refusal that a caller sees for a booking that did not happen. */
export function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state === "booked") return outcome;
  throw refusalOf(outcome);
}

export function refusalOf(outcome: Exclude<BookOutcome, Booked>): Problem {
  if (outcome.state === "unauthorized") return new Problem("LEDGER_NOT_CONNECTED");
  if (outcome.state !== "rejected")
    return new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
  if (outcome.code === "PERIOD_LOCKED") return new Problem("PERIOD_LOCKED");
  return new Problem("LEDGER_REJECTED", { details: { reason: outcome.code } });
}
