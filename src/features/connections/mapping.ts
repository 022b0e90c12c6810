/** What our accounts are most likely called at the other end: by number, where the same VAT would be charged. */
import { type VatSettings, vatRate } from "../../domain/sales/vat.ts";
import type { VatCode } from "../../domain/sales/vat-code.ts";
import type { LedgerCheck } from "../../ledger/connected.ts";
import type { MappingRow, Wanted } from "./queries.ts";

/** What the last check told of accounts and VAT codes there. */
export type ToldAccounts = Pick<LedgerCheck, "accounts" | "vat_codes">;

/** The rows for those that have a counterpart; the others are open, until somebody says what they are. */
export function proposeMapping(
  wanted: readonly Wanted[],
  told: ToldAccounts,
  vat: VatSettings,
): MappingRow[] {
  return wanted.flatMap((one) => proposed(one, told, vat) ?? []);
}

function proposed(
  { account_number, vat_code }: Wanted,
  { accounts, vat_codes }: ToldAccounts,
  vat: VatSettings,
): MappingRow | null {
  const there = accounts.find(({ account }) => account === String(account_number));
  if (there === undefined) return null;
  const row = { account_number, vat_code, ledger_account: there.account, ledger_vat_code: null };
  if (vat_code === "") return row;
  const charged = vatRate(vat_code as VatCode, vat);
  if (there.vat_code !== null) {
    const decided = vat_codes.find(({ code }) => code === there.vat_code);
    return decided?.rate === charged ? row : null;
  }
  if (charged === 0) return row;
  // Where accounts decide, one without a VAT code charges none; elsewhere lines say it, if there is one way to.
  const accounts_decide = accounts.some((one) => one.vat_code !== null);
  const fitting = accounts_decide ? [] : vat_codes.filter(({ rate }) => rate === charged);
  const [only] = fitting;
  return only !== undefined && fitting.length === 1 ? { ...row, ledger_vat_code: only.code } : null;
}

/** What is wanted and has no row. */
export function openOf(wanted: readonly Wanted[], rows: readonly MappingRow[]): Wanted[] {
  const known = new Set(rows.map(keyOf));
  return wanted.filter((one) => !known.has(keyOf(one)));
}

function keyOf({ account_number, vat_code }: Wanted): string {
  return `${account_number} ${vat_code}`;
}
