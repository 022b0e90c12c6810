/** The next periods of a retainer with their days and amounts, as they would be invoiced now. */
import { timesOf } from "../../domain/series/period.ts";
import { periodsInRanges } from "../../features/recurring/occurrences/price-range.ts";
import { firstOpen } from "../../features/recurring/series/series.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, dayOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import { Day } from "../parts/values.tsx";
import { RETAINERS, type SeenRetainer } from "./seen-retainer.ts";

const MOST_AHEAD = 12;

type Priced = Awaited<ReturnType<typeof periodsInRanges>>;

/** Returns at most the next twelve open periods of a series, by the current lines and hours. */
export async function nextPeriods(
  cx: Reader,
  { series }: Pick<SeenRetainer, "series">,
): Promise<Priced> {
  const open = firstOpen(series);
  if (open === undefined) return [];
  return periodsInRanges(cx, [series], () => ({
    first: open.index,
    end: open.index + MOST_AHEAD,
  }));
}

export function PeriodsAhead({ id, periods }: { id: string; periods: Priced }) {
  const { words: all, language } = useReader();
  const words = all.retainer_draft;
  return (
    <section class="card ahead" aria-labelledby="ahead">
      <header>
        <h2 id="ahead">{words.ahead}</h2>
      </header>
      {periods.length === 0 ? (
        <p class="pad soft">{all.retainer.no_periods}</p>
      ) : (
        <List
          label={words.ahead}
          rows={periods}
          empty={null}
          columns={[
            {
              head: words.period,
              fold: "lead",
              cell: ({ period }) => (
                <a href={`${RETAINERS}/${id}/${period.key}`}>{periodName(language, period.key)}</a>
              ),
            },
            {
              head: words.service,
              cell: ({ period }) =>
                `${dayOf(language, period.from)} – ${dayOf(language, period.to)}`,
            },
            {
              head: words.day,
              cell: ({ series, period }) => <Day day={timesOf(period, series.timing).issue_date} />,
            },
            {
              head: words.net,
              kind: "number",
              fold: "end",
              cell: ({ series, net }) => amountOf(language, net, series.currency),
            },
          ]}
        />
      )}
    </section>
  );
}
