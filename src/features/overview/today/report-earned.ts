/** Computes what invoices and drafts have earned through the current month, for the rows of a list. */
import type { Money } from "../../../domain/base/money.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { Slices } from "../../../platform/runtime/slices.ts";
import { currentMonth } from "../../revenue/accruals/queries.ts";
import { lineBalancesOf } from "../../revenue/revenue-facts/positions.ts";
import { factsOfCustomers } from "../../revenue/revenue-facts/read-facts.ts";
import type { InvoiceResource } from "../../sales/invoices/schemas.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";

/** The most lines that one page of a list computes. */
const MOST_LINES = 2_000;

/**
 * Returns what each invoice has earned through the current month, by the ids of the invoices, in minor units of their currencies;
 * an invoice that has earned nothing may have no entry. Null where they have more lines than one page computes.
 */
export async function earnedOfInvoices(
  cx: Reader,
  configuration: Configuration,
  invoices: readonly Pick<InvoiceResource, "customer_id" | "lines">[],
): Promise<ReadonlyMap<string, Money> | null> {
  const only = new Set(invoices.flatMap(({ lines }) => lines.map(({ id }) => id)));
  if (only.size === 0) return new Map();
  if (only.size > MOST_LINES) return null;
  const customer_ids = [...new Set(invoices.map(({ customer_id }) => customer_id))];
  const facts = await factsOfCustomers(cx, customer_ids, only);
  const current = currentMonth(cx, configuration);
  const earned = new Map<string, Money>();
  const slices = new Slices(cx.signal);
  for (const customer of facts.customers) {
    const balances = lineBalancesOf(cx, configuration, facts, customer, current, { only });
    for (const { invoice_id, now } of balances) {
      if (slices.isOver) await slices.next();
      if (invoice_id === null) continue;
      const sum = now.reduce((all, one) => all + one.earned, 0n);
      earned.set(invoice_id, (earned.get(invoice_id) ?? 0n) + sum);
    }
  }
  return earned;
}
