/**
 * Lists the accruals of a range of months for files, which have no pages: each customer with all months, by the rules of
 * `list-month.ts`.
 */
import { type Month, monthsFrom } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { factsOfCustomers } from "../revenue-facts/read-facts.ts";
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
    const stored = new Map(
      (await findStored(cx, ids, from, through)).map((row) => [placeOf(row), row]),
    );
    const facts = await factsOfCustomers(cx, ids);
    const facts_of = new Map(facts.customers.map((one) => [one.customer_id, one]));
    for (const customer_id of ids) {
      const found = new Map<Month, StoredAccrual>();
      for (const row of stored.values()) {
        if (row.customer_id === customer_id && row.status === "booked") found.set(row.month, row);
      }
      const unstored: StoredAccrual[] = [];
      const customer = facts_of.get(customer_id);
      if (customer !== undefined) {
        const closed = closedThrough(configuration, customer.booked_through);
        const known = await findDrafts(cx, configuration, facts, customer, closed, current);
        const first = firstDraft(known);
        const begin = first !== null && first > from ? first : from;
        const open = first === null || begin > through ? [] : monthsFrom(begin, through);
        for (const month of open) {
          if (found.has(month)) continue;
          const row = stored.get(placeOf({ customer_id, month }));
          if (row === undefined) unstored.push(newDraft(cx, customer_id, month));
          const original_month = originalMonth(known, month);
          found.set(month, { ...(row ?? newDraft(cx, customer_id, month)), original_month });
        }
      }
      const accruals = [...found.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
      if (accruals.length > 0) yield { accruals, unstored };
    }
  }
}

function placeOf({ customer_id, month }: Pick<StoredAccrual, "customer_id" | "month">): string {
  return `${customer_id} ${month}`;
}
