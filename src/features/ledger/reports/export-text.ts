/**
 * Makes texts of the journal safe for both formats: typed text must never be read as syntax. In hledger `;` begins a
 * comment and `|` splits the text; in beancount `"` ends it, and a wrong character makes another account.
 */

import { currencyDigits } from "../../../domain/base/currency.ts";
import { decimalText, RATE_DECIMALS } from "../../../domain/base/money.ts";
import type { AccountType } from "../../../ledger/ledger.ts";
import type { JournalAccount, JournalEntry, JournalPosting } from "./export-journal.ts";

const LONGEST_NAME = 60;

/**
 * Returns the commodity of a currency's minor units: `DKKMINOR`. Whole numbers leave no tolerance to the checkers; with two
 * decimals both accept an entry that is a fraction out of balance (spec 9.7).
 */
export function minorUnitOf(currency: string): string {
  return `${currency}MINOR`;
}

/** Returns the last part of an account's name: `6190-Tilgodehavender`. The number makes equal names distinct. */
export function accountPart(account: Pick<JournalAccount, "number" | "name">): string {
  const name = inLatinLetters(account.name)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, "");
  return name === "" ? String(account.number) : `${account.number}-${name}`;
}

/** Returns the full name of each account by its number, below the format's root of the account's type. */
export function accountNames(
  accounts: readonly JournalAccount[],
  roots: Readonly<Record<AccountType, string>>,
): ReadonlyMap<number, string> {
  return new Map(
    accounts.map((account) => [account.number, `${roots[account.type]}:${accountPart(account)}`]),
  );
}

/** Returns a text as one line without characters that have a meaning in either format. */
export function plainLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .replaceAll(";", ",")
    .replace(/[|\\]/g, "/")
    .replaceAll('"', "'")
    .trim();
}

/** Returns the kind and number of the document that the entry books: `invoice-1001`. */
export function codeOf(entry: Pick<JournalEntry, "kind" | "number">): string {
  return `${entry.kind}-${entry.number}`;
}

/** Returns the other fields of an entry worth exporting, as pairs of a key and a safe value. A payment has no rate. */
export function entryFacts(
  entry: JournalEntry,
  functional_currency: string,
): [key: string, value: string][] {
  const facts: [string, string][] = [
    ["entry_no", String(entry.entry_no)],
    ["guid", entry.guid],
    ["registered_at", entry.registered_at],
    ["registered_by", entry.registered_by],
  ];
  if (entry.currency !== functional_currency) facts.push(["currency", entry.currency]);
  if (entry.rate_micro !== null) {
    facts.push(["rate", decimalText(entry.rate_micro, RATE_DECIMALS)]);
  }
  return facts;
}

/** Returns the fields of a posting to export; the document's amount only if its currency is not the functional one. */
export function postingFacts(
  entry: JournalEntry,
  posting: JournalPosting,
  functional_currency: string,
): [key: string, value: string][] {
  const facts: [string, string][] = [];
  if (posting.customer_id !== null) facts.push(["customer_id", posting.customer_id]);
  if (posting.vat_code !== null) facts.push(["vat_code", posting.vat_code]);
  if (entry.currency !== functional_currency) {
    const amount = decimalText(posting.currency_amount, currencyDigits(entry.currency));
    facts.push(["currency_amount", `${amount} ${entry.currency}`]);
  }
  return facts;
}

const SPELLED: Readonly<Record<string, string>> = {
  æ: "ae",
  Æ: "Ae",
  ø: "oe",
  Ø: "Oe",
  å: "aa",
  Å: "Aa",
  ß: "ss",
};

function inLatinLetters(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[æÆøØåÅß]/g, (letter) => SPELLED[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
}
