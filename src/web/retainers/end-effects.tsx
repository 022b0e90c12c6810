/** What the end of a retainer would do: credit notes, dropped periods with their hours, and revenue by month before and after. */
import { useReader } from "../frame/reader.ts";
import { amountOf, dayOf, hoursOf, moneyOf, monthOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import type { EndShown } from "./end-dry-run.ts";

/** The dropped periods that are named one by one. */
const MOST_NAMED = 12;

export function EndEffects({ shown, currency }: { shown: EndShown; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.retainer_end;
  const { credits, dropped, work } = shown;
  const names = dropped.slice(0, MOST_NAMED).map(({ key }) => periodName(language, key));
  return (
    <section class="card ahead" aria-labelledby="effects">
      <header>
        <h2 id="effects">{words.effects}</h2>
      </header>
      <dl class="will pad">
        <dt>{words.ends}</dt>
        <dd>{shown.is_discarded ? words.discarded : dayOf(language, shown.last_day)}</dd>
        <dt>{words.credits}</dt>
        <dd>
          {credits.length === 0 ? (
            words.no_credits
          ) : (
            <ul>
              {credits.map(({ invoice_id, period, is_full, amount }) => (
                <li>
                  <a class="link" href={`/invoices/${invoice_id}`}>
                    {periodName(language, period, true)}
                  </a>
                  {": "}
                  {words.credit_of(moneyOf(language, amount, currency), is_full)}
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{words.dropped}</dt>
        <dd>
          {dropped.length === 0
            ? words.none_dropped
            : words.dropped_text(names.join(", "), dropped.length - names.length)}
        </dd>
        {work.length > 0 && (
          <>
            <dt>{words.hours}</dt>
            <dd>
              <ul>
                {hoursByPerson(work).map(([name, hours]) => (
                  <li>{words.hours_of(hoursOf(language, hours), name)}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      <Months shown={shown} currency={currency} />
    </section>
  );
}

function hoursByPerson(work: EndShown["work"]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { user_name, hours } of work) sums.set(user_name, (sums.get(user_name) ?? 0) + hours);
  return [...sums];
}

function Months({ shown, currency }: { shown: EndShown; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.retainer_end;
  const { months } = shown;
  if (months === null) return <p class="pad soft">{words.too_many}</p>;
  if (months.length === 0) return null;
  return (
    <List
      label={words.months}
      rows={months}
      empty={null}
      columns={[
        { head: words.month, fold: "lead", cell: ({ month }) => monthOf(language, month) },
        {
          head: words.before,
          kind: "number",
          cell: ({ before }) => amountOf(language, before, currency),
        },
        {
          head: words.after,
          kind: "number",
          fold: "end",
          cell: ({ before, after }) =>
            before === after ? (
              amountOf(language, after, currency)
            ) : (
              <strong>{amountOf(language, after, currency)}</strong>
            ),
        },
      ]}
    />
  );
}
