/**
 * Why each month differs from what is booked, and from what its close would book: the causes add up exactly, and both figures are
 * those of the reports.
 */
import { expect } from "vitest";
import { month as monthFrom } from "../../src/domain/base/calendar.ts";
import {
  comparisons,
  differenceOf,
} from "../../src/features/revenue/outlook/explain-difference.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { sumOf } from "./books.ts";
import { addMonths, FUNCTIONAL, minor, type Studio } from "./studio.ts";

/** Throws for a difference that is not explained. Months with a missing rate have none. */
export async function checkDifferences(studio: Studio): Promise<void> {
  // A context with the clock of the account, which the history has set.
  const cx = await schedulerContext(studio.world.services, studio.account.account_id);
  const from = addMonths(studio.month, -5);
  const path = `/recognition?from=${from}&to=${studio.month}&group_by=month`;
  const entries = await studio.all(path);
  for (let month = from; month <= studio.month; month = addMonths(month, 1)) {
    const entry = entries.find((one) => one.month === month);
    for (const compared_to of comparisons) {
      const known = monthFrom(month);
      if (known === undefined) throw new Error(`${month} is no month`);
      const found = await differenceOf(cx, known, compared_to, null);
      const reported = `${month} compared with what is ${compared_to}`;
      if (found === null || entry?.earned === null) continue;
      expect(found.now, reported).toBe(minor(entry?.earned ?? 0, FUNCTIONAL));
      const sum = sumOf(found.causes.map(({ amount }) => amount));
      expect(sum, reported).toBe(found.now - found.than);
    }
  }
}
