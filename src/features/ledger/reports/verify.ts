/**
 * Verifies the journal of the built-in ledger: numbers without gaps, every entry in balance, and the hash of each entry, which
 * covers the hash of the previous entry, the entry's own fields and its postings. The rule is implemented here a second time,
 * separate from the booking, so that neither can drift unnoticed.
 */
import { createHash } from "node:crypto";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";

/** The first entry with a fault. */
interface JournalFault {
  readonly entry_no: bigint;
  readonly what: string;
}

interface EntryRow {
  readonly entry_no: bigint;
  readonly guid: string;
  readonly kind: string;
  readonly number: bigint;
  readonly entry_date: string;
  readonly text: string;
  readonly currency: string;
  readonly rate_micro: bigint | null;
  readonly payload_hash: Buffer;
  readonly registered_at: string;
  readonly registered_by: string;
  readonly reverses_guid: string | null;
  readonly hash_version: number;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
  readonly postings: readonly HashedPosting[];
}

/** Account, amount, amount in the entry's currency, VAT code, customer; amounts as text. */
type HashedPosting = readonly [number, string, string, string | null, string | null];

const PAGE = 500;

/** Recomputes the journal up to its head. Returns the first fault or null. Later entries are left for the next run. */
export async function verifyJournal(db: Reads, account_id: string): Promise<JournalFault | null> {
  const head = await db.row<{ next_entry_no: bigint; head_hash: Buffer }>(
    sql`select next_entry_no, head_hash from ledger_books where account_id = ${account_id}`,
  );
  if (head === undefined) return { entry_no: 0n, what: "the account has no books" };
  let last: { entry_no: bigint; hash: Buffer } = { entry_no: 0n, hash: Buffer.alloc(0) };
  while (last.entry_no < head.next_entry_no - 1n) {
    const rows = await readAfter(db, account_id, last.entry_no, head.next_entry_no);
    if (rows.length === 0) return { entry_no: last.entry_no + 1n, what: "the entry is missing" };
    for (const row of rows) {
      const fault = faultOf(row, last);
      if (fault !== null) return { entry_no: last.entry_no + 1n, what: fault };
      last = { entry_no: row.entry_no, hash: row.hash };
    }
  }
  if (last.hash.equals(head.head_hash)) return null;
  return { entry_no: last.entry_no, what: "the head is another one's" };
}

function faultOf(row: EntryRow, before: { entry_no: bigint; hash: Buffer }): string | null {
  if (row.entry_no !== before.entry_no + 1n) return "the entry is missing";
  if (!row.prev_hash.equals(before.hash)) return "the entry does not follow the one before";
  if (!row.hash.equals(hashOf(row))) return "the hash is not that of the entry";
  const sum = row.postings.reduce((total, [, amount]) => total + BigInt(amount), 0n);
  if (sum !== 0n) return "the entry does not balance";
  if (row.postings.length > 0) return null;
  // Only a document without value in the functional currency has no postings.
  return row.kind === "invoice" || row.kind === "credit_note" ? null : `the ${row.kind} is empty`;
}

function hashOf(row: EntryRow): Buffer {
  const content = [
    String(row.entry_no),
    row.guid,
    row.kind,
    String(row.number),
    row.entry_date,
    row.text,
    row.currency,
    String(row.rate_micro),
    row.payload_hash.toString("hex"),
    row.registered_at,
    row.registered_by,
    row.postings,
    // Older entries are hashed without this field.
    ...(row.hash_version === 1 ? [] : [row.reverses_guid]),
  ];
  return createHash("sha256").update(row.prev_hash).update(JSON.stringify(content)).digest();
}

function readAfter(
  db: Reads,
  account_id: string,
  after: bigint,
  next: bigint,
): Promise<EntryRow[]> {
  return db.rows<EntryRow>(sql`select e.entry_no, e.guid, e.kind, e.number, e.entry_date, e.text, e.currency, e.rate_micro,
       e.payload_hash, e.registered_at, e.registered_by, e.prev_hash, e.hash, e.reverses_guid,
       e.hash_version,
       (select coalesce(json_agg(json_build_array(p.account_number, p.amount::text,
            p.currency_amount::text, p.vat_code, p.customer_id) order by p.line_no), '[]')
        from ledger_postings p
        where p.account_id = e.account_id and p.entry_no = e.entry_no) as postings
     from ledger_entries e
     where e.account_id = ${account_id} and e.entry_no > ${after} and e.entry_no < ${next}
     order by e.entry_no limit ${raw(PAGE)}`);
}
