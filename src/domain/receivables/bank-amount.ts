/** What the bank credits or debits for a payment or refund, in functional currency (spec 13.3). */
import type { CalendarDate } from "../base/calendar.ts";
import { currencyDigits } from "../base/currency.ts";
import { convert, type Money } from "../base/money.ts";
import type { FieldError } from "../base/problem.ts";
import { requireRate } from "../sales/invoice.ts";

/** Amounts in minor units: `amount` of the payment's currency, the others of the functional currency. */
export interface MovedMoney {
  readonly kind: "payment" | "refund";
  readonly date: CalendarDate;
  readonly currency: string;
  readonly amount: Money;
  /** What was sent; null for the usual amount. */
  readonly bank_amount: Money | null;
  readonly fee: Money;
}

export interface MoneyFacts {
  readonly functional_currency: string;
  /** The currency of the bank account. */
  readonly bank_currency: string;
  /** The latest rate on or before the date; null without one. */
  readonly rate: { readonly date: CalendarDate; readonly rate_micro: bigint } | null;
  readonly rate_max_age_days: number | null;
}

/** Returns the faults of the amounts of the bank, as fields of the request. A missing rate is none. */
export function bankAmountFaults(money: MovedMoney, facts: MoneyFacts): FieldError[] {
  const { currency, bank_amount, fee } = money;
  const usual = usualAmount(money, facts);
  const is_own_currency = currency === facts.functional_currency;
  if (is_own_currency && bank_amount !== null && bank_amount !== usual) {
    const message =
      "In functional currency it is the amount less the fee, of a refund plus the fee.";
    return [{ field: "bank_amount", code: "invalid_value", message }];
  }
  if (!is_own_currency && bank_amount === null && currency !== facts.bank_currency) {
    const message = "The bank account has another currency: say what it was credited.";
    return [{ field: "bank_amount", code: "required", message }];
  }
  const bank = bank_amount ?? usual;
  if (bank === null) return [];
  const left = money.kind === "payment" ? bank : bank - fee;
  if (bank > 0n && left > 0n) return [];
  return [{ field: "fee", code: "too_large", message: "The fee takes up the whole amount." }];
}

/** Returns the amount of the bank. Throws EXCHANGE_RATE_MISSING. The amounts have no fault. */
export function bankAmountOf(money: MovedMoney, facts: MoneyFacts): Money {
  if (money.bank_amount !== null) return money.bank_amount;
  const amount = usualAmount(money, facts);
  if (money.currency !== facts.functional_currency) {
    const { rate, rate_max_age_days } = facts;
    requireRate(money, money.date, { rate_date: rate?.date ?? null, rate_max_age_days });
  }
  if (amount === null) throw new Error("an amount without a rate was not refused");
  return amount;
}

/** Returns the amount less the fee, at the rate of the day, of a refund plus the fee; null without a rate. */
function usualAmount({ kind, currency, amount, fee }: MovedMoney, facts: MoneyFacts): Money | null {
  const { functional_currency, rate } = facts;
  const less = kind === "payment" ? -fee : fee;
  if (currency === functional_currency) return amount + less;
  if (rate === null) return null;
  const [from, to] = [currencyDigits(currency), currencyDigits(functional_currency)];
  return convert(amount, rate.rate_micro, from, to) + less;
}
