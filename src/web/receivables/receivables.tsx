/** The page of what customers owe: by customer, currency and age, on any day, and whether the books agree. */
import { type CalendarDate, calendarDate, daysBetween } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { ComparedRole } from "../../features/receivables/balances/find-books.ts";
import { type Owed, readOwed } from "../../features/receivables/balances/read-owed.ts";
import { hasPayable } from "../../features/receivables/open-items/find-own.ts";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import { Icon } from "../frame/icon.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { Chip } from "../parts/chip.tsx";
import { DayEntry } from "../parts/day-entry.tsx";
import { amountOf, dayOf, moneyOf } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Pill } from "../parts/values.tsx";
import { AGES, balanceColumns, lateOf } from "./balance-columns.tsx";
import { beginPages } from "./begin.tsx";
import { CurrencyBalances } from "./currency-balances.tsx";
import { InLedger } from "./in-ledger.tsx";
import { whyUnknown } from "./not-begun.tsx";
import { receivablesSheet } from "./receivables-sheet.ts";

const RECEIVABLES = "/receivables";
const ROWS_A_PAGE = 50;

export const receivablePages: readonly WebPage[] = [
  definePage(`GET ${RECEIVABLES}`, "hidden", show),
  ...beginPages,
  defineSheetPage(`${RECEIVABLES}/export`, "hidden", receivablesSheet, (request) => {
    const { at, currency } = filtersIn(request);
    return { at, currency };
  }),
];

/** The filters in the address, and the fault of a day that cannot be shown. */
interface Filters {
  /** Undefined for today. */
  readonly at: CalendarDate | undefined;
  readonly currency: string | undefined;
  readonly offset: number;
  readonly typed: string;
  readonly faults: Faults;
}

function filtersIn(request: PageRequest): Filters {
  const { query } = request;
  const today = todayFor(request);
  const typed = query.at?.trim() ? dayAsked(request, query.at) : "";
  const day = calendarDate(typed);
  const currency = /^[A-Z]{3}$/.test(query.currency ?? "") ? query.currency : undefined;
  const offset = /^\d{1,6}$/.test(query.cursor ?? "") ? Number(query.cursor) : 0;
  const code = day === undefined ? "invalid_format" : day > today ? "too_large" : null;
  if (typed === "" || code === null) {
    return { at: day === today ? undefined : day, currency, offset, typed, faults: NO_FAULTS };
  }
  const message = code === "too_large" ? "This day is in the future." : "This is not a date.";
  const faults: Faults = new Map([["at", { code, message }]]);
  return { at: undefined, currency, offset, typed, faults };
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader } = request;
  const words = reader.words.receivables;
  const is_elsewhere = isPaidInLedger(cx);
  const asked_for = filtersIn(request);
  // What is paid in a connected ledger is known for today only.
  const filters = is_elsewhere ? { ...asked_for, at: undefined } : asked_for;
  await request.takeHeavyPlace();
  const asked = { ...filters, limit: ROWS_A_PAGE };
  const owed = await readOwed(cx, filters.at, asked).catch(notBegun);
  const title = reader.words.nav.receivables;
  if (owed === null) return { title, content: await whyUnknown(cx) };
  const content = (
    <div class="receivables">
      {is_elsewhere ? (
        <InLedger
          ledger={ledgerTitle(cx.ledger)}
          reported={owed.reported}
          has_own={await hasPayable(cx, null)}
        />
      ) : (
        <Filtering filters={filters} today={todayFor(request)} owed={owed} />
      )}
      {owed.totals.length > 0 && <Ages owed={owed} />}
      <Agreement books={owed.books} currency={owed.functional_currency} />
      <Balances owed={owed} filters={filters} />
      {owed.totals.length > 1 && (
        <>
          <h2>{words.by_currency}</h2>
          <CurrencyBalances label={words.by_currency} rows={owed.totals} />
        </>
      )}
    </div>
  );
  const actions = (
    <>
      <a
        class="button"
        href={`${RECEIVABLES}/export?${queryOf(filters)}`}
        data-no-prefetch
        data-export
      >
        <Icon name="download" />
        {reader.words.files.export}
      </a>
      {!is_elsewhere && (
        <a class="button" href="/opening-items/import">
          {reader.words.imports.titles["opening-items"]}
        </a>
      )}
    </>
  );
  const status = filters.faults.size > 0 ? 422 : 200;
  return { title, lead: leadOf(owed, reader, filters.at), content, actions, status };
}

