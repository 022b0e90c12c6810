/**
 * The journal: entries are appended with their postings, each with a hash over its own content and the
 * hash before it. The caller holds the lock of the books and has taken the numbers.
 */
import { createHash } from "node:crypto";
import type { AccountId } from "../../../domain/base/brand.ts";
import type { Booked, BookingIntent, SqlTransaction } from "../../ledger.ts";
import type { Posting } from "./postings.ts";

export interface NewEntry {
  readonly entry_no: bigint;
  readonly number: bigint;
  readonly intent: BookingIntent;
  readonly text: string;
  readonly currency: string;
  readonly rate_micro: bigint | null;
  readonly postings: readonly Posting[];
}

/** Appends entries in the order of their numbers; the statement travels with the commit. */
export async function appendEntries(
  { send }: SqlTransaction,
  account_id: AccountId,
  head_hash: Buffer,
  entries: readonly NewEntry[],
): Promise<void> {
  const registered_at = new Date().toISOString();
  const hashes: Buffer[] = [];
  for (const entry of entries) {
    hashes.push(hashOf(entry, hashes.at(-1) ?? head_hash, registered_at));
  }
  const postings = entries.flatMap(({ entry_no, postings }) =>
    postings.map((posting, index) => ({ ...posting, entry_no, line_no: index + 1 })),
  );
  await send(APPEND, [
    account_id,
    registered_at,
    hashes.at(-1),
    entries.map((entry) => entry.entry_no),
    entries.map((entry) => entry.intent.guid),
    entries.map((entry) => entry.intent.kind),
    entries.map((entry) => entry.number),
    entries.map((entry) => entry.intent.document.issue_date),
    entries.map((entry) => entry.text),
    entries.map((entry) => entry.currency),
    entries.map((entry) => entry.rate_micro),
    entries.map((entry) => Buffer.from(entry.intent.payload_hash)),
    entries.map((_, index) => hashes[index - 1] ?? head_hash),
    hashes,
    entries.map((entry) => entry.intent.requested_by),
    entries.map(({ intent }) => reversedBy(intent)),
    postings.map((posting) => posting.entry_no),
    postings.map((posting) => posting.line_no),
    postings.map((posting) => posting.account_number),
    postings.map((posting) => posting.amount),
    postings.map((posting) => posting.currency_amount),
    postings.map((posting) => posting.vat_code),
    postings.map((posting) => posting.customer_id),
  ]);
}

/** What the port answers for a booking of this ledger, whose guid is the document's name here too. */
export function bookedAs(guid: string, number: bigint, totals: Booked["totals"]): Booked {
  return { state: "booked", guid, ledger_id: guid, number, totals };
}

/** What new hashes cover; `verify.ts` of the ledger feature knows the older form, too. */
const HASH_VERSION = 2;

/** The guid of the entry that a voucher takes back. */
function reversedBy(intent: BookingIntent): string | null {
  return intent.kind === "voucher" ? intent.document.reverses_guid : null;
}

const APPEND = `
  with entry as (
    insert into ledger_entries (account_id, registered_at, entry_no, guid, kind, number, entry_date,
      text, currency, rate_micro, payload_hash, prev_hash, hash, registered_by, reverses_guid,
      hash_version)
    select $1, $2, e.*, ${HASH_VERSION} from unnest($4::bigint[], $5::uuid[], $6::text[], $7::bigint[], $8::date[],
      $9::text[], $10::text[], $11::bigint[], $12::bytea[], $13::bytea[], $14::bytea[], $15::text[],
      $16::uuid[]) as e
    returning entry_no),
  head as (update ledger_books set head_hash = $3 where account_id = $1)
  insert into ledger_postings (account_id, entry_no, line_no, account_number, amount,
    currency_amount, vat_code, customer_id)
  select $1, p.* from unnest($17::bigint[], $18::int[], $19::int[], $20::bigint[], $21::bigint[],
    $22::text[], $23::uuid[]) as p (entry_no, line_no, account_number, amount, currency_amount,
    vat_code, customer_id)
  join entry on entry.entry_no = p.entry_no`;

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
