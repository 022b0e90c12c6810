/**
 * How an account reminds its customers (spec 13.6). Amounts are JSON numbers in units of their currency, because they are shown and
 * stored as they were sent; `danish` keeps them within renteloven §§ 9 a and 9 b.
 */
import { currencyDigits } from "../base/currency.ts";
import { scaledFromNumber } from "../base/money.ts";
import type { FieldError } from "../base/problem.ts";

interface ReminderLevelSettings {
  readonly days_after_due: number;
  /** In functional currency; letters in others have none. */
  readonly fee: number;
  /** Whether businesses are charged the compensation. */
  readonly compensation: boolean;
  /** The account's own text of the letter; null for the usual one. */
  readonly text: string | null;
}

export interface ReminderSettings {
  /** In order of their days. */
  readonly levels: readonly ReminderLevelSettings[];
  /** The least days between two reminders that count an invoice. */
  readonly minimum_days: number;
  /** A rate of the account's own is in percent a year. */
  readonly interest: "none" | "statutory" | { readonly rate: number };
  /** What the statutory rate adds to the reference rate, in percent a year. */
  readonly statutory_margin: number;
  readonly compensation: readonly { readonly currency: string; readonly amount: number }[];
  /** In units of the letter's currency: a letter for less is not sent. */
  readonly minimum_amount: number;
  /** How many days a reminder gives for its payment. */
  readonly payment_days: number;
  readonly is_automatic: boolean;
  /** How many days old the last bank statement may be. */
  readonly bank_within_days: number;
  readonly rules: "danish" | "own";
}

const MOST_FEE_DKK = 100;
const MOST_FEES = 3;
const DAYS_BETWEEN = 10;

/** Returns the settings of a new account. The fees are kroner, so that other currencies have none, and rules of their own. */
export function usualReminders(functional_currency: string): ReminderSettings {
  const is_danish = functional_currency === "DKK";
  const fee = is_danish ? MOST_FEE_DKK : 0;
  const level = (days_after_due: number, level_fee: number): ReminderLevelSettings => ({
    days_after_due,
    fee: level_fee,
    compensation: false,
    text: null,
  });
  return {
    levels: [level(3, 0), level(13, fee), level(23, fee), level(33, fee)],
    minimum_days: DAYS_BETWEEN,
    interest: "none",
    statutory_margin: 8,
    compensation: [
      { currency: "DKK", amount: 310 },
      { currency: "EUR", amount: 40 },
    ],
    minimum_amount: 0,
    payment_days: 10,
    is_automatic: false,
    bank_within_days: 3,
    rules: is_danish ? "danish" : "own",
  };
}

/** Returns the faults of settings: levels that are not in order, amounts with too many decimals, and what the law does not allow. */
export function reminderFaults(
  settings: ReminderSettings,
  functional_currency: string,
): FieldError[] {
  return [
    ...settings.levels.flatMap(({ days_after_due, fee }, at) => [
      ...(days_after_due > (settings.levels[at - 1]?.days_after_due ?? 0)
        ? []
        : [
            fault(
              `levels[${at}].days_after_due`,
              "too_small",
              "Levels are in order of their days.",
            ),
          ]),
      ...decimalFaults(fee, functional_currency, `levels[${at}].fee`),
    ]),
    ...settings.compensation.flatMap(({ currency, amount }, at) => [
      ...decimalFaults(amount, currency, `compensation[${at}].amount`),
      ...(settings.compensation.findIndex((one) => one.currency === currency) === at
        ? []
        : [fault(`compensation[${at}].currency`, "duplicate", `${currency} is there already.`)]),
    ]),
    ...(settings.rules === "danish" ? danishFaults(settings, functional_currency) : []),
  ];
}

function decimalFaults(amount: number, currency: string, field: string): FieldError[] {
  const scaled = scaledFromNumber(amount, currencyDigits(currency));
  return typeof scaled === "string" ? [fault(field, scaled, `Not an amount in ${currency}.`)] : [];
}

/** Renteloven § 9 b: at most 100 kr. a reminder, at most three for a debt, and ten days between them. */
function danishFaults(settings: ReminderSettings, functional_currency: string): FieldError[] {
  const most = functional_currency === "DKK" ? MOST_FEE_DKK : 0;
  const charging = settings.levels.flatMap(({ fee }, at) => (fee > 0 ? [{ fee, at }] : []));
  return [
    ...charging.flatMap(({ fee, at }, index) => {
      if (index >= MOST_FEES)
        return [notAllowed(`levels[${at}].fee`, "At most three reminders of a debt have a fee.")];
      return fee > most
        ? [notAllowed(`levels[${at}].fee`, "A fee is at most 100 kr., and in kroner.")]
        : [];
    }),
    ...(settings.minimum_days < DAYS_BETWEEN
      ? [notAllowed("minimum_days", "There are at least ten days between two reminders.")]
      : []),
  ];
}

function notAllowed(field: string, message: string): FieldError {
  return fault(field, "not_allowed", message);
}

function fault(field: string, code: FieldError["code"], message: string): FieldError {
  return { field: `reminders.${field}`, code, message };
}
