/** The page that compares a month with the accounts of the ledger, and with a connected accounting system (spec 3.9, 9.10). */
import * as z from "zod";
import {
  addToMonth,
  lastDayOf,
  type Month,
  month as monthFrom,
  monthOf,
} from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { reconcileMonth } from "../../features/ledger/reconciliation/reconcile-month.ts";
import { hasManyDocuments, leaveIfMany } from "../../features/ledger/reports/count-documents.ts";
import { readReconciliation } from "../../features/revenue/accruals/reconcile.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { monthOf as monthInWords } from "../parts/format.ts";
import { LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";
import {
  type AccrualsCompared,
  type LedgerCompared,
  island as reconciliationView,
} from "./reconciliation-view.tsx";

const PATH = `${LEDGER}/reconciliation` as const;

export const reconciliationPages: readonly WebPage[] = [definePage(`GET ${PATH}`, "hidden", show)];

interface OfMonth {
  readonly month: Month;
}

/** Compares the accruals of a month with the accounts as work that may be long. */
export const accrualsBesideLedger = defineLongWork({
  name: "pages.accruals_beside_ledger",
  is_read: true,
  on_replica: true,
  work: async (cx: PersonContext, { month }: OfMonth): Promise<AccrualsCompared> => {
    await leaveIfMany(cx);
    return JSON.parse(await reading(cx, (inside) => readReconciliation(inside, month)));
  },
});

/** Compares a month with the connected accounting system. Throws LEDGER_NOT_CONNECTED and LEDGER_UNAVAILABLE. */
async function compared(cx: PersonContext, { month }: OfMonth): Promise<LedgerCompared> {
  return JSON.parse(await reconcileMonth(cx, month));
}

const MonthAsked = z.strictObject({
  month: z.custom<Month>((sent) => typeof sent === "string" && monthFrom(sent) !== undefined),
});

export const reconciliationActions: readonly Action[] = [
  defineAction("/app/ledger/reconciliation", "hidden", MonthAsked, (_cx, asked, { runLong }) =>
    runLong(accrualsBesideLedger, asked),
  ),
  defineAction("/app/ledger/compare", "hidden", MonthAsked, compared, async () => true),
];

async function show({ cx, query, reader, runLong }: PageRequest): Promise<PageAnswer> {
  const { words: all, language } = reader;
  const words = all.ledger;
  const { functional_currency: currency, time_zone, period_lock_date } = await getConfiguration(cx);
  const elsewhere = otherBooks(cx);
  const current = monthOf(todayIn(cx.clock, time_zone));
  const month = monthFrom(query.month ?? "") ?? addToMonth(current, -1);
  const is_open = period_lock_date === null || period_lock_date < lastDayOf(month);
  const is_whole = query.all !== undefined;
  const is_late = !is_whole && (await hasManyDocuments(cx));
  const asks_ledger = is_whole && elsewhere !== null;
  const ledger = asks_ledger ? await orNull(compared(cx, { month })) : null;
  const accruals = is_late ? null : await runLong(accrualsBesideLedger, { month });
  const content = (
    <>
      <LedgerTabs at="reconciliation" elsewhere={elsewhere} />
      <p class="buttons periods">
        <a class="button" href={`${PATH}?month=${addToMonth(month, -1)}`}>
          {words.before}
        </a>
        {month < current && (
          <a class="button" href={`${PATH}?month=${addToMonth(month, 1)}`}>
            {words.after}
          </a>
        )}
      </p>
      <Island
        of={reconciliationView}
        with={{ month, is_open, currency, elsewhere, accruals, ledger }}
      />
      {!is_whole && (is_late || elsewhere !== null) && (
        <noscript>
          <a class="button" href={`${PATH}?month=${month}&all=1`}>
            {words.add_up}
          </a>
        </noscript>
      )}
    </>
  );
  return {
    title: words.tabs.reconciliation,
    lead: words.reconciliation_lead(monthInWords(language, month), currency),
    content,
    is_printed: true,
  };
}

/** Returns null where the accounting system has not answered: the page says so. */
async function orNull<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof Problem) return null;
    throw thrown;
  }
}
