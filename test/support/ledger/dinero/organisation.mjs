/**
 * The initial data of an organisation of the simulation of Dinero. Some numbers and VAT codes are real ones of Dinero (1000,
 * 2000, 55000, 64000, 64060; U25, I25); the rest is made up.
 */

const account = (AccountNumber, Name, VatCode = null, more = {}) => {
  return { AccountNumber, Name, VatCode, Category: null, IsHidden: false, ...more };
};

const accounts = [
  account(1000, "Salg af varer/ydelser m/moms", "U25", {
    IsDefaultSalesAccount: true,
    PublicStandardNumber: 1010,
  }),
  account(1020, "Salg uden moms"),
  account(1050, "Salg af varer, EU", "UEUV"),
  account(1100, "Salg af varer, verden", "UVER"),
  account(1150, "Salg af ydelser, EU", "UEUY"),
  account(1200, "Salg af ydelser, verden", "UVER"),
  account(2000, "Vareforbrug", "I25"),
  account(55000, "Bank"),
  account(56000, "Tilgodehavender fra salg"),
  account(57000, "Igangværende arbejder"),
  account(63000, "Periodeafgrænsningsposter"),
  account(64000, "Salgsmoms"),
  account(64060, "Købsmoms"),
];

const vat_types = [
  { VatCode: "U25", Name: "Salg 25 %", VatRate: 0.25 },
  { VatCode: "I25", Name: "Køb 25 %", VatRate: 0.25 },
  { VatCode: "UEUV", Name: "Salg af varer til EU", VatRate: 0 },
  { VatCode: "UEUY", Name: "Salg af ydelser til EU", VatRate: 0 },
  { VatCode: "UVER", Name: "Salg til lande uden for EU", VatRate: 0 },
];

/** Kroner in millionths for one unit. */
const rates = { EUR: 7_460_000, USD: 6_402_500, SEK: 650_000, NOK: 640_000, GBP: 8_700_000 };

export const RECEIVABLE = 56000;
export const SALES_VAT = 64000;
export const PURCHASE_VAT = 64060;

export function newOrganisation(Id, Name = "Simuleret ApS") {
  return {
    Id,
    Name,
    IsPro: true,
    accounts,
    vat_types,
    rates,
    years: yearsFrom(2025, Math.max(2026, new Date().getUTCFullYear())),
    /** Nothing is booked on or before this day; Dinero does not publish it. */
    locked_through: null,
  };
}

function yearsFrom(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const year = first + index;
    return { Name: String(year), FromDate: `${year}-01-01`, ToDate: `${year}-12-31` };
  });
}

/** Unpublished behaviour, each with a switch; and the simulation's limits and delays. */
export const switches = {
  /** half_up, half_even, or per_line. */
  vat_rounding: "half_up",
  /** Where the keys of an error are: all, validationErrors, errorMessageList or languageSpecificMessages. */
  error_keys: "all",
  /** How a locked day is reported: named, vat_period, message (without a field), or opaque (an unknown code). */
  locked_error: "named",
  /** Whether a ledger item on a locked day is refused when it is to be booked, or accepted (reverts). */
  locked_ledger_item: "refused",
  /** The state of an accepted item that cannot be booked: draft, gone, or pending forever. */
  unbookable_item: "draft",
  /** Whether a booked ledger item's guid in the entries is the id under which it was sent. */
  ledger_item_id_is_voucher_guid: true,
  /** Whether a second identical e-mail is left out. */
  email_deduplicated: false,
  /** Whether a guid may be used again after its draft was deleted, or its item is gone. */
  deleted_guid_is_free: true,
  /** The answer to a query for a deleted draft: no_document (code 63), deleted (code 65), or the draft, shown. */
  deleted_look: "deleted",
  /** Whether lines of invoices may use balance accounts. */
  balance_accounts_on_lines: true,
  /** Whether adding ledger items answers with a list, or with one object. */
  ledger_items_answer: "list",
  /** How long a ledger item is pending. */
  ledger_item_ms: 0,
  /** Requests in a window and its length; 0 for no limit. */
  limit: 0,
  limit_window_ms: 60_000,
  /** Where a document has its amounts in kroner: when it is read alone, and in lists. */
  amounts_in_kroner: { alone: true, in_lists: true },
  /** Whether a credit note for an invoice lowers what is left to pay of it. */
  credit_notes_settle: true,
  /** The currency of the amounts of payments: of the invoice, or kroner. */
  payments_in_kroner: false,
  /** Whether the payments of an invoice are listed with their days. */
  payments_listed: true,
  /** Seconds to wait in an answer over the limit; null when the answer does not say. */
  retry_after: null,
  /** The code for an organisation whose plan allows no calls: 48 or 90. */
  no_plan_code: 48,
  /** How long every answer takes. */
  delay_ms: 0,
  /** The lifetime of an access token. */
  token_seconds: 3600,
};
