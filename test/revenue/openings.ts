/** Opening contracts in random histories: the steps that make and end them, and what they earn by the oracle. */
import { expect } from "vitest";
import type { Json } from "../support/world/world.ts";
import { earnedThrough, type OracleLine } from "./oracle.ts";
import type { Line } from "./reports.ts";
import {
  addDays,
  addMonths,
  COUNTER,
  DIGITS,
  type Draw,
  FUNCTIONAL,
  lastDay,
  minor,
  type Studio,
} from "./studio.ts";

/** Brings along what was invoiced elsewhere; the cutover is often refused, because its month is open or locked. */
export async function bringAlong(
  studio: Studio,
  draw: Draw,
  assignees: readonly Json[],
): Promise<void> {
  const currency = studio.currency(draw);
  const cutover = lastDay(studio.drawMonth(draw));
  const earned = draw.oneOf([0, 0, studio.amount(draw, currency)]);
  await studio.ask("POST /opening-contracts", {
    external_id: studio.fresh(),
    customer: draw.oneOf(studio.customers).id,
    product: draw.oneOf(studio.products).id,
    currency,
    earned,
    invoiced: sumIn(currency, earned, studio.amount(draw, currency)) || 1,
    cutover,
    service_to: addDays(cutover, draw.oneOf([1, 28, 59, 120, 151, 17])),
    ...(draw.often(40) ? { service_from: studio.day(draw) } : {}),
    ...(draw.often(30) && currency !== FUNCTIONAL ? { rate: studio.rate(draw) } : {}),
    counter_account: COUNTER,
    assignees,
  });
}

/** Ends a contract: at its cutover, or in a month nearby. */
export async function endOpening(studio: Studio, draw: Draw): Promise<void> {
  const one = draw.maybeOneOf(await studio.all("/opening-contracts"));
  if (!one) return;
  const month = draw.oneOf([one.cutover.slice(0, 7), studio.drawMonth(draw)]);
  await studio.ask(`POST /opening-contracts/${one.id}/end`, {
    date: lastDay(month),
    reason: "The customer left",
  });
}

/** Adds two amounts of a currency without an error of binary fractions. */
function sumIn(currency: string, one: number, other: number): number {
  const units = 10 ** (DIGITS[currency] ?? 2);
  return Math.round((one + other) * units) / units;
}

/** Each opening contract earns what the oracle says, and brings along what its own entries have posted. */
export async function checkOpenings(
  studio: Studio,
  lines: ReadonlyMap<string, Line>,
  from: string,
  to: string,
): Promise<void> {
  const { recognition_convention: convention } = await studio.done("GET /configuration");
  const stored = await studio.sql(
    "select id, returned::bigint from opening_contracts where account_id = $1",
  );
  for (const one of await studio.all("/opening-contracts")) {
    const { currency, cutover, ended_on } = one;
    const amount = minor(one.invoiced, currency) - minor(one.earned, currency);
    const next = addDays(cutover, 1);
    const service_from =
      one.service_from !== null && one.service_from > next ? one.service_from : next;
    const returned = stored.find(({ id }) => id === one.id)?.returned ?? 0n;
    const oracle: OracleLine = {
      line: { recognition_method: "value", service_from, service_to: one.service_to },
      currency,
      issue_date: cutover,
      amount,
      budget: null,
      completed_on: null,
      work: [],
      credits:
        ended_on === null
          ? []
          : [{ effective: ended_on, amount: returned, new_service_to: ended_on }],
      convention,
    };
    const line = lines.get(one.line_id);
    let [earned, invoiced] = [0n, 0n];
    for (let month = from; month <= to; month = addMonths(month, 1)) {
      earned += line?.earned.get(month) ?? 0n;
      invoiced += line?.invoiced.get(month) ?? 0n;
      const has_ended = ended_on !== null && ended_on <= lastDay(month);
      const brought = cutover <= lastDay(month) ? amount - (has_ended ? returned : 0n) : 0n;
      expect(invoiced, `brought along by ${one.id} through ${month}`).toBe(brought);
      expect(earned, `earned of ${one.id} through ${month}`).toBe(earnedThrough(oracle, month));
    }
  }
}
