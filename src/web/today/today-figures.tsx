/** Shows the month in four figures, and the months before it as bars. */
import type { ComponentChildren } from "preact";
import {
  addDays,
  type CalendarDate,
  firstDayOf,
  type Month,
  monthOf,
} from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { ActivitySummary } from "../../features/overview/today/read-activity-summary.ts";
import type { Figures, MonthFigures } from "../../features/revenue/reports/report-figures.ts";
import { Months } from "../charts/months.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, currencySign, dayInStyle, thousandsOf, wholeAmountOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { AsOf } from "../parts/values.tsx";
import { dayBeside } from "./format-days.ts";

/** The age in days from which work that has not been invoiced needs attention. */
const OLD_DAYS = 60;

interface Shown {
  readonly figures: Figures | null;
  readonly summary: ActivitySummary;
  readonly today: CalendarDate;
  readonly currency: string;
}

export function MonthSoFar({ figures, summary, today, currency }: Shown) {
  const { words: all, language } = useReader();
  const words = all.today;
  const month = dayInStyle(language, today, "month", true);
  const now = figures?.months.at(-1) ?? null;
  const before = figures?.months.at(-2) ?? null;
  const is_old = summary.oldest_work !== null && summary.oldest_work < addDays(today, -OLD_DAYS);
  const oldest = summary.oldest_work && dayBeside(language, summary.oldest_work, today);
  const drafts = summary.drafts >= 1_000 ? "1000+" : String(summary.drafts);
  const figure = (of: keyof Omit<MonthFigures, "month">) => ({
    value: now === null ? null : now[of],
    missing: now === null ? all.figures.adding_up : words.no_rate,
    currency,
  });
  return (
    <>
      <section class="card figures" aria-label={words.figures}>
        <a href="/revenue">
          <span class="label">{words.earned_in(month)}</span>
          <Figure {...figure("earned")}>
            <Against now={now?.earned} before={before?.earned} today={today} currency={currency} />
          </Figure>
        </a>
        <a href={revenueIn(monthOf(today))}>
          <span class="label">{words.invoiced_in(month)}</span>
          <Figure {...figure("invoiced")}>
            {words.documents(summary.issued, summary.credited)}
          </Figure>
        </a>
        <a href="/revenue">
          <span class="label">{words.asset}</span>
          <Figure {...figure("asset")} is_ember={is_old}>
            {words.drafts(drafts, oldest)}
          </Figure>
        </a>
        <a href="/revenue">
          <span class="label">{words.liability}</span>
          <Figure {...figure("liability")}>{words.retainers(summary.retainers)}</Figure>
        </a>
      </section>
      <AsOf at={figures?.as_of ?? null} />
    </>
  );
}

/** Returns the page of revenue with a month chosen, in its usual range. */
function revenueIn(month: Month): string {
  return `/revenue?month=${month}`;
}

function Figure(props: {
  value: Money | null;
  missing: string;
  currency: string;
  is_ember?: boolean;
  children: ComponentChildren;
}) {
  const { value, missing, currency, is_ember = false, children } = props;
  const { language } = useReader();
  return (
    <>
      <span class={is_ember ? "value ember" : "value"}>
        {value === null ? "–" : wholeAmountOf(language, value, currency)}
        {value !== null && <small>{` ${currencySign(language, currency)}`}</small>}
      </span>
      <span class="delta">{value === null ? missing : children}</span>
    </>
  );
}

function Against(props: {
  now: Money | null | undefined;
  before: Money | null | undefined;
  today: CalendarDate;
  currency: string;
}) {
  const { now, before, today, currency } = props;
  const { words, language } = useReader();
  if (now == null || before == null) return null;
  const last_month = dayInStyle(language, addDays(firstDayOf(monthOf(today)), -1), "month", true);
  const more = now - before;
  return (
    <>
      <span class={more < 0n ? "quiet" : "good"}>
        {`${more < 0n ? "▼" : "▲"} ${wholeAmountOf(language, more < 0n ? -more : more, currency)}`}
      </span>
      {words.today.against(last_month)}
    </>
  );
}

export function EarnedByMonth({ figures, currency }: Pick<Shown, "figures" | "currency">) {
  const { words: all, language } = useReader();
  const words = all.today;
  const months = figures?.months ?? [];
  const exact = (value: Money | null) =>
    value === null ? "–" : amountOf(language, value, currency);
  const named = ({ month }: MonthFigures) => dayInStyle(language, firstDayOf(month), "month_year");
  const highest = months.reduce<MonthFigures | null>(
    (most, one) => ((one.earned ?? 0n) > (most?.earned ?? 0n) ? one : most),
    null,
  );
  const summary =
    highest === null ? "" : ` ${words.highest(named(highest), exact(highest.earned))}`;
  return (
    <Card title={words.by_month} id="by-month">
      <div class="pad">
        {months.length === 0 ? (
          <p class="soft">{all.figures.adding_up}</p>
        ) : (
          <Months
            label={`${words.by_month}.${summary}`}
            bars={months.map((one) => ({
              label: dayInStyle(language, firstDayOf(one.month), "short_month"),
              short: one.earned === null ? "–" : thousandsOf(language, one.earned, currency),
              name: words.bar(named(one), exact(one.earned), exact(one.invoiced)),
              value: one.earned ?? 0n,
              href: revenueIn(one.month),
            }))}
          />
        )}
        {months.length > 0 && (
          <details>
            <summary class="tiny quiet">{words.as_table}</summary>
            <List
              label={words.by_month}
              rows={months}
              empty={null}
              columns={[
                { head: words.month, cell: named },
                { head: words.earned, kind: "number", cell: ({ earned }) => exact(earned) },
                { head: words.invoiced, kind: "number", cell: ({ invoiced }) => exact(invoiced) },
                { head: words.asset, kind: "number", cell: ({ asset }) => exact(asset) },
                {
                  head: words.liability,
                  kind: "number",
                  cell: ({ liability }) => exact(liability),
                },
              ]}
            />
          </details>
        )}
      </div>
    </Card>
  );
}
