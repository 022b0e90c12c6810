/** The island of deferred revenue and of remaining obligations: a row for each customer, by the time when it will be earned. */
import { islandOf } from "../browser/island.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, currencySign, dayInStyle } from "../parts/format.ts";
import {
  type ObligationsAsked,
  type ObligationsShown,
  ROWS_OF_OBLIGATIONS,
} from "./obligations-shown.ts";

interface OfMonth {
  readonly asked: ObligationsAsked;
  /** Null until it is computed. */
  readonly shown: ObligationsShown | null;
}

function ObligationsTable({ asked, shown }: OfMonth) {
  const { words: all } = useReader();
  const { answer, is_lost } = useAnswer<ObligationsShown>("/app/revenue/obligations", asked, shown);
  if (answer === null) {
    return (
      <p class="card pad quiet" role="status">
        {is_lost ? all.revenue.lost : all.revenue.adding_up}
      </p>
    );
  }
  const words = all.balances;
  if (answer.row_count === 0) {
    return (
      <p class="card pad soft">
        {answer.kind === "deferred" ? words.no_deferred : words.no_remaining}
      </p>
    );
  }
  return (
    <>
      <Amounts shown={answer} />
      <p class="tiny quiet">{words.undated_means}</p>
      <p class="tiny quiet">{answer.kind === "deferred" ? words.release_means : words.left_out}</p>
      {answer.without_rate > 0 && (
        <p class="tiny quiet">{words.without_rate(answer.without_rate)}</p>
      )}
    </>
  );
}

function Amounts({ shown }: { shown: ObligationsShown }) {
  const { words: all, language } = useReader();
  const words = all.balances;
  const { kind, columns, rows, sums, currency } = shown;
  const amount = (text: string) =>
    text === "0" ? <span class="quiet">–</span> : amountOf(language, BigInt(text), currency);
  const headOf = (time: string) =>
    time.length === 4
      ? time
      : `${dayInStyle(language, `${time}-01`, "short_month")} ${time.slice(2, 4)}`;
  const title = words[kind];
  return (
    <Card title={title} id="amounts" hint={currencySign(language, currency)}>
      <section class="matrix-scroll from-start" aria-label={title} data-walk="grid">
        <table class="grid-table matrix">
          <thead>
            <tr>
              <th scope="col">{all.revenue.groupings.customer}</th>
              {columns.map((time) => (
                <th scope="col" class="num">
                  {headOf(time)}
                </th>
              ))}
              {[words.later, words.undated, words.total].map((head) => (
                <th scope="col" class="num">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.customer_id}>
                <th scope="row">
                  <a class="link" href={`/customers/${row.customer_id}?tab=revenue`}>
                    {row.name}
                  </a>
                </th>
                {[...row.cells, row.later, row.undated].map((text) => (
                  <td class="num">{amount(text)}</td>
                ))}
                <td class="num strong">{amount(row.total)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{words.sum}</th>
              {[...sums.cells, sums.later, sums.undated, sums.total].map((text) => (
                <td class="num">{amount(text)}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
      <Pages shown={shown} />
    </Card>
  );
}

/** The links to further customers; nothing where one page shows all. */
function Pages({ shown }: { shown: ObligationsShown }) {
  const { words: all } = useReader();
  const { rows, month, page, row_count } = shown;
  if (row_count === rows.length) return null;
  const last = (page - 1) * ROWS_OF_OBLIGATIONS + rows.length;
  const at = (to: number) => `?month=${month}&page=${to}`;
  return (
    <p class="pad row">
      <span class="soft">{all.revenue.rows(last - rows.length + 1, last, row_count)}</span>
      {page > 1 && (
        <a class="button small" href={at(page - 1)} rel="prev">
          {all.revenue.earlier_rows}
        </a>
      )}
      {last < row_count && (
        <a class="button small" href={at(page + 1)} rel="next">
          {all.revenue.later_rows}
        </a>
      )}
    </p>
  );
}

export const island = islandOf<OfMonth>({ name: "obligations-table", View: ObligationsTable });
