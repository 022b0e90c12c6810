/** Shows revenue: the figures of a month, the bars and the matrix of a range, and the panel of an amount. */
import { addToMonth, firstDayOf, type Month } from "../../domain/base/calendar.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { useReader } from "../frame/reader.ts";
import {
  amountOf,
  currencySign,
  dayInStyle,
  monthOf,
  thousandsOf,
  wholeAmountOf,
} from "../parts/format.ts";
import { AmountPanel } from "./amount-panel.tsx";
import { revenueLink } from "./revenue-address.ts";
import { RevenueMatrix } from "./revenue-matrix.tsx";
import type { AmountShown, RevenueShown } from "./revenue-shown.ts";

/** Everything that follows from the lines. The controls above it stand on the page already. */
export function RevenueView({ shown }: { shown: RevenueShown }) {
  const { words: all } = useReader();
  const words = all.revenue;
  const { asked, row_count, sums, is_own } = shown;
  const filters = withoutGiven(shown);
  const has_filters = filters.length > 0;
  if (row_count === 0) {
    return (
      <div class="card pad">
        <p class="strong">{has_filters ? words.nothing_filtered : words.nothing}</p>
        {!has_filters && <p class="soft">{words.nothing_text}</p>}
        <p class="buttons">
          {has_filters ? (
            <a class="button" href={revenueLink(asked, { filters: {}, page: 1 })}>
              {words.without_filters}
            </a>
          ) : (
            <a class="button main" href="/invoices/new">
              {all.draft.new_invoice}
            </a>
          )}
        </p>
      </div>
    );
  }
  const has_unknown = sums.some(({ earned }) => earned === null);
  return (
    <>
      {has_unknown && (
        <p class="note-warn" role="status">
          {words.no_rate_means}
        </p>
      )}
      <Chosen shown={shown} />
      <MonthFigures shown={shown} />
      <Bars shown={shown} />
      <div
        class={shown.cell === null && shown.explained === null ? "revenue" : "revenue with-panel"}
      >
        <div class="stack">
          <RevenueMatrix shown={shown} />
        </div>
        <AmountPanel shown={shown} />
      </div>
      {is_own ? null : <p class="tiny quiet">{words.bases_mean[asked.basis]}</p>}
    </>
  );
}

/** Returns the filters that can be removed: not the customer on whose page the revenue stands. */
function withoutGiven({ asked, filters }: RevenueShown): RevenueShown["filters"] {
  return filters.filter(({ filter }) => asked.customer === null || filter !== "customer");
}

