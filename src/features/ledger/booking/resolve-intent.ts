/**
 * Ends a booking in an external ledger by hand, after a person has looked in that ledger: adopts a document that the ledger
 * booked, or releases one that it did not book. An API key can never do this, because a leaked key must not redirect the books.
 */
import * as z from "zod";
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import type { Booked, BookingIntent, Connection } from "../../../ledger/ledger.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { isAdminInPerson } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import type { Bookables } from "./bookable.ts";
import {
  bookingOf,
  findOpen,
  type Intent,
  releaseIntent,
  settleIntent,
  takeIntent,
} from "./intents.ts";

/** The number of searches of the ledger that must precede a release. */
const LOOKS = 2;

const Resolution = z.object({
  id: Uuid,
  reason: z.string().min(1),
  /** The booking in the ledger; null to release the document. */
  adopt: z
    .object({
      ledger_id: z.string().min(1),
      number: z.bigint().positive(),
      /** The year of the number, for a ledger whose numbers restart each year. */
      year: z.int().optional(),
    })
    .nullable(),
});
type Resolution = z.output<typeof Resolution>;
type Adopted = NonNullable<Resolution["adopt"]>;

interface Resolved {
  readonly intent: Intent;
  readonly given: Resolution;
}

/**
 * Ends an open intent. Throws ROLE_FORBIDDEN for a caller other than the operator and an admin in person; NOT_FOUND for an intent that is not open; RESOURCE_BUSY while another process is calling the
 * ledger for it; LEDGER_UNAVAILABLE for a release before two searches of the ledger; VALIDATION_FAILED for the release of a
 * document that the ledger has booked, for an adopted number whose year is missing or cannot be that of the document, and for a
 * number of another document.
 */
export function resolveIntent(bookables: Bookables) {
  return defineCommand({
    name: "resolve_intent",
    access: "issue",
    input: Resolution,

    async plan(tx, given): Promise<Resolved> {
      if (!isAdminInPerson(tx.caller)) throw new Problem("ROLE_FORBIDDEN");
      const intent = await findOpen(tx, given.id);
      if (intent === undefined) throw notFound("ledger_intent", given.id);
      if (given.adopt !== null) requireYear(tx.ledger, bookingOf(intent), given.adopt);
      if (given.adopt === null && intent.looks < LOOKS) {
        throw new Problem("LEDGER_UNAVAILABLE", {
          message:
            "The ledger must be checked twice before a booking is released: POST /ledger/intents/{id}/retry checks it.",
          details: { looks: intent.looks },
        });
      }
      if (given.adopt === null) await requireUnbooked(tx, intent);
      return { intent, given };
    },

    async commit(tx, { intent: seen, given }): Promise<{ readonly document_id: string }> {
      const [facts] = await bookables[seen.kind].read(tx, [seen.document_id]);
      // The document is locked first, in the lock order of an attempt.
      const intent = await takeIntent(tx, tx.caller.account_id, seen.id);
      if (intent === undefined || facts === undefined) throw new Problem("RESOURCE_BUSY");
      const { reason, adopt } = given;
      if (adopt === null) {
        await releaseIntent(tx, intent, reason);
        await bookables[intent.kind].refused(tx, facts, reason);
      } else {
        await requireFree(tx, intent, adopt);
        await adopted(tx, intent, bookables, facts, {
          state: "booked",
          guid: intent.guid,
          totals: null,
          ledger_id: adopt.ledger_id,
          number: adopt.number,
          ...(adopt.year === undefined ? {} : { year: adopt.year }),
        });
      }
      const action = adopt === null ? "booking_released" : "booking_adopted";
      tx.audit("ledger_intent", intent.id, action, { before: null, after: null, reason });
      return { document_id: intent.document_id };
    },
  });
}

/**
 * Requires the year of an adopted number where numbers restart each year: there a number alone does not identify the booking.
 * The year may be a fiscal year, which is named by the year of its first or of its last day.
 */
function requireYear(ledger: Connection | null, { document }: BookingIntent, { year }: Adopted) {
  const is_of_year =
    ledger?.transactional === false && ledger.capabilities?.numbers_restart_by_year === true;
  if (!is_of_year && year === undefined) return;
  if (!is_of_year) {
    throw invalidField("adopt.year", "not_allowed", "The ledger does not number by year.");
  }
  if (year === undefined) {
    throw invalidField("adopt.year", "required", "The ledger's numbers start again each year.");
  }
  const dated = Number(document.issue_date.slice(0, 4));
  if (Math.abs(year - dated) <= 1) return;
  const message = `The document is dated ${document.issue_date}.`;
  throw invalidField("adopt.year", "invalid_value", message);
}

/** Requires that the ledger's last answer was not a booking under this guid: a later issue would find it again. */
async function requireUnbooked(tx: Tx, { account_id, id, reason }: Intent): Promise<void> {
  const last = await tx.row<{ outcome: string }>(sql`select outcome from intent_calls
    where account_id = ${account_id} and intent_id = ${id} and verb in ('find', 'book') and outcome in ('booked', 'absent', 'draft')
    order by at desc, id desc limit 1`);
  if (last?.outcome !== "booked" || reason === "FOREIGN_GUID") return;
  const message =
    "The ledger had booked the document at the last check: adopt it, or remove it there and check again.";
  throw invalidField("release", "not_allowed", message);
}

/** Requires that no other document has the number. Vouchers and their reversals share one number series in the ledger. */
async function requireFree(tx: Tx, { connection_id, kind }: Intent, adopt: Adopted): Promise<void> {
  const { account_id } = tx.caller;
  const [number, year] = [adopt.number, adopt.year ?? null];
  const of_account = sql`account_id = ${account_id} and ledger_connection_id is not distinct from ${connection_id}::uuid`;
  const of_year = (column: Sql) => sql`${column} is not distinct from ${year}::int`;
  const other = await tx.row<{ id: string }>(
    kind === "voucher"
      ? sql`select accrual_id as id from accrual_bookings
          where ${of_account} and (voucher_number = ${number} and ${of_year(raw("voucher_year"))}
            or reversal_number = ${number} and ${of_year(raw("reversal_year"))})`
      : sql`select document_id as id from issued_documents
          where ${of_account} and kind = ${kind} and number = ${number} and ${of_year(raw("ledger_year"))}`,
  );
  if (other === undefined) return;
  throw invalidField("adopt.number", "duplicate", `The number is that of ${other.id}.`);
}

async function adopted(
  tx: Tx,
  intent: Intent,
  bookables: Bookables,
  facts: unknown,
  booked: Booked,
): Promise<void> {
  const { connection_id, payload, kind } = intent;
  await settleIntent(tx, intent, booked);
  const booking = { intent: bookingOf(intent), payload };
  await bookables[kind].booked(tx, [{ facts, booking, booked, connection_id }]);
}
