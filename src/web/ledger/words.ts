/** The texts of the ledger's pages, in both languages. */
import type { AccountType } from "../../ledger/ledger.ts";

const TYPES_IN_ENGLISH = {
  asset: "Asset",
  liability: "Liability",
  equity: "Equity",
  income: "Income",
  expense: "Expense",
} as const satisfies Record<AccountType, string>;

export const enLedger = {
  tabs_label: "Pages of the ledger",
  tabs: { trial_balance: "Trial balance", accounts: "Accounts" },
  books_in: (system: string) => `The books are in ${system}.`,
  books_in_text: (system: string) =>
    `Matchbook sends each invoice, credit note and voucher to ${system}, and keeps no books of its own for this account.`,
  account: "Account",
  number: "Number",
  name: "Name",
  name_of: (number: number) => `Name of account ${number}`,
  type: "Type",
  types: TYPES_IN_ENGLISH as Readonly<Record<string, string>>,
  vat_code: "VAT of sales",
  vat_codes: {
    DK25: "Danish VAT",
    DK0: "Exempt from VAT",
    DK_RC: "Domestic reverse charge",
    EU_SERVICES_RC: "Services to businesses in the EU",
    EU_GOODS_RC: "Goods to businesses in the EU",
    EXPORT_SERVICES: "Services outside of the EU",
    EXPORT_GOODS: "Goods outside of the EU",
  } as Readonly<Record<string, string>>,
  balance: "Balance",
  accounts_lead: "Names are changed in their place. The balance is that of all entries.",
  accounts_elsewhere: (system: string) =>
    `The accounts of lines and vouchers. The connection says which account in ${system} each of them is.`,
  opening: "Opening",
  debit: "Debit",
  credit: "Credit",
  closing: "Closing",
  sum: "Total",
  from: "From",
  to: "To",
  show: "Show",
  this_month: "This month",
  last_month: "Last month",
  from_to: (from: string, to: string, currency: string) => `${from} to ${to}, in ${currency}`,
  no_balances: "Nothing is booked through this day.",
  adding_up: "The entries are being added up…",
  add_up: "Add up the entries",
  lost: "The entries could not be added up: no connection.",
  files: { trial_balance: "trial-balance" },
};

export const daLedger: typeof enLedger = {
  tabs_label: "Bogholderiets sider",
  tabs: { trial_balance: "Saldobalance", accounts: "Kontoplan" },
  books_in: (system) => `Bogholderiet føres i ${system}.`,
  books_in_text: (system) =>
    `Matchbook sender hver faktura, kreditnota og hvert bilag til ${system} og fører ikke selv bøger for denne konto.`,
  account: "Konto",
  number: "Nummer",
  name: "Navn",
  name_of: (number) => `Navn på konto ${number}`,
  type: "Art",
  types: {
    asset: "Aktiv",
    liability: "Gæld",
    equity: "Egenkapital",
    income: "Indtægt",
    expense: "Omkostning",
  },
  vat_code: "Moms af salg",
  vat_codes: {
    DK25: "Dansk moms",
    DK0: "Momsfrit",
    DK_RC: "Omvendt betalingspligt i Danmark",
    EU_SERVICES_RC: "Ydelser til virksomheder i EU",
    EU_GOODS_RC: "Varer til virksomheder i EU",
    EXPORT_SERVICES: "Ydelser uden for EU",
    EXPORT_GOODS: "Varer uden for EU",
  },
  balance: "Saldo",
  accounts_lead: "Navne ændres, hvor de står. Saldoen er summen af alle posteringer.",
  accounts_elsewhere: (system) =>
    `Konti til linjer og bilag. Forbindelsen viser, hvilken konto i ${system} hver af dem svarer til.`,
  opening: "Primo",
  debit: "Debet",
  credit: "Kredit",
  closing: "Ultimo",
  sum: "Sum",
  from: "Fra",
  to: "Til",
  show: "Vis",
  this_month: "Denne måned",
  last_month: "Sidste måned",
  from_to: (from, to, currency) => `${from} til ${to}, i ${currency}`,
  no_balances: "Der er ikke bogført noget til og med denne dag.",
  adding_up: "Posteringerne lægges sammen …",
  add_up: "Læg posteringerne sammen",
  lost: "Posteringerne kunne ikke lægges sammen: ingen forbindelse.",
  files: { trial_balance: "saldobalance" },
};

/** Returns the type of an account in words. */
export function accountType({ types }: typeof enLedger, type: string): string {
  return types[type] ?? type;
}

/** Returns the VAT of an account's sales in words; a dash for an account without any. */
export function vatCodeInWords({ vat_codes }: typeof enLedger, code: string | null): string {
  return code === null ? "–" : (vat_codes[code] ?? code);
}
