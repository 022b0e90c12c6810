/** The strip of the periods of a retainer: each with its state, its invoice and its amount, and links to older and later ones. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import type { Money } from "../../domain/base/money.ts";
import type { OccurrenceState } from "../../features/recurring/series/schemas.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, dayInStyle } from "../parts/format.ts";
import { periodName, shortPeriod } from "../parts/period.ts";
import { STATE_SIGNS } from "./month-sums.ts";
import { RETAINERS } from "./seen-retainer.ts";

/** A period of the strip. The amount is in minor units. */
export interface StripPeriod {
  readonly key: string;
  readonly state: OccurrenceState;
  /** Whether this is the first open period. */
  readonly is_next: boolean;
  /** The planned date of the invoice. */
  readonly day: CalendarDate;
  /** The number of the invoice; null without one. */
  readonly number: string | null;
  readonly net: Money;
}

export function PeriodStrip(props: {
  id: string;
  currency: string;
  periods: readonly StripPeriod[];
  /** The addresses of the strips before and after this one. */
  older: string | null;
  later: string | null;
}) {
  const { id, currency, periods, older, later } = props;
  const { words: all } = useReader();
  const words = all.retainer;
  return (
    <section class="card" aria-labelledby="periods">
      <header>
        <h2 id="periods">{words.periods}</h2>
        <span class="end row tiny quiet">
          {older !== null && (
            <a class="link" href={older}>
              {words.older}
            </a>
          )}
          {later !== null && (
            <a class="link" href={later}>
              {words.later}
            </a>
          )}
        </span>
      </header>
      {periods.length === 0 ? (
        <p class="pad soft">{words.no_periods}</p>
      ) : (
        <ol class="period-strip">
          {periods.map((period) => (
            <Cell id={id} currency={currency} period={period} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Cell({ id, currency, period }: { id: string; currency: string; period: StripPeriod }) {
  const { words: all, language } = useReader();
  const words = all.retainer;
  const { key, state, is_next, day, number, net } = period;
  const { name, year } = shortPeriod(language, key);
  return (
    <li class={is_next ? `${state} next` : state}>
      <a href={`${RETAINERS}/${id}/${key}`}>
        <span class="strong" aria-hidden="true">
          {name} {year !== null && <small>{year}</small>}
        </span>
        <span class="unseen">{periodName(language, key)}, </span>
        <span class="tiny">
          <span aria-hidden="true">{STATE_SIGNS[state]}</span>{" "}
          {number !== null
            ? words.invoice_number(number)
            : is_next && state === "scheduled"
              ? words.on_day(dayInStyle(language, day, "date"))
              : words.states[state]}
        </span>
        <span class="num small">{amountOf(language, net, currency)}</span>
      </a>
    </li>
  );
}
