/**
 * The initial chart: what sales and payments need of the Danish standard chart (December 2025), and sales account 1000 (spec 9.1).
 */
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
/** The chart's accounts for accruals, payments and reminders, by role. */
export const ACCOUNT_ROLES = {
  contract_asset: 6240,
  contract_liability: 8070,
  exchange_difference: 3610,
  customer_credit: 7410,
  rounding: 2720,
  payment_fee: 2390,
  reminder_fee: 1550,
  interest_income: 3490,
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
  withoutVat(1550, "Rykkergebyrer", "income"),
  withoutVat(2390, "Gebyrer", "expense"),
  withoutVat(2720, "Øreafrunding", "expense"),
  withoutVat(3490, "Renteindtægter", "income"),
  withoutVat(3610, "Valutakursreguleringer", "expense"),
  withoutVat(RECEIVABLES, "Tilgodehavender fra salg og tjenesteydelser", "asset"),
  withoutVat(6240, "Igangværende arbejder for fremmed regning", "asset"),
  withoutVat(6480, "Bankkonto", "asset"),
  withoutVat(6950, "Overført resultat", "equity"),
  withoutVat(7410, "Modtagne forudbetalinger fra kunder", "liability"),
  withoutVat(OUTPUT_VAT, "Salgsmoms", "liability"),
  withoutVat(7740, "Købsmoms", "liability"),
  withoutVat(7840, "Skyldig moms", "liability"),
  withoutVat(8070, "Periodeafgrænsningsposter", "liability"),
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

function withoutVat(number: number, name: string, type: AccountType): StandardAccount {
  return { number, name, type, standard_number: number, vat_code: null };
}
