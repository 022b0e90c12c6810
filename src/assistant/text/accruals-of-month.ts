/** Presents the accruals of a month of all customers: one row each with their sum, and the bookings of accruals. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import {
  type AccrualOfCustomer,
  type BookingOfAccrual,
  listAccrualsOfMonth,
  listBookingsOfMonth,
} from "../../features/revenue/outlook/list-accruals.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { moneyText, paragraphs, quoted, tableOf } from "../protocol/words.ts";

export const AccrualRow = z.object({
  customer_id: z.string(),
  customer_name: z.string(),
  status: z.enum(["booked", "draft"]),
  voucher_number: z.number().nullable(),
  earned: z.number(),
  invoiced: z.number(),
});

export const AccrualSum = z.object({ earned: z.number(), invoiced: z.number() });

/** The accruals of a month as data, and the text that shows them. */
interface AccrualsOfMonth {
  readonly accruals: readonly z.output<typeof AccrualRow>[];
  readonly sum: z.output<typeof AccrualSum>;
  readonly text: string;
}

/** Returns the first `most` accruals of a month, those that earn the most first, with the sum of all. */
export async function accrualsOfMonth(
  cx: PersonReader,
  month: Month,
): Promise<(most: number) => AccrualsOfMonth> {
  const found = await listAccrualsOfMonth(cx, month);
  if (found === null) {
    const text = "There are too many customers to compute their accruals at once; name one.";
    return () => ({ accruals: [], sum: { earned: 0, invoiced: 0 }, text });
  }
  const { functional_currency: currency } = await getConfiguration(cx);
  const sorted = found.toSorted((a, b) => (a.earned < b.earned ? 1 : a.earned > b.earned ? -1 : 0));
  const names = await customerNames(
    cx,
    sorted.map((one) => one.customer_id),
  );
  const sumOf = (field: "earned" | "invoiced"): Money =>
    sorted.reduce((sum, one) => sum + one[field], 0n);
  const [earned, invoiced] = [sumOf("earned"), sumOf("invoiced")];
  const units = (amount: Money): number => scaledToNumber(amount, currencyDigits(currency));
  return (most) => {
    const shown = sorted.slice(0, most);
    const nameOf = ({ customer_id }: AccrualOfCustomer) => names.get(customer_id) ?? "";
    const text = paragraphs(
      `Accruals of ${month}, corrections of earlier months included:`,
      tableOf(shown, "No accruals.", {
        customer: (one) => quoted(nameOf(one)),
        status: (one) => one.status,
        voucher: ({ voucher_number: one }) => (one === null ? null : `${one}`),
        earned: (one) => moneyText(one.earned, currency),
        invoiced: (one) => moneyText(one.invoiced, currency),
      }),
      shown.length === sorted.length ? null : `The first ${shown.length} of ${sorted.length}.`,
      `Sum: earned ${moneyText(earned, currency)}, invoiced ${moneyText(invoiced, currency)}.`,
    );
    const accruals = shown.map((one) => ({
      customer_id: one.customer_id,
      customer_name: nameOf(one),
      status: one.status,
      voucher_number: one.voucher_number === null ? null : Number(one.voucher_number),
      earned: units(one.earned),
      invoiced: units(one.invoiced),
    }));
    return { accruals, sum: { earned: units(earned), invoiced: units(invoiced) }, text };
  };
}

export const AccrualEvent = z.object({
  customer_name: z.string(),
  action: z.enum(["booked", "reopened"]),
  at: z.string(),
  voucher_number: z.number().nullable(),
  reason: z.string().nullable(),
});
type AccrualEvent = z.output<typeof AccrualEvent>;

/** The bookings of accruals as data, and the text that shows them. */
interface History {
  readonly history: readonly AccrualEvent[];
  readonly text: string;
}

/** Returns when the accruals of a month were booked and reopened; of one customer or of all. */
export async function historyOfMonth(
  cx: PersonReader,
  month: Month,
  customer_id: string | null,
): Promise<(most: number) => History> {
  const found = await listBookingsOfMonth(cx, month, customer_id);
  const names = await customerNames(cx, [...found.keys()]);
  const events = [...found].flatMap(([id, bookings]) =>
    bookings.flatMap((booking) => eventsOf(names.get(id) ?? "", booking)),
  );
  return (most) => {
    const history = events.slice(0, most);
    const table = tableOf(history, "It was never booked.", {
      customer: (one) => quoted(one.customer_name),
      action: (one) => one.action,
      at: (one) => one.at,
      voucher: (one) => one.voucher_number && `${one.voucher_number}`,
      reason: (one) => quoted(one.reason),
    });
    return { history, text: `Bookings:\n${table}` };
  };
}

function eventsOf(customer_name: string, booking: BookingOfAccrual): AccrualEvent[] {
  const { voucher_number, reversal_number, booked_at, reopened_at, reason } = booking;
  if (booked_at === null) return [];
  const number = (one: bigint | null): number | null => (one === null ? null : Number(one));
  const booked = {
    customer_name,
    action: "booked" as const,
    at: booked_at,
    voucher_number: number(voucher_number),
    reason: null,
  };
  if (reopened_at === null) return [booked];
  const reopened = { action: "reopened" as const, at: reopened_at, reason };
  return [booked, { ...booked, ...reopened, voucher_number: number(reversal_number) }];
}
