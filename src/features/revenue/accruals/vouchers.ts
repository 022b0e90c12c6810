/** Makes the voucher of a decided accrual, and the intent to book this voucher in a ledger. */
import { lastDayOf } from "../../../domain/base/calendar.ts";
import {
  type VoucherEntry,
  type VoucherSnapshot,
  voucherText,
} from "../../../domain/revenue/voucher.ts";
import { derivedId } from "../../../platform/runtime/id.ts";
import type { AccrualSnapshot } from "./snapshot.ts";

/** Returns the voucher of a booking; null when there is nothing to book. Every role has its account. */
export function voucherOf(
  accrual_id: string,
  revision: number,
  snapshot: AccrualSnapshot,
): VoucherSnapshot | null {
  const entries = snapshot.entries.map((entry): VoucherEntry => {
    const { account_role, account_number } = entry;
    if (account_number === null) throw new Error(`the role ${account_role} has no account`);
    return { ...entry, account_number };
  });
  if (entries.length === 0) return null;
  const reference = referenceOf(accrual_id, revision);
  const { customer, month, original_month } = snapshot;
  return {
    kind: "voucher",
    document_id: voucherGuid(accrual_id, revision),
    reference,
    customer,
    issue_date: lastDayOf(month),
    text: voucherText(month, customer.name, original_month),
    currency: snapshot.functional_currency,
    entries,
    reverses_guid: null,
  };
}

function referenceOf(accrual_id: string, revision: number): string {
  return `accrual:${accrual_id}:${revision}`;
}

/** Returns the guid of the voucher of a revision of an accrual. */
export function voucherGuid(accrual_id: string, revision: number): string {
  return derivedId(accrual_id, referenceOf(accrual_id, revision));
}

/** Returns the guid of the voucher that reverses another voucher. */
export function reversalGuid(accrual_id: string, voucher: VoucherSnapshot): string {
  return derivedId(accrual_id, `${voucher.reference}:reversal`);
}
