/** The bank accounts of a firm: which one is the default, and which account of the books may stand for one (spec 13.1). */

import type { CalendarDate } from "../base/calendar.ts";
import type { FieldError } from "../base/field-errors.ts";
import type { CsvProfile } from "./csv-profile.ts";

export interface BankAccount {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly currency: string;
  /** The number of its account in the books. */
  readonly ledger_account: number;
  readonly iban: string | null;
  readonly registration_number: string | null;
  readonly account_number: string | null;
  readonly is_default: boolean;
  readonly active: boolean;
  readonly csv_profile: CsvProfile | null;
  /** The last day of the newest statement. */
  readonly statements_through: CalendarDate | null;
}

/** The account of the built-in chart for money in the bank. */
const BANK_LEDGER_ACCOUNT = 6480;

/** Returns the bank account that a new account starts with. `currency` is that of the books. */
export function firstBankAccount(id: string, currency: string): BankAccount {
  return {
    id,
    external_id: null,
    name: "Bank",
    currency,
    ledger_account: BANK_LEDGER_ACCOUNT,
    iban: null,
    registration_number: null,
    account_number: null,
    is_default: true,
    active: true,
    csv_profile: null,
    statements_through: null,
  };
}

/**
 * Whether a Danish IBAN is of an account with this registration number and account number: it has both behind its check digits, with
 * zeros before them.
 */
export function isDanishIbanOf(
  iban: string,
  account: Pick<BankAccount, "registration_number" | "account_number">,
): boolean {
  const digits = (text: string | null, count: number) =>
    (text ?? "").replaceAll(/\D/g, "").padStart(count, "0");
  if (account.registration_number === null || account.account_number === null) return false;
  const number = `${digits(account.registration_number, 4)}${digits(account.account_number, 10)}`;
  return iban.startsWith("DK") && iban.slice(4) === number;
}

/** Returns the fields of a bank account in the order in which they are stored and shown. */
export function shownBankAccount(account: BankAccount) {
  return {
    object: "bank_account" as const,
    id: account.id,
    external_id: account.external_id,
    name: account.name,
    currency: account.currency,
    ledger_account: account.ledger_account,
    iban: account.iban,
    registration_number: account.registration_number,
    account_number: account.account_number,
    is_default: account.is_default,
    active: account.active,
    csv_profile: account.csv_profile,
    statements_through: account.statements_through,
  };
}

/** Returns faults of a change; `before` is null for a new account. One active account always remains the default. */
export function bankAccountFaults(before: BankAccount | null, after: BankAccount): FieldError[] {
  if (before !== null && before.currency !== after.currency) {
    const message = "The currency of a bank account is fixed: add another account.";
    return [{ field: "currency", code: "not_allowed", message }];
  }
  if (before?.is_default && !after.is_default) {
    const message = "Make another bank account the default instead.";
    return [{ field: "is_default", code: "not_allowed", message }];
  }
  if (!after.is_default || after.active) return [];
  const message = "The default bank account is active: make another one the default first.";
  return [{ field: before?.is_default ? "active" : "is_default", code: "not_allowed", message }];
}
