/** The initial chart: the sales part of the Danish standard chart (December 2025) and sales account 1000 (spec 9.1). */
import type { SalesAccounts } from "../../../domain/sales/sales-account.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { AccountType } from "../../ledger.ts";

interface StandardAccount {
  readonly number: number;
  readonly name: string;
  readonly type: AccountType;
  readonly standard_number: number;
  readonly vat_code: VatCode | null;
}

export const STANDARD_VERSION = "2025-12";
export const DEFAULT_REVENUE = 1000;
export const RECEIVABLES = 6190;
export const OUTPUT_VAT = 7680;
/** The chart's accounts for accruals, by role. */
export const ACCOUNT_ROLES = {
  contract_asset: 6240,
  contract_liability: 8070,
  exchange_difference: 3610,
} as const;

export const standardChart: readonly StandardAccount[] = [
  revenue(1000, "Salg af varer/ydelser m/moms", "DK25", 1010),
  revenue(1010, "Salg af varer og ydelser", "DK25"),
  revenue(1050, "Salg af varer udland, EU", "EU_GOODS_RC"),
  revenue(1100, "Salg af varer udland, ikke-EU", "EXPORT_GOODS"),
  revenue(1150, "Salg af ydelser udland, EU", "EU_SERVICES_RC"),
  revenue(1200, "Salg af ydelser udland, ikke-EU", "EXPORT_SERVICES"),
  revenue(1210, "Salgsrabatter", "DK25"),
  revenue(1300, "Regulering igangværende arbejder", "DK25"),
  balance(2720, "Øreafrunding", "expense"),
  balance(3610, "Valutakursreguleringer", "expense"),
  balance(RECEIVABLES, "Tilgodehavender fra salg og tjenesteydelser", "asset"),
  balance(6240, "Igangværende arbejder for fremmed regning", "asset"),
  balance(6480, "Bankkonto", "asset"),
  balance(6950, "Overført resultat", "equity"),
  balance(7410, "Modtagne forudbetalinger fra kunder", "liability"),
  balance(OUTPUT_VAT, "Salgsmoms", "liability"),
  balance(7740, "Købsmoms", "liability"),
  balance(7840, "Skyldig moms", "liability"),
  balance(8070, "Periodeafgrænsningsposter", "liability"),
];

/** The sales accounts by VAT code. Domestic sales stay on the account of the line. */
export const salesAccounts: SalesAccounts = new Map<VatCode, number>([
  ["EU_GOODS_RC", 1050],
  ["EXPORT_GOODS", 1100],
  ["EU_SERVICES_RC", 1150],
  ["EXPORT_SERVICES", 1200],
]);

function revenue(
  number: number,
  name: string,
  vat_code: VatCode,
  standard_number = number,
): StandardAccount {
  return { number, name, type: "income", standard_number, vat_code };
}

function balance(number: number, name: string, type: AccountType): StandardAccount {
  return { number, name, type, standard_number: number, vat_code: null };
}
