/** The pages of the month close: the months with their states, and a month before, during and after its close. */
import {
  addToMonth,
  firstDayOf,
  type Month,
  month as monthFrom,
} from "../../domain/base/calendar.ts";
import { decimalText, RATE_DECIMALS } from "../../domain/base/money.ts";
import { notFound } from "../../domain/base/problem.ts";
import { lockedThrough } from "../../domain/revenue/accrual-booking.ts";
import { isClosable, type MonthState, stateOfMonth } from "../../domain/revenue/month-state.ts";
import { currentMonth, todayOf } from "../../features/revenue/accruals/queries.ts";
import { type CloseRow, countsOf, findClose } from "../../features/revenue/closes/queries.ts";
import { listBookedVouchers } from "../../features/revenue/closes/read-booked.ts";
import {
  type CloseFacts,
  type CloseState,
  closesBetween,
  factsOfClose,
  namesOfCustomers,
} from "../../features/revenue/closes/read-month.ts";
import { CloseError, CloseWarning } from "../../features/revenue/closes/schemas.ts";
import { booksOf } from "../../features/settings/configuration/accounts.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonContext, Reader } from "../../platform/commands/context.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Warnings } from "../parts/facts.tsx";
import { dayInStyle, momentOf, monthOf } from "../parts/format.ts";
import { explanationAt } from "../revenue/explain-line.tsx";
import type { Language } from "../words/words.ts";
import { AheadView, Refused } from "./ahead-view.tsx";
import { BookedVouchers } from "./booked-vouchers.tsx";
import type { FactsShown } from "./checklist.ts";
import { island as closeAhead } from "./close-ahead.tsx";
import { island as closeProgress } from "./close-progress.tsx";
import { MonthAsked, monthAhead, refusedOf } from "./month-ahead.ts";
import { MonthStrip } from "./month-strip.tsx";
import type { Progress } from "./progress-state.ts";

const MONTHS_SHOWN = 13;
const MOST_BOOKED = 100;

export const closePages: readonly WebPage[] = [
  definePage("GET /close", "hidden", first),
  definePage("GET /close/:month", "hidden", show),
];

export const closeActions: readonly Action[] = [
  defineAction("/app/close/ahead", "hidden", MonthAsked, async (_cx, asked, { runLong }) => {
    requireMonth(asked.month);
    return runLong(monthAhead, asked);
  }),
  defineAction("/app/close/progress", "hidden", MonthAsked, async (cx, { month }) => {
    const close = await findClose(cx, requireMonth(month));
    if (close === undefined) throw notFound("period_close", month);
    return progressOf(cx, close);
  }),
];

/** Returns the month that an address names. Throws NOT_FOUND for a text that is no month. */
function requireMonth(text: string | undefined): Month {
  const month = monthFrom(text ?? "");
  if (month === undefined) throw notFound("period_close", text ?? "");
  return month;
}

/** Leads to the month that waits for its close, or to the last month with a close. */
async function first({ cx, reader }: PageRequest): Promise<PageAnswer> {
  const configuration = await getConfiguration(cx);
  const today = todayOf(cx, configuration);
  const current = currentMonth(cx, configuration);
  const oldest = addToMonth(current, -MONTHS_SHOWN);
  const { closes, ready } = await closesBetween(cx, oldest, current, today);
  const led_to = ready ?? closes.at(-1)?.month;
  if (led_to !== undefined) return { redirect: `/close/${led_to}` };
  const words = reader.words.close;
  return {
    title: words.nav,
    content: (
      <div class="card pad">
        <p class="strong">{words.nothing}</p>
        <p class="soft">{words.nothing_text}</p>
        <p class="buttons">
          <a class="button main" href="/invoices/new">
            {reader.words.draft.new_invoice}
          </a>
          <a class="button" href={`/close/${current}`}>
            {monthOf(reader.language, current)}
          </a>
        </p>
      </div>
    ),
  };
}

/** A month with its state, and the months around it. */
export interface SeenMonth {
  readonly month: Month;
  readonly configuration: Configuration;
  readonly close: CloseRow | undefined;
  readonly state: MonthState;
  readonly strip: readonly { readonly month: Month; readonly state: MonthState }[];
  /** Whether a later month is closed or being closed: then this one cannot be reopened. */
  readonly is_followed: boolean;
}

/** Returns a month with its state. Throws NOT_FOUND for a text that is no month, and for a future month. */
export async function seenMonth(cx: PersonContext, text: string | undefined): Promise<SeenMonth> {
  const month = requireMonth(text);
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  if (month > current) throw notFound("period_close", month);
  const oldest = addToMonth(current, 1 - MONTHS_SHOWN);
  const from = month < oldest ? month : oldest;
  const [{ closes, ready }, close] = await Promise.all([
    closesBetween(cx, from, current, todayOf(cx, configuration)),
    findClose(cx, month),
  ]);
  const known = new Map(closes.map((one) => [one.month, one.status]));
  const locked_through = lockedThrough(configuration.period_lock_date);
  const stateOf = (one: Month): MonthState =>
    stateOfMonth(one, { close: known.get(one) ?? null, locked_through, ready, current });
  const strip = Array.from({ length: MONTHS_SHOWN }, (_, at) => {
    const shown = addToMonth(from, at);
    return { month: shown, state: stateOf(shown) };
  });
  const is_followed = closes.some((one) => one.month > month && isEffective(one));
  return { month, configuration, close, state: stateOf(month), strip, is_followed };
}

