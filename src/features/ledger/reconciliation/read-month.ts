/** Reads our bookings in a connected ledger in a month, document by document and account by account. */
import { firstDayOf, lastDayOf, type Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import type { VoucherSnapshot } from "../../../domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { LocalDocument } from "../../../domain/sales/reconciliation.ts";
import type { MappedAccount } from "../../../ledger/ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { thaw } from "../../../platform/runtime/json.ts";
import { Slices } from "../../../platform/runtime/slices.ts";

/** A month in our own records. */
export interface LocalMonth {
  readonly documents: readonly LocalDocument[];
  /** The movement of each account of the ledger, in minor units of the functional currency, debit above 0. */
  readonly moved: ReadonlyMap<string, bigint>;
  /** The number of decimals of each document's amounts, by the document's id. */
  readonly digits: ReadonlyMap<string, number>;
}

interface Booking {
  readonly kind: "invoice" | "credit_note" | "voucher";
  readonly document_id: string;
  readonly guid: string;
  readonly is_settled: boolean;
  readonly is_parked: boolean;
  readonly number: bigint | null;
  readonly snapshot: string;
  readonly accounts: string;
  /** The rate of the invoice that a credit note credits; null for other documents, and without a foreign currency. */
  readonly credited_rate: bigint | null;
}

/** Returns the bookings of the connection that are dated in the month and were not refused. */
export async function readLocalMonth(
  cx: Reader,
  connection_id: string,
  month: Month,
): Promise<LocalMonth> {
  const slices = new Slices(cx.signal);
  const documents: LocalDocument[] = [];
  const moved = new Map<string, bigint>();
  const digits = new Map<string, number>();
  for (const booking of await bookingsOf(cx, connection_id, month)) {
    if (slices.isOver) await slices.next();
    const snapshot = thaw<DocumentSnapshot | VoucherSnapshot>(booking.snapshot);
    const own = new Map<string, bigint>();
    if (booking.is_settled) addMoved(own, snapshot, thaw<MappedAccount[]>(booking.accounts));
    for (const [account, amount] of own) moved.set(account, (moved.get(account) ?? 0n) + amount);
    documents.push(documentOf(booking, snapshot, own));
    digits.set(booking.document_id, currencyDigits(snapshot.currency));
  }
  return { documents, moved, digits };
}

/** Returns documents as the ledger completed them, with the numbers that we store. */
function bookingsOf(cx: Reader, connection_id: string, month: Month): Promise<Booking[]> {
  const { account_id } = cx.caller;
  return cx.rows<Booking>(sql`
    select t.kind, t.document_id, coalesce(t.guid, t.document_id) as guid, t.state = 'settled' as is_settled, t.state = 'parked' as is_parked,
      coalesce(d.number, case when v.voucher_guid = t.document_id then v.voucher_number else v.reversal_number end) as number,
      coalesce(d.snapshot, t.payload) as snapshot, t.accounts, i.rate_micro as credited_rate
    from intents t
    left join issued_documents d on d.account_id = ${account_id} and d.document_id = t.document_id
    left join accrual_bookings v on v.account_id = ${account_id}
      and (v.voucher_guid = t.document_id or v.reversal_guid = t.document_id)
    left join credit_notes n on n.account_id = ${account_id} and n.id = t.document_id
    left join invoices i on i.account_id = ${account_id} and i.id = n.invoice_id
    where t.account_id = ${account_id} and t.connection_id = ${connection_id} and t.state <> 'released'
      and t.payload::json ->> 'issue_date' between ${firstDayOf(month)} and ${lastDayOf(month)}`);
}

function documentOf(
  { kind, document_id, guid, number, is_settled, is_parked, credited_rate }: Booking,
  snapshot: DocumentSnapshot | VoucherSnapshot,
  moved: ReadonlyMap<string, bigint>,
): LocalDocument {
  const is_foreign =
    snapshot.kind !== "voucher" && snapshot.currency !== snapshot.functional_currency;
  const own_rate = snapshot.kind === "voucher" ? null : snapshot.rate_micro;
  return {
    kind,
    document_id,
    guid,
    number: is_settled ? number : null,
    is_parked,
    date: snapshot.issue_date,
    gross: snapshot.kind === "voucher" ? null : snapshot.totals.gross,
    has_other_rate: credited_rate !== null && own_rate !== null && credited_rate !== own_rate,
    moved: is_foreign && is_settled ? moved : null,
  };
}

function addMoved(
  moved: Map<string, bigint>,
  snapshot: DocumentSnapshot | VoucherSnapshot,
  accounts: readonly MappedAccount[],
): void {
  const add = (account_number: number, vat_code: string | null, amount: bigint): void => {
    const mapped = accounts.find(
      (one) => one.account_number === account_number && one.vat_code === vat_code,
    );
    if (mapped === undefined) throw new Error(`${account_number} was booked without an account`);
    const { ledger_account } = mapped;
    moved.set(ledger_account, (moved.get(ledger_account) ?? 0n) + amount);
  };
  if (snapshot.kind === "voucher") {
    for (const { account_number, vat_code = null, amount } of snapshot.entries) {
      add(account_number, vat_code, amount);
    }
    return;
  }
  const sign = snapshot.kind === "invoice" ? -1n : 1n;
  for (const { account_number, vat_code, net_functional } of snapshot.lines) {
    add(account_number, vat_code, sign * net_functional);
  }
}
