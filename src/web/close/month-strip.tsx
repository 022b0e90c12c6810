/** Shows months with their states, each as a link to its page. */
import { firstDayOf, type Month } from "../../domain/base/calendar.ts";
import type { MonthState } from "../../domain/revenue/month-state.ts";
import { useReader } from "../frame/reader.ts";
import { dayInStyle, monthOf } from "../parts/format.ts";

export function MonthStrip(props: {
  months: readonly { readonly month: Month; readonly state: MonthState }[];
  shown: Month;
}) {
  const { words: all, language } = useReader();
  const words = all.close;
  return (
    <nav class="card month-strip" aria-label={words.months}>
      <ul>
        {props.months.map(({ month, state }) => (
          <li key={month}>
            {state === "future" ? (
              <span class={state}>
                <span>{dayInStyle(language, firstDayOf(month), "short_month")}</span>
                <small>{words.states[state]}</small>
              </span>
            ) : (
              <a
                class={state}
                href={`/close/${month}`}
                {...(month === props.shown ? { "aria-current": "page" as const } : {})}
              >
                <span aria-hidden="true">
                  {dayInStyle(language, firstDayOf(month), "short_month")}
                </span>
                <span class="unseen">{monthOf(language, month)} </span>
                <small>{words.states[state]}</small>
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
