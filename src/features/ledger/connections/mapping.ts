/** Proposes counterparts of our accounts in the connected ledger: those with the same number and the same VAT. */
import { scaledToNumber } from "../../../domain/base/money.ts";
import { PERCENT_DECIMALS } from "../../../domain/sales/line.ts";
import { type VatSettings, vatRate } from "../../../domain/sales/vat.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { LedgerCheck } from "../../../ledger/connected.ts";
import type { MappingRow, Wanted } from "./queries.ts";

/** The accounts and VAT codes that the last check of the ledger reported. */
export type ReportedAccounts = Pick<LedgerCheck, "accounts" | "vat_codes">;

/** Returns rows for the accounts that have a counterpart; the other accounts stay open until a person maps them. */
export function proposeMapping(
  wanted: readonly Wanted[],
  reported: ReportedAccounts,
  vat: VatSettings,
): MappingRow[] {
  return wanted.flatMap((one) => proposed(one, reported, vat) ?? []);
}

function proposed(
  { account_number, vat_code }: Wanted,
  reported: ReportedAccounts,
  vat: VatSettings,
): MappingRow | null {
  const { accounts, vat_codes } = reported;
  const there = accounts.find(({ account }) => account === String(account_number));
  if (there === undefined) return null;
  const row = { account_number, vat_code, ledger_account: there.account, ledger_vat_code: null };
  if (vat_code === "") return row;
  const charged = vatRate(vat_code as VatCode, vat);
  if (remoteRate(row, reported) === charged) return row;
  // Where each line has its VAT code, a code is proposed if it is the only one with the rate.
  const fitting = decidesByAccount(reported)
    ? []
    : vat_codes.filter(({ rate }) => rate === charged);
  const [only] = fitting;
  return only !== undefined && fitting.length === 1 ? { ...row, ledger_vat_code: only.code } : null;
}

/** Whether the ledger's account determines the VAT (none without a code). Otherwise each line has its own VAT code. */
function decidesByAccount({ accounts }: ReportedAccounts): boolean {
  return accounts.some(({ vat_code }) => vat_code !== null);
}

/** Returns the VAT rate of a sale under a row in the connected ledger, in hundredths of a percent; null when it is unknown. */
function remoteRate(row: Mapped, reported: ReportedAccounts): number | null {
  const there = reported.accounts.find(({ account }) => account === row.ledger_account);
  if (there === undefined) return null;
  const charged = decidesByAccount(reported) ? there.vat_code : row.ledger_vat_code;
  if (charged === null) return 0;
  return reported.vat_codes.find(({ code }) => code === charged)?.rate ?? null;
}

/** A row of the mapping, for a sale or for a role; the VAT code of a role is empty or null. */
type Mapped = Pick<MappingRow, "ledger_account" | "ledger_vat_code"> & {
  readonly vat_code: string | null;
};

/** Returns why the connected ledger would charge another VAT on a sale, with both rates; null when the rates agree. */
export function otherRate(
  row: Mapped,
  reported: ReportedAccounts,
  vat: VatSettings,
): string | null {
  if (row.vat_code === null || row.vat_code === "") return null;
  const here = vatRate(row.vat_code as VatCode, vat);
  const there = remoteRate(row, reported);
  if (there === null || there === here) return null;
  return `Account ${row.ledger_account} in the accounting system charges ${percent(there)} VAT, and ${row.vat_code} is ${percent(here)}.`;
}

function percent(rate: number): string {
  return `${scaledToNumber(BigInt(rate), PERCENT_DECIMALS)} %`;
}

/** An account of our chart that cannot be booked, with the reason when it has a row. */
export type Open = Wanted & { readonly reason: string | null };

/** Returns the wanted accounts without a row, or with a row under which another VAT would be charged. */
export function openOf(
  wanted: readonly Wanted[],
  rows: readonly MappingRow[],
  reported: ReportedAccounts,
  vat: VatSettings,
): Open[] {
  const known = new Map(rows.map((row) => [keyOf(row), row]));
  return wanted.flatMap((one) => {
    const row = known.get(keyOf(one));
    const reason = row === undefined ? null : otherRate(row, reported, vat);
    return row === undefined || reason !== null ? [{ ...one, reason }] : [];
  });
}

/** Returns the key of a row: one row of a mapping has it. */
export function keyOf({ account_number, vat_code }: Wanted): string {
  return `${account_number} ${vat_code}`;
}
