/** The strip of the months of all retainers: how many periods begin in each month, in which state, and for which amount. */
import { firstDayOf, type Month } from "../../domain/base/calendar.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, dayInStyle, monthOf } from "../parts/format.ts";
import { type MonthSumsShown, STATE_SIGNS } from "./month-sums.ts";

export function AllMonths(props: {
  months: readonly MonthSumsShown[];
  current: Month;
  functional: string;
}) {
  const { months, current, functional } = props;
  const { words: all, language } = useReader();
  const words = all.retainers;
  return (
    <Card title={words.months} id="months" hint={words.months_hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the strip. */}
      <section class="strip-box" tabIndex={0} aria-labelledby="months">
        <ol class="all-months">
          {months.map(({ month, states }) => (
            <li class={month === current ? "now" : undefined}>
              <p class="strong">
                <span aria-hidden="true">
                  {dayInStyle(language, firstDayOf(month), "short_month")}{" "}
                  <small>{month.slice(0, 4)}</small>
                </span>
                <span class="unseen">{monthOf(language, month)}</span>
              </p>
              {states.length === 0 && <p class="tiny quiet">{words.no_period}</p>}
              {states.map(({ state, count, amounts }) => (
                <div class={`of-state ${state}`}>
                  <p class="tiny">
                    <span aria-hidden="true">{STATE_SIGNS[state]}</span>{" "}
                    {words.states[state](count)}
                  </p>
                  {amounts.map(({ currency, net }) => (
                    <p class="num small">
                      {currency !== functional && <span class="quiet">{`${currency} `}</span>}
                      {amountOf(language, BigInt(net), currency)}
                    </p>
                  ))}
                </div>
              ))}
            </li>
          ))}
        </ol>
      </section>
    </Card>
  );
}