/** Returns null for the refusal of an account that does not know yet what is paid. Throws everything else. */
function notBegun(thrown: unknown): null {
  if (thrown instanceof Problem && thrown.code === "RECEIVABLES_NOT_BEGUN") return null;
  throw thrown;
}

function queryOf({ at, currency }: Filters): URLSearchParams {
  return new URLSearchParams({ ...(at && { at }), ...(currency && { currency }) });
}

/** Says in a sentence how many customers owe, how much, and how much of it is late. */
function leadOf(
  { owing, functional, functional_currency, is_known }: Owed,
  { words: all, language }: PageReader,
  at: CalendarDate | undefined,
): string {
  const words = all.receivables;
  if (!is_known) return words.unknown;
  const late = lateOf(functional);
  return words.owe(all.today.counts[owing] ?? String(owing), {
    amount: moneyOf(language, functional.total, functional_currency),
    late: late === 0n ? null : moneyOf(language, late, functional_currency),
    day: at === undefined ? null : dayOf(language, at),
  });
}

function Filtering({ filters, today, owed }: { filters: Filters; today: string; owed: Owed }) {
  const { words: all } = useReader();
  const words = all.receivables;
  const { typed, currency, faults } = filters;
  const codes = owed.totals.map((one) => one.currency);
  return (
    <search>
      <form method="get" action={RECEIVABLES} class="filters">
        <DayEntry
          name="at"
          label={words.at}
          value={typed}
          today={today}
          empty={all.nav.today}
          latest={{ day: today, said: words.not_later }}
          note={faults.get("at")?.code === "too_large" ? words.not_later : undefined}
          faults={faults}
        />
        {(codes.length > 1 || currency !== undefined) && (
          <Chip
            name="currency"
            label={words.currency}
            chosen={currency}
            options={codes.map((value) => ({ value, text: value }))}
          />
        )}
        <button type="submit" class="button">
          {all.ledger.show}
        </button>
        {(typed !== "" || currency !== undefined) && (
          <a class="button bare" href={RECEIVABLES}>
            {words.reset}
          </a>
        )}
      </form>
    </search>
  );
}

/** Shows what all customers owe by age, in functional currency. */
function Ages({ owed: { functional, functional_currency } }: { owed: Owed }) {
  const { words: all, language } = useReader();
  const words = all.receivables;
  const held = functional.credit_notes + functional.customer_credit;
  const shown = [
    ...AGES.map((age) => [words.ages[age], functional[age], age !== "not_due"] as const),
    [words.held, -held, false] as const,
  ];
  return (
    <dl class="card ages" aria-label={words.by_age(functional_currency)}>
      {shown.map(([label, amount, is_late]) => (
        <div>
          <dt>{label}</dt>
          <dd class={is_late && amount !== 0n ? "ember" : ""}>
            {amountOf(language, amount, functional_currency)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Says whether the books agree; nothing where the balances of their accounts are not known. */
function Agreement({ books, currency }: { books: readonly ComparedRole[]; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.receivables;
  const known = books.filter(
    ({ account_number, difference }) => account_number !== null && difference !== null,
  );
  if (known.length === 0) return null;
  return (
    <ul class="agreement">
      {known.map(({ account_role, account_number, difference }) => (
        <li>
          <Pill kind={difference === 0n ? "ok" : "bad"}>
            {difference === 0n
              ? words.agrees[account_role](`${account_number}`)
              : words.differs[account_role](
                  `${account_number}`,
                  moneyOf(language, difference ?? 0n, currency),
                )}
          </Pill>
        </li>
      ))}
    </ul>
  );
}

function Balances({ owed, filters }: { owed: Owed; filters: Filters }) {
  const reader = useReader();
  const words = reader.words.receivables;
  const { day, rows, functional_currency, has_more } = owed;
  const since = (due: CalendarDate | null) =>
    due === null || due >= day ? 0 : daysBetween(due, day) - 1;
  const query = queryOf(filters).toString();
  return (
    <>
      <div data-list>
        <List
          label={reader.words.nav.receivables}
          rows={rows}
          empty={<p>{words.none}</p>}
          columns={balanceColumns(reader, functional_currency, since)}
        />
      </div>
      <Older
        address={query === "" ? RECEIVABLES : `${RECEIVABLES}?${query}`}
        cursor={has_more ? String(filters.offset + ROWS_A_PAGE) : null}
        text={words.more}
      />
    </>
  );
}
