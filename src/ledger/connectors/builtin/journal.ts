/**
 * The journal: entries are appended with their postings, each with a hash over its own content and the previous hash. The counter
 * row is locked from the numbering to the commit, which makes numbers gapless (spec 9.6).
 */
import { createHash } from "node:crypto";
import type { AccountId } from "../../../domain/base/brand.ts";
import { creditedNumber, type DocumentSnapshot } from "../../../domain/sales/document.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { handOver } from "../../../platform/runtime/slices.ts";
import type {
  Booked,
  BookingIntent,
  BookOutcome,
  DocumentBooking,
  JournalBooking,
  LedgerTransaction,
  Posting,
} from "../../ledger.ts";
import { postingsOf } from "./postings.ts";

type Booking = BookingIntent | JournalBooking;

interface NewEntry {
  readonly entry_no: bigint;
  readonly number: bigint;
  readonly intent: Booking;
  readonly text: string;
  readonly currency: string;
  readonly rate_micro: bigint | null;
  readonly postings: readonly Posting[];
}

interface Known {
  readonly guid: string;
  readonly number: bigint;
  readonly entry_no: bigint;
  readonly payload_hash: Buffer;
}

/** Implements `ensureBooked` of the port: the same guid with the same content is the same booking, otherwise a conflict. */
export async function ensureBooked(
  tx: LedgerTransaction,
  account_id: AccountId,
  intents: readonly Booking[],
): Promise<BookOutcome[]> {
  const asked = intents.filter(isEntry);
  // One function takes the lock and the numbers, so that both are one trip.
  const taken = await tx.row<Counters>(
    sql`select * from take_numbers(${account_id}, ${asked.map(({ guid }) => guid)}::uuid[], ${asked.map(({ kind }) => kind)}::text[])`,
  );
  if (taken === undefined) throw new Error("the books of the account are missing");
  const is_all_new = taken.fresh === BigInt(intents.length);
  const known = is_all_new ? [] : await bookedAlready(tx, account_id, intents);
  const earlier = new Map(known.map((one) => [one.guid, one]));
  const entries = entriesOf(
    asked.filter(({ guid }) => !earlier.has(guid)),
    taken,
  );
  await appendEntries(tx, account_id, taken.head_hash, entries);
  const made = new Map(entries.map((entry) => [entry.intent.guid, entry]));
  return intents.map((intent) => outcomeOf(intent, earlier.get(intent.guid), made));
}

/** Returns the port's outcome for a booking of this ledger, where the guid is also the document's name. */
export function bookedAs(guid: string, number: bigint, totals: Booked["totals"]): Booked {
  return { state: "booked", guid, ledger_id: guid, number, totals };
}

/** The next number of each kind, and the end of the hash chain. */
interface Counters extends Record<Booking["kind"], bigint> {
  readonly entry_no: bigint;
  readonly head_hash: Buffer;
  /** The number of intents that this call books. */
  readonly fresh: bigint;
}

function bookedAlready(
  tx: LedgerTransaction,
  account_id: AccountId,
  intents: readonly Booking[],
): Promise<Known[]> {
  const guids = intents.map((intent) => intent.guid);
  return tx.rows(sql`select guid, number, entry_no, payload_hash from ledger_entries
    where account_id = ${account_id} and guid = any(${guids})`);
}

function entriesOf(intents: readonly Booking[], taken: Counters): NewEntry[] {
  const next = { ...taken };
  return intents.map((intent) => {
    const { entry_no, [intent.kind]: number } = next;
    next.entry_no += 1n;
    next[intent.kind] += 1n;
    const postings = postingsOf(intent.document);
    if (!isDocument(intent)) {
      const { text, currency } = intent.document;
      return { entry_no, number, intent, text, currency, rate_micro: null, postings };
    }
    const { currency, rate_micro, customer } = intent.document;
    const kind = intent.kind === "invoice" ? "Invoice" : "Credit note";
    const text = `${kind} ${number} ${customer.name}${creditedBy(intent.document)}`;
    return { entry_no, number, intent, text, currency, rate_micro, postings };
  });
}

/** Names the invoice of a credit note when another ledger booked it; otherwise the journal has its entry. */
function creditedBy({ credits }: DocumentSnapshot): string {
  if (credits === null || credits.invoice_id !== undefined) return "";
  return `, credits invoice ${creditedNumber(credits)}`;
}

function outcomeOf(
  booking: Booking,
  earlier: Known | undefined,
  made: ReadonlyMap<string, NewEntry>,
): BookOutcome {
  const { guid, payload_hash } = booking;
  if (earlier && !earlier.payload_hash.equals(payload_hash)) {
    return { state: "rejected", code: "GUID_CONFLICT" };
  }
  const entry = earlier ?? made.get(guid);
  if (entry === undefined) return { state: "rejected", code: "VALIDATION" };
  const totals = isDocument(booking) ? booking.document.totals : null;
  return { ...bookedAs(guid, entry.number, totals), entry_no: entry.entry_no };
}

/** Whether a booking is that of a document, which gives its totals and its customer. */
function isDocument(booking: Booking): booking is DocumentBooking {
  return booking.kind === "invoice" || booking.kind === "credit_note";
}

