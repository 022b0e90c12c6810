/** The trial balance as a page and as a file: what each account had before a range of days, moved in it, and has after it. */

import * as z from "zod";
import { addToMonth, firstDayOf, lastDayOf, monthOf } from "../../domain/base/calendar.ts";
import {
  type BalanceRow,
  balancesOf,
  hasManyEntries,
} from "../../features/ledger/reports/queries.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Fields } from "../../platform/http/form.ts";
import { FirstDay, LastDay } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineSheet, defineSheetPage } from "../frame/define-sheet.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { amountCell, numberCell, textCell } from "../frame/sheet.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { dayOf } from "../parts/format.ts";
import { type BalanceShown, island as balanceTable } from "./balance-table.tsx";
import { type DayRange, rangeIn } from "./ledger-range.ts";
import { booksElsewhere, LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

const PATH = `${LEDGER}/trial-balance` as const;

const Range = z.strictObject({ from: FirstDay, to: LastDay });

export const trialBalanceActions: readonly Action[] = [
  defineAction("/app/ledger/balances", "hidden", Range, balancesShown, hasManyEntries),
];

async function balancesShown(cx: PersonContext, range: DayRange): Promise<BalanceShown[]> {
  return (await balancesOf(cx, range)).map(({ number, name, opening, debit, credit }) => ({
    number,
    name,
    opening: `${opening}`,
    debit: `${debit}`,
    credit: `${credit}`,
  }));
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words: all, language } = reader;
  const words = all.ledger;
  const elsewhere = otherBooks(cx);
  if (elsewhere !== null) {
    return booksElsewhere(request, "trial-balance", words.tabs.trial_balance, elsewhere);
  }
  const { functional_currency: currency, time_zone } = await getConfiguration(cx);
  const today = todayIn(cx.clock, time_zone);
  const range = rangeIn(query, today);
  const is_late = query.all === undefined && (await hasManyEntries(cx));
  if (query.all !== undefined && (await hasManyEntries(cx))) await request.takeHeavyPlace();
  const rows = is_late ? null : await balancesShown(cx, range);
  const address = new URLSearchParams({ from: range.from, to: range.to });
  const content = (
    <>
      <LedgerTabs at="trial-balance" elsewhere={null} />
      <Period range={range} today={today} />
      <Island of={balanceTable} with={{ ...range, currency, rows }} />
      {is_late && (
        <noscript>
          <a class="button" href={`${PATH}?${address}&all=1`}>
            {words.add_up}
          </a>
        </noscript>
      )}
    </>
  );
  return {
    title: words.tabs.trial_balance,
    lead: words.from_to(dayOf(language, range.from), dayOf(language, range.to), currency),
    content,
    is_printed: true,
    actions: (
      <a class="button" href={`${PATH}/export?${address}`} data-no-prefetch>
        {all.files.export}
      </a>
    ),
  };
}

/** Shows the fields of the range, and links to the usual ranges. */
function Period({ range, today }: { range: DayRange; today: DayRange["to"] }) {
  const words = useReader().words.ledger;
  const year = today.slice(0, 4);
  const this_month = monthOf(today);
  const last_month = addToMonth(this_month, -1);
  const last_year = `${BigInt(year) - 1n}`;
  const usual = [
    [words.this_month, firstDayOf(this_month), lastDayOf(this_month)],
    [words.last_month, firstDayOf(last_month), lastDayOf(last_month)],
    [year, `${year}-01-01`, `${year}-12-31`],
    [last_year, `${last_year}-01-01`, `${last_year}-12-31`],
  ] as const;
  const day = (name: "from" | "to") => (
    <DayEntry
      name={name}
      label={words[name]}
      value={range[name]}
      today={today}
      faults={NO_FAULTS}
    />
  );
  return (
    <search>
      <form method="get" action={PATH} class="filters">
        {day("from")}
        {day("to")}
        <button type="submit" class="button">
          {words.show}
        </button>
        {usual.map(([word, from, to]) => (
          <a key={word} class="button bare" href={`${PATH}?from=${from}&to=${to}`}>
            {word}
          </a>
        ))}
      </form>
    </search>
  );
}

/** The trial balance as a file in the reader's language. Amounts are exact decimals of the functional currency. */
export const trialBalanceSheet = defineSheet<Fields, BalanceRow>(
  "pages.trial_balance",
  async (cx, asked, { words: all }) => {
    const words = all.ledger;
    const { functional_currency: currency, time_zone } = await getConfiguration(cx);
    const range = rangeIn(asked, todayIn(cx.clock, time_zone));
    const amount = (of: (row: BalanceRow) => bigint) =>
      amountCell<BalanceRow>((row) => ({ amount: of(row), currency }));
    return {
      filename: `${words.files.trial_balance}-${range.from}-${range.to}`,
      columns: [
        { head: words.number, file: numberCell(({ number }) => number) },
        { head: words.name, file: textCell(({ name }) => name) },
        { head: words.opening, file: amount(({ opening }) => opening) },
        { head: words.debit, file: amount(({ debit }) => debit) },
        { head: words.credit, file: amount(({ credit }) => credit) },
        { head: words.closing, file: amount((row) => row.opening + row.debit - row.credit) },
      ],
      rows: portionOf(await balancesOf(cx, range)),
    };
  },
);

async function* portionOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

export const trialBalancePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", show),
  defineSheetPage(`${PATH}/export`, "hidden", trialBalanceSheet, ({ query }) => query),
];
