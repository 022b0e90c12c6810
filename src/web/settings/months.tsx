/** The page of months and locks, for admins: how time is counted, with an example by the rule itself, and what is locked. */

import {
  addToMonth,
  type CalendarDate,
  calendarDate,
  firstDayOf,
  lastDayOf,
  type Month,
  monthOf,
} from "../../domain/base/calendar.ts";
import { round } from "../../domain/base/money.ts";
import { conventions, spreadOf } from "../../domain/revenue/spread.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, NO_FAULTS } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { amountOf, dayInStyle, dayOf, moneyOf, monthOf as monthText } from "../parts/format.ts";
import { Table } from "../parts/list.tsx";
import { Select } from "../parts/select.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";
import { type FieldKinds, saveFields, storedFields } from "./configuration-form.ts";

const MONTHS = "/settings/months";
const KINDS: FieldKinds = {
  recognition_convention: "word",
  period_lock_date: "day",
  work_lock_date: "day",
};
/** Nothing is booked before the last closed month: the lock moves back only by reopening it. */
const BLAMES = { PERIOD_CLOSED: "period_lock_date" } as const;

export const monthsPages: readonly WebPage[] = [
  definePage(`GET ${MONTHS}`, "hidden", async (request) => {
    const typed = await storedFields(request.cx, request.reader.language, KINDS);
    return months(request, typed, NO_FAULTS, 200);
  }),
  definePage(`POST ${MONTHS}`, "hidden", (request) =>
    saveFields(request, MONTHS, KINDS, BLAMES, (typed, faults, status) =>
      months(request, typed, faults, status),
    ),
  ),
];

async function months(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, csrf, reader } = request;
  const { words: all, language } = reader;
  const words = all.month_settings;
  const configuration = await getConfiguration(cx);
  const { period_lock_date, work_lock_date, locked_by, time_zone } = configuration;
  const today = todayIn(cx.clock, time_zone);
  const content = (
    <>
      <SettingsTabs current={MONTHS} />
      <div class="stack settings">
        <FormFaults faults={faults} words={all.see_fields} />
        <Locks
          this_month={monthOf(today)}
          books={period_lock_date}
          hours={work_lock_date}
          also={
            locked_by !== null && period_lock_date !== null
              ? words.also_by(locked_by, dayOf(language, period_lock_date))
              : null
          }
        />
        <div class="card pad company-fields">
          <Form action={MONTHS} csrf={csrf(MONTHS)}>
            <fieldset class="fields">
              <legend>{words.locks}</legend>
              <DayEntry
                name="period_lock_date"
                label={words.books}
                hint={words.books_hint}
                value={typed.period_lock_date ?? ""}
                today={today}
                empty={words.no_lock}
                faults={faults}
              />
              <DayEntry
                name="work_lock_date"
                label={words.hours}
                hint={words.hours_hint}
                value={typed.work_lock_date ?? ""}
                today={today}
                empty={words.no_lock}
                faults={faults}
              />
            </fieldset>
            <fieldset class="fields">
              <legend>{words.convention}</legend>
              <Select
                name="recognition_convention"
                label={words.convention}
                value={typed.recognition_convention ?? ""}
                options={conventions.map((one) => [one, words[one]])}
                faults={faults}
              />
            </fieldset>
            <Submit text={all.save} />
          </Form>
        </div>
        <Example year={Number(today.slice(0, 4))} currency={configuration.functional_currency} />
      </div>
    </>
  );
  return { title: words.title, lead: words.lead, content, status };
}

/** Shows the last twelve months and what is locked in each. */
function Locks(props: {
  this_month: Month;
  books: CalendarDate | null;
  hours: CalendarDate | null;
  also: string | null;
}) {
  const { this_month, books, hours, also } = props;
  const { words: all, language } = useReader();
  const words = all.month_settings;
  const shown = Array.from({ length: 12 }, (_, at) => addToMonth(this_month, at - 11));
  const isLocked = (month: Month, until: CalendarDate | null) =>
    until !== null && lastDayOf(month) <= until;
  return (
    <Card title={words.strip} id="locks">
      <ol class="lock-strip">
        {shown.map((month) => {
          const [has_books, has_hours] = [isLocked(month, books), isLocked(month, hours)];
          return (
            <li class={has_books ? "locked" : ""}>
              <span aria-hidden="true">
                {dayInStyle(language, firstDayOf(month), "short_month")}
              </span>
              <span class="unseen">{monthText(language, month)}: </span>
              {has_books && <small>{words.books_locked}</small>}
              {has_hours && <small>{words.hours_locked}</small>}
              {!has_books && !has_hours && <small>{words.open}</small>}
            </li>
          );
        })}
      </ol>
      {also !== null && <p class="pad small soft">{also}</p>}
    </Card>
  );
}

/** A service that begins in the middle of a month: the two conventions differ in every month of it. */
const EXAMPLE_AMOUNT = 6_000_000n;

/** Shows what the two conventions earn in each month of an example, in minor units of the currency. */
function Example({ year, currency }: { year: number; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.month_settings;
  const [from, to] = [calendarDate(`${year}-01-17`), calendarDate(`${year}-04-30`)];
  if (from === undefined || to === undefined) return null;
  const [by_months, by_days] = conventions.map((one) => monthlyOf(from, to, one));
  const shown = [...(by_months ?? new Map<Month, bigint>()).keys()];
  const amountIn = (of: ReadonlyMap<Month, bigint> | undefined, month: Month) =>
    amountOf(language, of?.get(month) ?? 0n, currency);
  return (
    <Card title={words.convention} id="example">
      <p class="pad soft">
        {words.example(
          dayOf(language, from),
          dayOf(language, to),
          moneyOf(language, EXAMPLE_AMOUNT, currency),
        )}
      </p>
      <Table
        columns={[words.month, words.by_months, words.by_days]}
        rows={shown.map((month) => [
          monthText(language, month),
          amountIn(by_months, month),
          amountIn(by_days, month),
        ])}
      />
    </Card>
  );
}

/** Returns the part of the example that each month earns, as the rule of revenue splits it. */
function monthlyOf(
  from: CalendarDate,
  to: CalendarDate,
  convention: (typeof conventions)[number],
): ReadonlyMap<Month, bigint> {
  const { months: of, weights, whole } = spreadOf(from, to, convention);
  let before = 0n;
  return new Map(
    of.map((month) => {
      const through = round(EXAMPLE_AMOUNT * (weights.get(month) ?? 0n), whole);
      const earned = through - before;
      before = through;
      return [month, earned];
    }),
  );
}
