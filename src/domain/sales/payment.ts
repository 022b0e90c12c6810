/** Payment terms and the date on which an invoice falls due (spec 10.2). */
import { addDays, type CalendarDate, lastDayOfMonth } from "../base/calendar.ts";
import type { FieldError } from "../base/problem.ts";
import type { PaymentTerms } from "./document.ts";

export const paymentTypes = ["Netto", "NettoCash", "CurrentMonthOut"] as const;
type PaymentType = (typeof paymentTypes)[number];

export interface ContractTerms {
  readonly type: PaymentType;
  readonly days: number;
}

/** Returns the customer's terms, else those of the configuration. A number of days without a type means `Netto`. */
export function termsOf(
  customer: {
    readonly payment_condition_type: string | null;
    readonly payment_condition_number_of_days: number | null;
  },
  standard: ContractTerms,
): ContractTerms {
  const { payment_condition_number_of_days: days } = customer;
  if (customer.payment_condition_type === null && days === null) return standard;
  const type = (customer.payment_condition_type ?? "Netto") as PaymentType;
  return { type, days: type === "NettoCash" ? 0 : (days ?? 0) };
}

/** Returns terms with the due date: `Netto` counts from the issue date, `CurrentMonthOut` from the end of its month. */
export function paymentOf(terms: ContractTerms, issue_date: CalendarDate): PaymentTerms {
  const start = terms.type === "CurrentMonthOut" ? lastDayOfMonth(issue_date) : issue_date;
  const days = terms.type === "NettoCash" ? 0 : terms.days;
  return { type: terms.type, days, due_date: addDays(start, days) };
}

/** Returns the faults of payment terms: `NettoCash` has no days (spec 7.2). */
export function termFaults(type: string | null, days: number | null, field: string): FieldError[] {
  if (type === "NettoCash" && days !== null && days !== 0) {
    return [
      { field, code: "not_allowed", message: "NettoCash is due immediately: days must be 0." },
    ];
  }
  return [];
}