/** Shows the filters of the address, each with a link that removes it. */
function Chosen({ shown }: { shown: RevenueShown }) {
  const words = useReader().words.revenue;
  const { asked } = shown;
  const filters = withoutGiven(shown);
  if (filters.length === 0) return null;
  return (
    <ul class="chosen" aria-label={words.filters}>
      {filters.map(({ filter, name }) => {
        const text = `${words.filter_names[filter]}: ${name ?? words.unknown}`;
        const { [filter]: _, ...others } = asked.filters;
        return (
          <li>
            <a
              class="button small"
              href={revenueLink(asked, { filters: others, page: 1, open: null, explain: null })}
              aria-label={words.remove(text)}
            >
              {text} ✕
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the place of the month of the figures: the chosen one, else the last that is no forecast, else the first. */
function chosenPlace({ asked, months }: RevenueShown): number {
  const chosen = months.findIndex(({ month }) => month === asked.month);
  if (chosen >= 0) return chosen;
  return Math.max(
    0,
    months.findLastIndex(({ is_forecast }) => !is_forecast),
  );
}

/** Shows the sums of the chosen month. What was invoiced, and the balances, are for admins alone. */
function MonthFigures({ shown }: { shown: RevenueShown }) {
  const { words: all, language } = useReader();
  const words = all.revenue;
  const { months, sums, currency, is_own } = shown;
  const at = chosenPlace(shown);
  const [now, before] = [sums[at], sums[at - 1]];
  const month = months[at]?.month;
  if (now === undefined || month === undefined) return null;
  const name = dayInStyle(language, firstDayOf(month), "month_year");
  const figures = [
    { label: words.earned_in(name), value: now.earned, beside: null },
    ...(is_own
      ? []
      : [
          { label: words.invoiced_in(name), value: now.invoiced, beside: words.net_of_credits },
          { label: words.asset, value: now.asset, beside: words.asset_means },
          { label: words.liability, value: now.liability, beside: words.liability_means },
        ]),
  ];
  return (
    <section class={is_own ? "card figures one" : "card figures"} aria-label={words.figures(name)}>
      {figures.map(({ label, value, beside }) => (
        <div>
          <span class="label">{label}</span>
          <span class="value">
            {value === null ? "–" : wholeAmountOf(language, BigInt(value), currency)}
            {value !== null && <small>{` ${currencySign(language, currency)}`}</small>}
          </span>
          <span class="delta">
            {value === null
              ? words.no_rate
              : (beside ?? (
                  <Against
                    now={value}
                    before={before?.earned ?? null}
                    month={month}
                    currency={currency}
                  />
                ))}
          </span>
        </div>
      ))}
    </section>
  );
}

function Against(props: { now: string; before: AmountShown; month: Month; currency: string }) {
  const { now, before, month, currency } = props;
  const { words, language } = useReader();
  if (before === null) return null;
  const more = BigInt(now) - BigInt(before);
  const last = dayInStyle(language, firstDayOf(addToMonth(month, -1)), "month");
  return (
    <>
      <span class={more < 0n ? "quiet" : "good"}>
        {`${more < 0n ? "▼" : "▲"} ${wholeAmountOf(language, more < 0n ? -more : more, currency)}`}
      </span>
      {words.revenue.against(last)}
    </>
  );
}

function Bars({ shown }: { shown: RevenueShown }) {
  const { words: all, language } = useReader();
  const words = all.revenue;
  const { asked, months, sums, series, currency, is_own } = shown;
  const title = words.earned_by[asked.by];
  const chosen = chosenPlace(shown);
  const amount = (value: AmountShown) =>
    value === null ? words.no_rate : amountOf(language, BigInt(value), currency);
  const bars = months.map(({ month, is_closed, is_forecast }, at) => {
    const sum = sums[at];
    const parts = series.map(({ name, row, earned }) => ({
      name: nameOfSeries(name, row, words),
      value: BigInt(earned[at] ?? "0"),
    }));
    const state = is_forecast ? words.forecast : is_closed ? words.closed : "";
    const numbers = [
      ...parts
        .filter(({ value }) => value !== 0n)
        .map(({ name, value }) => `${name} ${amountOf(language, value, currency)}`),
      `${words.earned} ${amount(sum?.earned ?? "0")}`,
      ...(is_own ? [] : [`${words.invoiced} ${amount(sum?.invoiced ?? "0")}`]),
    ];
    const invoiced = is_own || is_forecast ? null : (sum?.invoiced ?? null);
    return {
      label: monthLabel(month, at === 0 || month.endsWith("-01"), (day) =>
        dayInStyle(language, day, "short_month"),
      ),
      name: words.bar(monthOf(language, month), state, numbers),
      short: thousandsOf(language, BigInt(sum?.earned ?? "0"), currency),
      href: revenueLink(asked, { month, open: null, explain: null }),
      parts: parts.map(({ value }) => value),
      beside: invoiced === null ? null : BigInt(invoiced),
      is_chosen: at === chosen,
      is_closed,
      is_forecast,
    };
  });
  return (
    <section class="card revenue-chart" aria-labelledby="chart">
      <header>
        <h2 id="chart">{title}</h2>
        <Legend shown={shown} />
      </header>
      <div class="pad">
        <StackedBars
          label={is_own ? words.chart_own(title) : words.chart(title)}
          bars={bars}
          forecast={words.forecast}
          short={(value) => thousandsOf(language, value, currency)}
        />
        <p class="tiny quiet">{words.closed_dot}</p>
      </div>
    </section>
  );
}

/** Names the colours of the bars, and the dotted line. */
function Legend({ shown: { series, is_own } }: { shown: RevenueShown }) {
  const words = useReader().words.revenue;
  return (
    <ul class="end legend">
      {series.map(({ name, row }, at) => (
        <li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`c${at + 1}`} width="10" height="10" rx="2" />
          </svg>
          {nameOfSeries(name, row, words)}
        </li>
      ))}
      {!is_own && (
        <li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <path class="dotted" d="M0 5h10" />
          </svg>
          {words.invoiced}
        </li>
      )}
    </ul>
  );
}

function nameOfSeries(
  name: string | null,
  row: number | null,
  words: ReturnType<typeof useReader>["words"]["revenue"],
): string {
  return name ?? (row === null ? words.others : words.no_person);
}

/** Returns a month for the axis: with its year at the start and in January. */
function monthLabel(month: Month, has_year: boolean, nameOf: (day: string) => string): string {
  const name = nameOf(firstDayOf(month));
  return has_year ? `${name} ${month.slice(2, 4)}` : name;
}
