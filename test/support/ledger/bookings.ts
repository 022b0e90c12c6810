/**
 * The input of a ledger in tests: bookings of frozen documents, and customers and products in the form that a ledger receives.
 */
import { createHash, randomUUID } from "node:crypto";
import type { VoucherSnapshot } from "../../../src/domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../../../src/domain/sales/document.ts";
import type { LedgerCustomer, LedgerProduct } from "../../../src/ledger/connected.ts";
import type {
  Booked,
  BookOutcome,
  DocumentBooking,
  MappedAccount,
  VoucherBooking,
} from "../../../src/ledger/ledger.ts";
import { freeze } from "../../../src/platform/runtime/json.ts";
import { accrual, danish } from "../documents/documents.ts";

/** An account of Matchbook, mapped to the books of a ledger. */
export function mapped(
  account_number: number,
  vat_code: MappedAccount["vat_code"],
  ledger_account: string,
  ledger_vat_code: string | null = null,
): MappedAccount {
  return { account_number, vat_code, ledger_account, ledger_vat_code };
}

/** Bookings of new documents, each under a new guid unless one is given. */
export function bookingsOn(accounts: readonly MappedAccount[]) {
  return {
    invoice: (change: Partial<DocumentSnapshot> = {}): DocumentBooking =>
      documentBooking({ ...danish(), document_id: randomUUID(), ...change }, accounts),
    voucher: (change: Partial<VoucherSnapshot> = {}): VoucherBooking =>
      voucherBooking({ ...accrual(), document_id: randomUUID(), ...change }, accounts),
  };
}

export function documentBooking(
  document: DocumentSnapshot,
  accounts: readonly MappedAccount[] = [],
): DocumentBooking {
  return { kind: document.kind, ...requested(document, accounts), document };
}

export function voucherBooking(
  document: VoucherSnapshot,
  accounts: readonly MappedAccount[] = [],
): VoucherBooking {
  return { kind: document.kind, ...requested(document, accounts), document };
}

function requested(
  document: DocumentSnapshot | VoucherSnapshot,
  accounts: readonly MappedAccount[],
) {
  return {
    guid: document.document_id,
    payload_hash: createHash("sha256").update(freeze(document)).digest(),
    requested_by: "api_key:test",
    accounts,
  };
}

export function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state !== "booked") throw new Error(`expected a booking: ${JSON.stringify(outcome)}`);
  return outcome;
}

/** The customer of the documents, under a new guid. */
export function changedCustomer(change: Partial<LedgerCustomer> = {}): LedgerCustomer {
  const { id: _, payment_mean: __, ...reported } = danish().customer;
  return {
    ...reported,
    guid: randomUUID(),
    ledger_id: null,
    active: true,
    country_key: "DK",
    webpage: null,
    use_cvr: false,
    company_type_key: null,
    preferred_invoice_language_key: "da-DK",
    preferred_invoice_currency_key: "DKK",
    payment_condition_type: "Netto",
    payment_condition_number_of_days: 30,
    ...change,
  };
}

export function changedProduct(change: Partial<LedgerProduct> = {}): LedgerProduct {
  return {
    guid: randomUUID(),
    ledger_id: null,
    active: true,
    product_number: "P-1",
    name: "Rådgivning",
    unit: "hours",
    ledger_account: null,
    price_scaled: 12_345_678n,
    quantity: 150,
    comments: null,
    external_reference: null,
    ...change,
  };
}