/** Whether a booking makes an entry: one that is no document makes none without postings, or with unequal sides. */
function isEntry(booking: Booking): boolean {
  if (isDocument(booking)) return true;
  const amounts = postingsOf(booking.document).map(({ amount }) => amount);
  return amounts.length >= 2 && amounts.reduce((sum, amount) => sum + amount, 0n) === 0n;
}

/** As many entries are written at a time, so that the database writes them while the next ones are made ready. */
const PORTION = 100;

/** Appends entries with their postings. Fails with MB003 where one does not balance, or is no document and has no postings. */
export async function appendEntries(
  tx: LedgerTransaction,
  account_id: AccountId,
  head_hash: Buffer,
  entries: readonly NewEntry[],
): Promise<void> {
  let hash = head_hash;
  for (let at = 0; at < entries.length; at += PORTION) {
    if (at > 0) await handOver();
    hash = appendPortion(tx, account_id, hash, entries.slice(at, at + PORTION));
  }
}

/** Appends entries to the chain that ends with `head_hash`. Returns its new end. */
function appendPortion(
  tx: LedgerTransaction,
  account_id: AccountId,
  head_hash: Buffer,
  entries: readonly NewEntry[],
): Buffer {
  const registered_at = new Date().toISOString();
  let hash = head_hash;
  const chained = entries.map((entry) => {
    const prev_hash = hash;
    hash = hashOf(entry, prev_hash, registered_at);
    return { ...entry, ...entry.intent, prev_hash, hash };
  });
  const entry = tableOf(chained, {
    entry_no: ["bigint", (one) => one.entry_no],
    guid: ["uuid", (one) => one.guid],
    kind: ["text", (one) => one.kind],
    number: ["bigint", (one) => one.number],
    entry_date: ["date", (one) => one.document.issue_date],
    text: ["text", (one) => one.text],
    currency: ["text", (one) => one.currency],
    rate_micro: ["bigint", (one) => one.rate_micro],
    payload_hash: ["bytea", (one) => Buffer.from(one.payload_hash)],
    prev_hash: ["bytea", (one) => one.prev_hash],
    hash: ["bytea", (one) => one.hash],
    registered_by: ["text", (one) => one.requested_by],
    reverses_guid: ["uuid", (one) => reversedBy(one.intent)],
  });
  const postings = chained.flatMap(({ entry_no, postings }) =>
    postings.map((posting, index) => ({ ...posting, entry_no, line_no: index + 1 })),
  );
  const posting = tableOf(postings, {
    entry_no: ["bigint", (one) => one.entry_no],
    line_no: ["int", (one) => one.line_no],
    account_number: ["int", (one) => one.account_number],
    amount: ["bigint", (one) => one.amount],
    currency_amount: ["bigint", (one) => one.currency_amount],
    vat_code: ["text", (one) => one.vat_code],
    customer_id: ["uuid", (one) => one.customer_id],
  });
  tx.write(sql`with entry as (
      insert into ledger_entries (account_id, registered_at, hash_version, ${entry.columns})
      select ${account_id}, ${registered_at}, ${HASH_VERSION}, e.* from ${entry.table} as e returning entry_no, kind),
    head as (update ledger_books set head_hash = ${hash} where account_id = ${account_id}),
    posting as (insert into ledger_postings (account_id, ${posting.columns})
      select ${account_id}, p.* from ${posting.table} as p (${posting.columns})
      join entry on entry.entry_no = p.entry_no returning entry_no, amount)
    ${UNBALANCED}`);
  return hash;
}

/** Refuses what the deferred triggers would refuse at the commit: MB003. A balanced entry is no row of it. */
const UNBALANCED = sql`select refuse_unbalanced(entry.entry_no, coalesce(sum(posting.amount), 0))
  from entry left join posting on posting.entry_no = entry.entry_no
  group by entry.entry_no, entry.kind
  having coalesce(sum(posting.amount), 0) <> 0 or (entry.kind not in ('invoice', 'credit_note') and count(posting.entry_no) = 0)`;

/** The version of the hashed fields; `verify.ts` of the ledger feature also knows the older version. */
const HASH_VERSION = 2;

/** Returns the guid of the entry that this one reverses. */
function reversedBy(intent: Booking): string | null {
  return isDocument(intent) ? null : intent.document.reverses_guid;
}

function hashOf(entry: NewEntry, before: Buffer, registered_at: string): Buffer {
  const { intent, postings } = entry;
  return createHash("sha256")
    .update(before)
    .update(
      JSON.stringify([
        String(entry.entry_no),
        intent.guid,
        intent.kind,
        String(entry.number),
        intent.document.issue_date,
        entry.text,
        entry.currency,
        String(entry.rate_micro),
        Buffer.from(intent.payload_hash).toString("hex"),
        registered_at,
        intent.requested_by,
        postings.map((posting) => [
          posting.account_number,
          String(posting.amount),
          String(posting.currency_amount),
          posting.vat_code,
          posting.customer_id,
        ]),
        reversedBy(intent),
      ]),
    )
    .digest();
}
