/** Computes the balances of a month as work that may be long: their roll-forward by contract, and the agreement with the ledger. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { lockedThrough } from "../../domain/revenue/accrual-booking.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { readReconciliation } from "../../features/revenue/accruals/reconcile.ts";
import { MonthText, type Reconciliation } from "../../features/revenue/accruals/schemas.ts";
import {
  creditedIn,
  type RolledContract,
  rollforwardOf,
} from "../../features/revenue/reports/roll-forward.ts";
import { hasTooManyLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { namesOf } from "../../features/settings/audit/find-names.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { PersonContext, PersonReader } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { type Language, wordsOf } from "../words/words.ts";
import type { RollShown } from "./balances-shown.ts";

const MOST_CONTRACTS = 50;

interface BalancesAsked {
  readonly month: Month;
  readonly language: Language;
}

/** Computes the roll-forward of a month. A large account moves to another thread. */
export const balancesReport = defineLongWork({
  name: "pages.revenue_balances",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, asked: BalancesAsked): Promise<RollShown> {
    const configuration = await getConfiguration(cx);
    const is_long =
      cx.leaves_if_long && (await hasTooManyLines(cx, currentMonth(cx, configuration)));
    if (is_long) throw new TakesLong();
    return reading(cx, (inside) => rollShown(inside, configuration, asked));
  },
});

export const balancesActions: readonly Action[] = [
  defineAction(
    "/app/revenue/balances",
    "hidden",
    z.object({ month: MonthText, language: z.enum(["en", "da"]) }),
    (_cx, asked, { runLong }) => runLong(balancesReport, asked),
  ),
];

async function rollShown(
  cx: PersonReader,
  configuration: Configuration,
  { month, language }: BalancesAsked,
): Promise<RollShown> {
  const rolled = await rollforwardOf(cx, configuration, month);
  const known = rolled.filter(({ is_known }) => is_known);
  const sum = (of: (one: RolledContract) => bigint) =>
    known.reduce((total, one) => total + of(one), 0n);
  const credited = await creditedIn(cx, month);
  const listed = known
    .map((one) => ({ one, closing: closingOf(one) }))
    .sort((a, b) => (sizeOf(a.closing) > sizeOf(b.closing) ? -1 : 1))
    .slice(0, MOST_CONTRACTS);
  const ids = listed.flatMap(({ one }) => [
    one.customer_id,
    one.invoice_id ?? one.series_id ?? one.opening_contract_id,
  ]);
  const names = await namesOf(
    cx,
    ids.filter((id) => id !== null),
    null,
    wordsOf(language).activity.names,
  );
  const last_closed = lockedThrough(configuration.period_lock_date);
  const compared = last_closed !== null && last_closed < month ? last_closed : month;
  return {
    month,
    currency: configuration.functional_currency,
    opening: `${sum(({ opening }) => opening)}`,
    earned: `${sum(({ earned }) => earned)}`,
    invoiced: `${sum(({ invoiced }) => invoiced) + credited}`,
    brought_along: `${sum(({ brought_along }) => brought_along)}`,
    credited: `${credited}`,
    exchange: `${sum(({ exchange_difference }) => exchange_difference)}`,
    carried: `${sum(({ carried }) => carried)}`,
    closing: `${sum(closingOf)}`,
    contracts: listed.map(({ one, closing }) => ({
      invoice_id: one.invoice_id,
      customer_id: one.customer_id,
      customer: names.get(one.customer_id) ?? "–",
      name: names.get(one.invoice_id ?? one.series_id ?? one.opening_contract_id ?? "") ?? "–",
      opening: `${one.opening}`,
      earned: `${one.earned}`,
      invoiced: `${one.invoiced + one.brought_along}`,
      exchange: `${one.exchange_difference}`,
      closing: `${closing}`,
    })),
    contract_count: known.length,
    unknown: rolled.length - known.length,
    agreement: JSON.parse(await readReconciliation(cx, compared)) as z.output<
      typeof Reconciliation
    >,
  };
}

function closingOf(one: RolledContract): bigint {
  return one.opening + one.earned - one.invoiced - one.brought_along + one.exchange_difference;
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