const isEffective = ({ status }: CloseState): boolean =>
  status === "completed" || status === "running";

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, named } = request;
  const seen = await seenMonth(cx, named.month);
  const { month, state, strip } = seen;
  const { words, language } = reader;
  const parts = await partsOf(request, seen);
  return {
    title: dayInStyle(language, firstDayOf(month), "month_year", true),
    lead: words.close.lead[state],
    is_printed: true,
    ...("actions" in parts && { actions: parts.actions }),
    content: (
      <>
        <MonthStrip months={strip} shown={month} />
        {await explanationAt(request, `/close/${month}`)}
        {parts.content}
      </>
    ),
  };
}

async function partsOf(request: PageRequest, seen: SeenMonth) {
  const { cx, runLong, query } = request;
  const { month, state, close } = seen;
  if (state === "closing" && close !== undefined) {
    return { content: <Running month={month} progress={await progressOf(cx, close)} /> };
  }
  if (state === "closed" && close !== undefined) return closedParts(request, seen, close);
  if (state === "locked") return { content: null };
  const facts = factsShown(request, await factsOfClose(cx, month));
  const of_month = { month, facts, may_close: isClosable(state) };
  return {
    content: (
      <>
        {close !== undefined && (
          <Failures request={request} close={close} names={await failedNames(cx, close)} />
        )}
        {query.all === undefined ? (
          <>
            <Island of={closeAhead} with={of_month} />
            <noscript>
              <a class="button" href={`/close/${month}?all=1`}>
                {request.reader.words.close.add_up}
              </a>
            </noscript>
          </>
        ) : (
          <AheadView {...of_month} ahead={await runLong(monthAhead, { month })} />
        )}
      </>
    ),
  };
}

function Running({ month, progress }: { month: Month; progress: Progress }) {
  return <Island of={closeProgress} with={{ month, progress }} />;
}

async function progressOf(cx: Reader, close: CloseRow): Promise<Progress> {
  const { customers, remaining } = await countsOf(cx, close);
  return {
    is_running: close.status === "running",
    done: customers - remaining,
    total: customers,
    failed: errorsOf(close).length,
  };
}

function errorsOf({ errors }: CloseRow): CloseError[] {
  return CloseError.array().parse(JSON.parse(errors));
}

function failedNames(cx: Reader, close: CloseRow) {
  return namesOfCustomers(
    cx,
    errorsOf(close).map(({ customer_id }) => customer_id),
  );
}

/** Lists the customers that the last close could not book; nothing where there is none. */
function Failures(props: {
  request: PageRequest;
  close: CloseRow;
  names: ReadonlyMap<string, string>;
}) {
  const { request, close, names } = props;
  const words = request.reader.words.close;
  const customers = errorsOf(close).map((error) => refusedOf(error, names));
  if (close.status !== "partial" || customers.length === 0) return null;
  return (
    <>
      <Refused customers={customers} month={close.month} title={words.failures} id="failures" />
      <p class="buttons">
        <ConfirmLink href={`/close/${close.month}/confirm`}>{words.try_again}</ConfirmLink>
      </p>
    </>
  );
}

async function closedParts(request: PageRequest, seen: SeenMonth, close: CloseRow) {
  const { cx, reader } = request;
  const { words: all, language, time_zone } = reader;
  const words = all.close;
  const { month, configuration, is_followed } = seen;
  const [counts, booked] = await Promise.all([
    countsOf(cx, close),
    listBookedVouchers(cx, month, MOST_BOOKED),
  ]);
  const warnings = CloseWarning.array().parse(JSON.parse(close.warnings));
  const closed_at = close.closed_at && momentOf(language, close.closed_at, time_zone).text;
  const content = (
    <>
      <p class="soft">
        {closed_at && `${words.closed_at(closed_at)}. `}
        {words.counts(counts.with_voucher, counts.without_voucher)}
      </p>
      <Warnings
        title={words.warned}
        sentences={warnings.map(({ code, count }) => words.warnings[code](count))}
      />
      <BookedVouchers
        vouchers={booked}
        count={counts.with_voucher}
        currency={configuration.functional_currency}
        has_books={booksOf(cx) !== undefined}
      />
    </>
  );
  if (is_followed) return { content };
  const actions = <ConfirmLink href={`/close/${month}/reopen`}>{words.reopen}</ConfirmLink>;
  return { content, actions };
}

/** Formats a rate in millionths with the decimals that it has, such as `7,4609`. */
function rateOf(language: Language, rate_micro: bigint): string {
  const text = decimalText(rate_micro, RATE_DECIMALS).replace(/\.?0+$/, "");
  return language === "da" ? text.replace(".", ",") : text;
}

function factsShown({ reader }: PageRequest, facts: CloseFacts): FactsShown {
  return {
    ...facts,
    rates: facts.rates.map(({ currency, date, rate_micro }) => ({
      currency,
      date,
      rate: rate_micro === null ? null : rateOf(reader.language, rate_micro),
    })),
  };
}
