/** Reads the rows of the list of payments, for the screen and for its file. */
import type * as z from "zod";
import { calendarDate } from "../../domain/base/calendar.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import { readPayments } from "../../features/receivables/payments/queries.ts";
import type { PaymentResource } from "../../features/receivables/payments/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { type Page, pageFrom } from "../../platform/database/page.ts";
import type { PaymentFilters } from "./payment-filters.ts";

/** A payment with the present name of its customer. */
export type PaymentListed = z.output<typeof PaymentResource> & { readonly customer_name: string };

/** Reads a page of payments, the newest first. Throws VALIDATION_FAILED for an unknown cursor. */
export async function readPaymentRows(
  cx: PersonReader,
  { from, to, ...filters }: PaymentFilters,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Page<PaymentListed>> {
  const days = { from: calendarDate(from ?? ""), to: calendarDate(to ?? "") };
  const found = pageFrom<z.output<typeof PaymentResource>>(
    await readPayments({ ...filters, ...days, ...page }).answer(cx),
  );
  const names = await customerNames(
    cx,
    found.data.map(({ customer_id }) => customer_id),
  );
  const data = found.data.map((row) => ({
    ...row,
    customer_name: names.get(row.customer_id) ?? "–",
  }));
  return { ...found, data };
}
