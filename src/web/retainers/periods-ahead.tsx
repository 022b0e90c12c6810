/** The next periods of a retainer with their days and amounts, as they would be invoiced now. */
import { useReader } from "../frame/reader.ts";
import { amountOf, dayOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import { Day } from "../parts/values.tsx";
import type { PeriodsShown } from "./periods-shown.ts";

/** Shows the periods; those of a stored draft, whose id is given, lead to their pages. */
export function PeriodsAhead({ id, shown }: { id: string | null; shown: PeriodsShown }) {
  const { words: all, language } = useReader();
  const words = all.retainer_draft;
  const { periods, currency, each, has_hours, every } = shown;
  if (periods.length === 0) return <p class="pad soft">{all.retainer.no_periods}</p>;
  return (
    <>
      <p class="each">
        <strong class="num">{amountOf(language, BigInt(each), currency)}</strong>{" "}
        {all.retainers.a(every)}
        {has_hours && ` ${all.retainers.net_hours}`}
      </p>
      <List
        label={words.ahead}
        rows={periods}
        empty={null}
        columns={[
          {
            head: words.period,
            fold: "lead",
            cell: ({ key }) =>
              id === null ? (
                periodName(language, key)
              ) : (
                <a href={`/retainers/${id}/${key}`}>{periodName(language, key)}</a>
              ),
          },
          {
            head: words.service,
            cell: ({ from, to }) => `${dayOf(language, from)} – ${dayOf(language, to)}`,
          },
          { head: words.day, cell: ({ day }) => <Day day={day} /> },
          {
            head: words.net,
            kind: "number",
            fold: "end",
            cell: ({ net }) => amountOf(language, BigInt(net), currency),
          },
        ]}
      />
    </>
  );
}
