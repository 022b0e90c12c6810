/** What our accounts are most likely called at the other end: by number, where the same VAT would be charged. */
import { scaledToNumber } from "../../../domain/base/money.ts";
import { PERCENT_DECIMALS } from "../../../domain/sales/line.ts";
import { type VatSettings, vatRate } from "../../../domain/sales/vat.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { LedgerCheck } from "../../../ledger/connected.ts";
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
  told: ToldAccounts,
  vat: VatSettings,
): MappingRow | null {
  const { accounts, vat_codes } = told;
  const there = accounts.find(({ account }) => account === String(account_number));
  if (there === undefined) return null;
  const row = { account_number, vat_code, ledger_account: there.account, ledger_vat_code: null };
  if (vat_code === "") return row;
  const charged = vatRate(vat_code as VatCode, vat);
  if (rateThere(row, told) === charged) return row;
  // Where lines say the VAT code, it is proposed if there is one way to.
  const fitting = decidesByAccount(told) ? [] : vat_codes.filter(({ rate }) => rate === charged);
  const [only] = fitting;
  return only !== undefined && fitting.length === 1 ? { ...row, ledger_vat_code: only.code } : null;
}

/** Whether VAT follows the account there: one without a VAT code charges none. Elsewhere each line says its code. */
function decidesByAccount({ accounts }: ToldAccounts): boolean {
  return accounts.some(({ vat_code }) => vat_code !== null);
}

/** The rate that a sale under a row is charged there, in hundredths of a percent; null where it is unknown. */
function rateThere(row: Mapped, told: ToldAccounts): number | null {
  const there = told.accounts.find(({ account }) => account === row.ledger_account);
  if (there === undefined) return null;
  const charged = decidesByAccount(told) ? there.vat_code : row.ledger_vat_code;
  if (charged === null) return 0;
  return told.vat_codes.find(({ code }) => code === charged)?.rate ?? null;
}

/** A row of a sale, or of a role, whose VAT code is empty or null. */
type Mapped = Pick<MappingRow, "ledger_account" | "ledger_vat_code"> & {
  readonly vat_code: string | null;
};

/** Why a sale under a row would be charged another VAT there, with both rates; null where it would not. */
export function otherRate(row: Mapped, told: ToldAccounts, vat: VatSettings): string | null {
  if (row.vat_code === null || row.vat_code === "") return null;
  const here = vatRate(row.vat_code as VatCode, vat);
  const there = rateThere(row, told);
  if (there === null || there === here) return null;
  return `Account ${row.ledger_account} there charges ${percent(there)} VAT, and ${row.vat_code} is ${percent(here)}.`;
}

function percent(rate: number): string {
  return `${scaledToNumber(BigInt(rate), PERCENT_DECIMALS)} %`;
}

/** What of our chart cannot be booked there, and why where it has a row. */
export type Open = Wanted & { readonly reason: string | null };

/** What is wanted and has no row, or one under which another VAT would be charged. */
export function openOf(
  wanted: readonly Wanted[],
  rows: readonly MappingRow[],
  told: ToldAccounts,
  vat: VatSettings,
): Open[] {
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  return wanted.flatMap((one) => {
    const row = known.get(keyOf(one));
    const reason = row === undefined ? null : otherRate(row, told, vat);
    return row === undefined || reason !== null ? [{ ...one, reason }] : [];
  });
}

function keyOf({ account_number, vat_code }: Wanted): string {
  return `${account_number} ${vat_code}`;
}
