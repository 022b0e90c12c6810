/** The cards next to the attention list: coming invoices, the week's hours, a person's customers. */
import { addDays, type CalendarDate, mondayOf } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { GoingOut } from "../../features/overview/today/price-coming.ts";
import {
  type ActivitySummary,
  AHEAD_DAYS,
  type OwnSummary,
} from "../../features/overview/today/read-activity-summary.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayInStyle, hoursOf, moneyOf } from "../parts/format.ts";
import { Pill } from "../parts/values.tsx";
import { dayBeside } from "./format-days.ts";

export function GoingOutSoon(props: {
  going_out: readonly GoingOut[];
  today: CalendarDate;
  functional: string;
}) {
  const { going_out, today, functional } = props;
  const { words: all, language } = useReader();
  const words = all.today;
  return (
    <Card title={words.going_out} id="out" hint={words.next_days(AHEAD_DAYS)}>
      {going_out.length === 0 && <p class="pad soft">{words.nothing_goes_out}</p>}
      <ol>
        {going_out.map(({ due_on, series_id, period, customer, title, lines, currency, net }) => (
          <li class="due">
            <time class="day" datetime={due_on}>
              <b>{dayInStyle(language, due_on, "day")}</b>
              {dayInStyle(language, due_on, "short_month")}
            </time>
            <div>
              <a class="strong" href={`/retainers/${series_id}/${period.key}`}>
                {customer}
              </a>
              {title !== null && <p class="small soft">{words.and_more(title, lines - 1)}</p>}
              {due_on < today && (
                <p class="small ember">{words.waits_since(dayBeside(language, due_on, today))}</p>
              )}
            </div>
            <span class="num small">
              {currency !== functional && <span class="quiet">{`${currency} `}</span>}
              {amountOf(language, net, currency)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Shows what customers owe and what of it is late, with the way to who owes it. */
export function OwedToYou({
  owed,
  late,
  currency,
}: {
  owed: Money;
  late: Money;
  currency: string;
}) {
  const { words: all, language } = useReader();
  const words = all.today;
  const money = (amount: Money) => moneyOf(language, amount, currency);
  return (
    <Card
      title={words.owed}
      id="owed"
      hint={<a href="/receivables">{words.buttons.receivables}</a>}
    >
      <div class="pad">
        <p class="strong">{money(owed)}</p>
        <p class="small">
          {late === 0n ? (
            <span class="soft">{words.owed_late(null)}</span>
          ) : (
            <Pill kind="warn">{words.owed_late(money(late))}</Pill>
          )}
        </p>
      </div>
    </Card>
  );
}

/** The hours that a person works on a day, in 1/100 of an hour; bars are measured against it. */
const FULL_DAY = 800;
const WORKING_DAYS = 5;

/** Shows Monday to Friday, and other days with hours; `beside` follows the sum. */
export function Week(props: {
  hours: ActivitySummary["hours"];
  today: CalendarDate;
  people: number;
  beside: string;
}) {
  const { hours, today, people, beside } = props;
  const { words: all, language } = useReader();
  const words = all.today;
  const monday = mondayOf(today);
  const of_day = new Map(hours.map((day) => [day.date, day.hours]));
  const days = Array.from({ length: 7 }, (_, at) => addDays(monday, at)).filter(
    (day, at) => at < WORKING_DAYS || of_day.has(day),
  );
  const sum = hours.reduce((all_of_them, day) => all_of_them + day.hours, 0);
  const full = Math.max(FULL_DAY * Math.max(1, people), ...of_day.values());
  return (
    <section class="card" aria-labelledby="week">
      <header>
        <h2 id="week">{words.week}</h2>
        <span class="end small">
          <b>{words.hours(hoursOf(language, sum))}</b>
          <span class="quiet">{beside}</span>
        </span>
      </header>
      <div class="pad">
        <ol class="week">
          {days.map((day) => {
            const height = Math.round(((of_day.get(day) ?? 0) * 600) / full) / 10;
            return (
              <li>
                <span class="bar-box">
                  <svg viewBox="0 0 10 60" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="well" width="10" height="60" rx="1.5" />
                    <rect class="c1" y={60 - height} width="10" height={height} rx="1.5" />
                  </svg>
                </span>
                <b>{of_day.has(day) ? hoursOf(language, of_day.get(day) ?? 0) : "–"}</b>
                <span class="quiet">{dayInStyle(language, day, "weekday")}</span>
              </li>
            );
          })}
        </ol>
        <p class="small">
          <a href="/hours">{words.buttons.week}</a>
        </p>
      </div>
    </section>
  );
}

export function OwnCustomers(props: { customers: OwnSummary["customers"]; today: CalendarDate }) {
  const { customers, today } = props;
  const { words: all, language } = useReader();
  const words = all.today;
  return (
    <Card title={words.customers} id="customers" hint={words.customers_of}>
      {customers.length === 0 && <p class="pad soft">{words.no_customers}</p>}
      <ul>
        {customers.map(({ name, hours, last_day }) => (
          <li class="due own">
            <div>
              <p class="strong">{name}</p>
              <p class="small soft">{words.last_worked(dayBeside(language, last_day, today))}</p>
            </div>
            <span class="num small">{words.hours(hoursOf(language, hours))}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
