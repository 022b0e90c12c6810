/** Shows the rows of revenue with exact amounts by month: each amount opens the lines behind it, or the explanation of the line. */
import type { Month } from "../../domain/base/calendar.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf, currencySign, monthHead, monthOf } from "../parts/format.ts";
import { ROWS_A_PAGE, revenueLink } from "./revenue-address.ts";
import type { AmountShown, RevenueShown, RowShown } from "./revenue-shown.ts";

export function RevenueMatrix({ shown }: { shown: RevenueShown }) {
  const { words: all, language } = useReader();
  const words = all.revenue;
  const { asked, months, rows, sums, currency } = shown;
  const title = words.matrix(words.groupings[asked.by]);
  return (
    <section class="card" aria-labelledby="matrix">
      <header>
        <h2 id="matrix">{words.amounts}</h2>
        <span class="end tiny quiet">{words.keys(currencySign(language, currency))}</span>
      </header>
      <section class="matrix-scroll" aria-label={title} data-walk="grid">
        <table class="grid-table matrix">
          <thead>
            <tr>
              <th scope="col">{words.groupings[asked.by]}</th>
              {months.map(({ month, is_closed, is_forecast }) => (
                <th scope="col" class={is_forecast ? "num later" : "num"}>
                  {monthHead(language, month)}
                  {is_closed && <span class="unseen"> ({words.closed})</span>}
                  {is_forecast && <small>{words.forecast}</small>}
                </th>
              ))}
              <th scope="col" class="num">
                {words.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <Row key={row.id ?? "-"} row={row} at={at} shown={shown} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{words.earned}</th>
              {sums.map(({ earned }, at) => (
                <td class={months[at]?.is_forecast ? "num later" : "num"}>
                  {earned === null ? words.no_rate : amountOf(language, BigInt(earned), currency)}
                </td>
              ))}
              <td class="num">{amountOfAll(sums.map(({ earned }) => earned))}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <Pages shown={shown} />
    </section>
  );

  function amountOfAll(amounts: readonly AmountShown[]): string {
    let total = 0n;
    for (const amount of amounts) {
      if (amount === null) return words.no_rate;
      total += BigInt(amount);
    }
    return amountOf(language, total, currency);
  }
}

function Row({ row, at, shown }: { row: RowShown; at: number; shown: RevenueShown }) {
  const { words: all, language } = useReader();
  const words = all.revenue;
  const { asked, months, series, currency } = shown;
  const place = (asked.page - 1) * ROWS_A_PAGE + at;
  const charted = series.findIndex(({ row: of }) => of === place);
  const colour = charted >= 0 ? charted + 1 : series.length;
  const name = row.name ?? (asked.by === "person" ? words.no_person : words.removed);
  return (
    <tr>
      <th scope="row">
        <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`c${colour}`} width="10" height="10" rx="3" />
        </svg>
        <RowName row={row} name={name} shown={shown} />
        {row.beside !== null && <small>{row.beside}</small>}
      </th>
      {row.earned.map((earned, column) => {
        const { month, is_forecast } = months[column] ?? { month: asked.to, is_forecast: false };
        return (
          <td class={is_forecast ? "num later" : "num"}>
            {earned === "0" ? (
              <span class="quiet">–</span>
            ) : (
              <Cell
                row={row}
                month={month}
                name={name}
                text={
                  earned === null ? words.no_rate : amountOf(language, BigInt(earned), currency)
                }
                shown={shown}
              />
            )}
          </td>
        );
      })}
      <td class="num strong">
        {row.total === null ? words.no_rate : amountOf(language, BigInt(row.total), currency)}
      </td>
    </tr>
  );
}

/** Shows the name of a group as a link to its lines. */
function RowName({ row, name, shown }: { row: RowShown; name: string; shown: RevenueShown }) {
  const { asked } = shown;
  const filter = { customer: "customer", person: "user", product: "product", line: null } as const;
  const by = filter[asked.by];
  if (by === null || row.id === null) return <span>{name}</span>;
  const filters = { ...asked.filters, [by]: row.id };
  const href = revenueLink(asked, { by: "line", filters, page: 1, open: null, explain: null });
  return (
    <a class="link" href={href}>
      {name}
    </a>
  );
}

function Cell(props: {
  row: RowShown;
  month: Month;
  name: string;
  text: string;
  shown: RevenueShown;
}) {
  const { row, month, name, text, shown } = props;
  const { words, language } = useReader();
  const { asked } = shown;
  if (!row.opens) return <span>{text}</span>;
  const cell = { id: row.id, month };
  const is_line = asked.by === "line" && row.id !== null;
  const changes = is_line
    ? { explain: { id: row.id ?? "", month }, open: null }
    : { open: cell, explain: null };
  const opened = is_line ? asked.explain : asked.open;
  const is_open = opened !== null && opened.id === row.id && opened.month === month;
  return (
    <a
      class="why"
      href={`${revenueLink(asked, changes)}#panel`}
      aria-label={words.revenue.open_cell(name, monthOf(language, month), text)}
      {...(is_open && { "aria-current": "true" })}
    >
      {text}
    </a>
  );
}

function Pages({ shown }: { shown: RevenueShown }) {
  const { words } = useReader();
  const { asked, rows, row_count } = shown;
  if (row_count === rows.length) return null;
  const before = (asked.page - 1) * ROWS_A_PAGE;
  const last = before + rows.length;
  const pageAt = (page: number) => revenueLink(asked, { page, open: null, explain: null });
  return (
    <p class="pad row">
      <span class="soft">{words.revenue.rows(before + 1, last, row_count)}</span>
      {asked.page > 1 && (
        <a class="button small" href={pageAt(asked.page - 1)} rel="prev">
          {words.revenue.earlier_rows}
        </a>
      )}
      {last < row_count && (
        <a class="button small" href={pageAt(asked.page + 1)} rel="next">
          {words.revenue.later_rows}
        </a>
      )}
    </p>
  );
}
