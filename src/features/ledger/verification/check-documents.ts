/**
 * Checks that every issued document is frozen and booked once, with its own amounts. The postings of a document are computed
 * here a second time, apart from the ledger that books, so that neither can drift unnoticed.
 */
import { paymentCodesOf } from "../../../domain/receivables/payment-codes.ts";
import type { ReminderSnapshot } from "../../../domain/receivables/reminder-snapshot.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { sha256, thaw } from "../../../platform/runtime/json.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { issuedCodes, withoutCodes } from "../../documents/issued/store-codes.ts";
import { hasOwnBooks } from "../../settings/configuration/accounts.ts";
import type { Check, Fault } from "./schemas.ts";

/** A posting: account, amount and amount in the document's currency in minor units, VAT code, customer. */
type BookedPosting = readonly [number, string, string, string | null, string | null];

/** The highest number of faults that a check lists. */
export const MOST_FAULTS = 100;

interface DocumentRow {
  readonly document_id: string;
  readonly kind: "invoice" | "credit_note" | "statement" | "reminder";
  /** Null for a letter without one. */
  readonly number: bigint | null;
  readonly ledger_year: number | null;
  readonly ledger_connection_id: string | null;
  readonly snapshot: string;
  readonly payload_hash: Buffer;
  readonly entry_kind: string | null;
  readonly entry_number: bigint | null;
  readonly entry_date: string | null;
  readonly currency: string | null;
  readonly rate_micro: bigint | null;
  readonly entry_payload_hash: Buffer | null;
  readonly postings: readonly BookedPosting[] | null;
  /** The number on the invoice or credit note; null when no issued one exists. */
  readonly shown_number: bigint | null;
}

const PAGE = 200;

/** Checks the documents; `cx` reads one snapshot. Of those that an external ledger booked only the frozen copy is checked. */
export async function checkDocuments(cx: Reader): Promise<Check> {
  const is_built_in = await hasOwnBooks(cx);
  const faults: Fault[] = [];
  const slices = new Slices(cx.signal);
  let checked = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await documentsAfter(cx, after);
    for (const row of rows) {
      if (slices.isOver) await slices.next();
      const what = faultOf(row, is_built_in && row.ledger_connection_id === null);
      if (what !== null && faults.length < MOST_FAULTS) faults.push({ at: row.document_id, what });
    }
    checked += rows.length;
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.document_id;
  }
  faults.push(...(await withoutDocument(cx, is_built_in)));
  return {
    name: "documents",
    ok: faults.length === 0,
    checked,
    faults: faults.slice(0, MOST_FAULTS),
  };
}

function faultOf(row: DocumentRow, is_built_in: boolean): string | null {
  if (!sha256(withoutCodes(row.snapshot)).equals(row.payload_hash)) {
    return "the frozen document does not match its digest";
  }
  if (row.kind === "statement") return null;
  if (row.kind === "reminder") return faultOfReminder(row, is_built_in);
  const document = thaw<DocumentSnapshot>(row.snapshot);
  if (!hasOwnCodes(document, row)) return "its payment codes are those of another document";
  if (row.shown_number !== row.number) return "no issued document shows it under its number";
  if (!is_built_in) return null;
  if (row.postings === null || row.entry_payload_hash === null) return "it is not booked";
  if (row.entry_kind !== row.kind || row.entry_number !== row.number) {
    return "it is booked as another document";
  }
  if (!row.entry_payload_hash.equals(row.payload_hash)) return "another content of it is booked";
  if (row.entry_date !== document.issue_date) return "it is booked on another day";
  if (row.currency !== document.currency || row.rate_micro !== document.rate_micro) {
    return "it is booked in another currency, or at another rate";
  }
  return agree(document, row.postings) ? null : "its entry has other amounts";
}

/** A reminder that charges something is booked under its number with just that; one that charges nothing is not booked. */
function faultOfReminder(row: DocumentRow, is_built_in: boolean): string | null {
  const reminder = thaw<ReminderSnapshot>(row.snapshot);
  const { fee, interest, compensation, currency, seller, posted, payment_codes: codes } = reminder;
  const { number } = row;
  if (row.shown_number !== number) return "no reminder shows it under its number";
  if (number === null) {
    const is_free = fee + interest + compensation === 0n && row.postings === null;
    return is_free ? null : "it charges something and is not booked";
  }
  const expected = paymentCodesOf({
    kind: "reminder",
    number,
    ledger_year: null,
    currency,
    seller,
  });
  if (codes?.rf !== expected.rf || codes.fik_line !== expected.fik_line) {
    return "its payment codes are those of another document";
  }
  if (!is_built_in) return null;
  if (row.postings === null) return "it is not booked";
  if (row.entry_kind !== "reminder" || row.entry_number !== number) {
    return "it is booked as another document";
  }
  if (row.entry_date !== reminder.issue_date) return "it is booked on another day";
  const owed = {
    amount: posted.charges + posted.interest,
    currency: fee + interest + compensation,
  };
  const [receivable, ...others] = row.postings.filter(([, , , , customer]) => customer !== null);
  const is_owed =
    others.length === 0 &&
    receivable?.[4] === reminder.customer.id &&
    BigInt(receivable[1]) === owed.amount &&
    BigInt(receivable[2]) === owed.currency;
  const earned = row.postings
    .filter(([, , , , customer]) => customer === null)
    .map(([, amount]) => -BigInt(amount));
  const wanted = [posted.charges, posted.interest].filter((amount) => amount !== 0n);
  return is_owed && isSame(earned, wanted) ? null : "its entry has other amounts";
}

