/** The connector over a line of its own, and what tests book with it. */
import { createHash, randomUUID } from "node:crypto";
import type { VoucherSnapshot } from "../../../../src/domain/revenue/voucher.ts";
import type { DocumentSnapshot } from "../../../../src/domain/sales/document.ts";
import type {
  Booked,
  BookOutcome,
  DocumentBooking,
  MappedAccount,
  VoucherBooking,
} from "../../../../src/ledger/ledger.ts";
import { freeze } from "../../../../src/platform/json.ts";
import { accrual, danish } from "../../documents/documents.ts";

/** Our accounts in the books of the tests, whose accounts have the same numbers there. */
export const accounts: readonly MappedAccount[] = [
  { account_number: 1010, vat_code: "DK25", ledger_account: "1010", ledger_vat_code: "U25" },
  {
    account_number: 1150,
    vat_code: "EU_SERVICES_RC",
    ledger_account: "1150",
    ledger_vat_code: "U0",
  },
  { account_number: 8070, vat_code: null, ledger_account: "8070", ledger_vat_code: null },
];

export function invoice(change: Partial<DocumentSnapshot> = {}): DocumentBooking {
  const document = { ...danish(), ...change, document_id: randomUUID() };
  return { kind: document.kind, ...requested(document), document };
}

export function voucher(change: Partial<VoucherSnapshot> = {}): VoucherBooking {
  const document = { ...accrual(), ...change, document_id: randomUUID() };
  return { kind: "voucher", ...requested(document), document };
}

export function requireBooked(outcome: BookOutcome): Booked {
  if (outcome.state !== "booked") throw new Error(`expected a booking: ${JSON.stringify(outcome)}`);
  return outcome;
}

function requested(document: DocumentSnapshot | VoucherSnapshot) {
  return {
    guid: document.document_id,
    payload_hash: createHash("sha256").update(freeze(document)).digest(),
    requested_by: "api_key:test",
    accounts,
  };
}
