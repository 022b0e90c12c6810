/** The trial balance as a page and as a file: what each account had before a range of days, moved in it, and has after it. */
import * as z from "zod";
import { addToMonth, firstDayOf, lastDayOf, monthOf } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { decimalText } from "../../domain/base/money.ts";
import { balancesOf, hasManyEntries } from "../../features/ledger/reports/queries.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { FirstDay, LastDay } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { definePageFile } from "../frame/define-file.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { readerFile } from "../frame/reader-file.ts";
import { dayOf } from "../parts/format.ts";
import { type Language, wordsOf } from "../words/words.ts";
import { type BalanceShown, island as balanceTable } from "./balance-table.tsx";
import { type DayRange, rangeIn } from "./ledger-range.ts";
import { booksElsewhere, LEDGER, LedgerTabs, otherBooks } from "./ledger-tabs.tsx";

const PATH = `${LEDGER}/trial-balance` as const;
export const TRIAL_BALANCE_FILE = "pages.trial_balance";

export const trialBalancePages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "hidden", show),
  definePageFile(
    `${PATH}/export`,
    TRIAL_BALANCE_FILE,
    trialBalanceFile,
    async (request) => ({
      language: request.reader.language,
      range: rangeIn(request.query, await todayOf(request.cx)),
    }),
    "hidden",
  ),
];

const Range = z.strictObject({ from: FirstDay, to: LastDay });

export const trialBalanceActions: readonly Action[] = [
  defineAction("/app/ledger/balances", "hidden", Range, balancesShown, hasManyEntries),
];

async function todayOf(cx: PersonContext) {
  const { time_zone } = await getConfiguration(cx);
  return todayIn(cx.clock, time_zone);
}

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
    <label class="field">
      <span>{words[name]}</span>
      <input class="input" type="date" name={name} value={range[name]} />
    </label>
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

/** The file of a trial balance, as it was requested on the page. */
export interface TrialBalanceAsked {
  readonly language: Language;
  readonly range: DayRange;
}

/** Returns the trial balance as a file in the reader's language. Amounts are exact decimals of the functional currency. */
export async function trialBalanceFile(
  cx: PersonContext,
  { language, range }: TrialBalanceAsked,
): Promise<ReplyFile> {
  const words = wordsOf(language).ledger;
  const { functional_currency } = await getConfiguration(cx);
  const digits = currencyDigits(functional_currency);
  const decimal = (amount: bigint) => ({ decimal: decimalText(amount, digits) });
  const rows = (await balancesOf(cx, range)).map(({ number, name, opening, debit, credit }) => [
    { decimal: `${number}` as const },
    name,
    ...[opening, debit, credit, opening + debit - credit].map(decimal),
  ]);
  const heads = [
    ...[words.number, words.name],
    ...[words.opening, words.debit, words.credit, words.closing],
  ];
  const name = `${words.files.trial_balance}-${range.from}-${range.to}`;
  return readerFile(language, name, heads, rows);
}
