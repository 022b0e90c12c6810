/**
 * Lists the accruals of a range of months for files, which have no pages: each customer with all months, by the rules of
 * `list-month.ts`.
 */
import { type Month, monthsFrom } from "../../../domain/base/calendar.ts";
import { groupedBy } from "../../../domain/base/group.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { type CustomerFacts, type Facts, factsOfCustomers } from "../revenue-facts/read-facts.ts";
import { findDrafts, firstDraft, originalMonth } from "./find-drafts.ts";
import { customersAfter } from "./list-month.ts";
import type { StoredAccrual } from "./present.ts";
import { closedThrough, currentMonth, findStored, newDraft } from "./queries.ts";

/** Some accruals of a file, and those among them that are not stored yet, so that their ids cannot be read. */
interface AccrualPortion {
  readonly accruals: readonly StoredAccrual[];
  readonly unstored: readonly StoredAccrual[];
}

/** Yields the accruals of the months that have begun, the newest customer first, each in the order of months. */
export async function* listAccrualRange(
  cx: Reader,
  from: Month,
  to: Month,
): AsyncGenerator<AccrualPortion> {
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  const through = to < current ? to : current;
  if (through < from) return;
  let ids = await customersAfter(cx, null);
  for (; ids.length > 0; ids = await customersAfter(cx, ids.at(-1) ?? null)) {
    const stored = groupedBy(await findStored(cx, ids, from, through), (row) => row.customer_id);
    const facts = await factsOfCustomers(cx, ids);
    const facts_of = new Map(facts.customers.map((one) => [one.customer_id, one]));
    for (const customer_id of ids) {
      const rows = new Map(stored.get(customer_id)?.map((row) => [row.month, row]));
      const customer = facts_of.get(customer_id);
      const open = customer ? await draftMonths(cx, configuration, facts, customer, current) : [];
      const drafts = open
        .filter(({ month }) => month >= from && month <= through)
        .filter(({ month }) => rows.get(month)?.status !== "booked")
        .map(({ month, original_month }) => ({
          ...(rows.get(month) ?? newDraft(cx, customer_id, month)),
          original_month,
        }));
      const booked = [...rows.values()].filter(({ status }) => status === "booked");
      const accruals = [...booked, ...drafts].sort((a, b) => (a.month < b.month ? -1 : 1));
      const unstored = drafts.filter(({ month }) => !rows.has(month));
      if (accruals.length > 0) yield { accruals, unstored };
    }
  }
}

/** Returns the months through the current one for which a customer has drafts, with the earliest month that each carries. */
async function draftMonths(
  cx: Reader,
  configuration: Configuration,
  facts: Facts,
  customer: CustomerFacts,
  current: Month,
): Promise<{ readonly month: Month; readonly original_month: Month | null }[]> {
  const closed = closedThrough(configuration, customer.booked_through);
  const known = await findDrafts(cx, configuration, facts, customer, closed, current);
  const first = firstDraft(known);
  if (first === null || first > current) return [];
  return monthsFrom(first, current).map((month) => ({
    month,
    original_month: originalMonth(known, month),
  }));
}