function isSame(amounts: readonly bigint[], others: readonly bigint[]): boolean {
  return [...amounts].sort().join() === [...others].sort().join();
}

/** Whether the payment codes, where there are any, follow from the number. */
function hasOwnCodes(document: DocumentSnapshot, { number, ledger_year }: DocumentRow): boolean {
  const { payment_codes: codes } = document;
  if (codes === undefined || number === null) return codes === undefined;
  const { reference, rf, fik_line } = issuedCodes(document, number, ledger_year);
  return codes.reference === reference && codes.rf === rf && codes.fik_line === fik_line;
}

/** Whether the postings match the document, by account and VAT code, in both currencies. */
function agree(document: DocumentSnapshot, postings: readonly BookedPosting[]): boolean {
  const expected = expectedOf(document);
  const found = new Map<string, Sums>();
  for (const [account, amount, currency_amount, vat_code, customer_id] of postings) {
    const line = `${account} ${vat_code}`;
    const of_vat = expected.has(line) ? line : `vat ${vat_code}`;
    const key = customer_id === null ? of_vat : "receivable";
    add(found, key, BigInt(amount), BigInt(currency_amount));
  }
  const is_customer = postings.every(
    ([, , , , customer_id]) => customer_id === null || customer_id === document.customer.id,
  );
  return (
    is_customer &&
    found.size === expected.size &&
    [...expected].every(([key, sums]) => {
      const booked = found.get(key);
      return booked?.amount === sums.amount && booked.currency_amount === sums.currency_amount;
    })
  );
}

interface Sums {
  amount: bigint;
  currency_amount: bigint;
}

function expectedOf(document: DocumentSnapshot): Map<string, Sums> {
  const direction = document.kind === "invoice" ? -1n : 1n;
  const expected = new Map<string, Sums>();
  for (const { account_number, vat_code, net_functional, net } of document.lines) {
    add(expected, `${account_number} ${vat_code}`, direction * net_functional, direction * net);
  }
  for (const { vat_code, vat_functional, vat } of document.vat) {
    add(expected, `vat ${vat_code}`, direction * vat_functional, direction * vat);
  }
  const all = [...expected.values()];
  const owed = all.reduce((sum, { amount }) => sum - amount, 0n);
  const owed_in_currency = all.reduce((sum, { currency_amount }) => sum - currency_amount, 0n);
  add(expected, "receivable", owed, owed_in_currency);
  // Amounts that round to 0 in the functional currency have no posting.
  for (const [key, { amount }] of expected) if (amount === 0n) expected.delete(key);
  return expected;
}

function add(sums: Map<string, Sums>, key: string, amount: bigint, currency_amount: bigint): void {
  const before = sums.get(key) ?? { amount: 0n, currency_amount: 0n };
  sums.set(key, {
    amount: before.amount + amount,
    currency_amount: before.currency_amount + currency_amount,
  });
}

function documentsAfter(cx: Reader, after: string): Promise<DocumentRow[]> {
  return cx.rows<DocumentRow>(sql`select d.document_id, d.kind, d.number, d.ledger_year, d.ledger_connection_id, d.snapshot, d.payload_hash, e.kind as entry_kind,
       e.number as entry_number, e.entry_date, e.currency, e.rate_micro,
       e.payload_hash as entry_payload_hash,
       case when e.entry_no is not null then (
         select coalesce(json_agg(json_build_array(p.account_number, p.amount::text,
           p.currency_amount::text, p.vat_code, p.customer_id)), '[]')
         from ledger_postings p
         where p.account_id = e.account_id and p.entry_no = e.entry_no) end as postings,
       coalesce(i.ledger_invoice_number, n.ledger_credit_note_number, r.number) as shown_number
     from issued_documents d
     left join ledger_entries e on e.account_id = d.account_id and e.guid = d.document_id
     left join invoices i on d.kind = 'invoice' and i.account_id = d.account_id
       and i.id = d.document_id and i.status = 'issued'
     left join credit_notes n on d.kind = 'credit_note' and n.account_id = d.account_id
       and n.id = d.document_id and n.status = 'issued'
     left join reminders r on d.kind = 'reminder' and r.account_id = d.account_id and r.id = d.document_id
     where d.account_id = ${cx.caller.account_id} and d.document_id > ${after}
     order by d.document_id limit ${raw(PAGE)}`);
}

/** Returns issued invoices and credit notes, and their entries, that have no frozen document. */
function withoutDocument(cx: Reader, is_built_in: boolean): Promise<Fault[]> {
  return cx.rows<Fault>(sql`select x.id::text as at, x.what from (
       select account_id, id, 'it is issued, and no document of it is frozen' as what
       from invoices where account_id = ${cx.caller.account_id} and status = 'issued'
       union all
       select account_id, id, 'it is issued, and no document of it is frozen'
       from credit_notes where account_id = ${cx.caller.account_id} and status = 'issued'
       union all
       select account_id, guid, 'an entry is booked for no document'
       from ledger_entries where account_id = ${cx.caller.account_id} and ${is_built_in}
         and (kind in ('invoice', 'credit_note') or (kind = 'reminder' and reverses_guid is null))) x
     where not exists (select from issued_documents d
       where d.account_id = x.account_id and d.document_id = x.id)
     order by x.id limit ${raw(MOST_FAULTS)}`);
}
