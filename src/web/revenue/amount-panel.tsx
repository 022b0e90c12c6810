/** The panel beside the matrix: the lines behind an amount, and the explanation of a line. */
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import { amountOf, monthOf } from "../parts/format.ts";
import { island as explanationPanel } from "./explanation-panel.tsx";
import { revenueLink, revenuePath } from "./revenue-address.ts";
import type { CellLine, RevenueShown } from "./revenue-shown.ts";

/** Shows what the address has opened; nothing where it opens nothing. */
export function AmountPanel({ shown }: { shown: RevenueShown }) {
  const { language } = useReader();
  const { asked, cell, explained } = shown;
  if (cell === null && explained === null) return null;
  return (
    <div class="stack">
      {explained !== null && (
        <Island
          of={explanationPanel}
          with={{
            asked: { line_id: explained.line_id, month: explained.month, language },
            shown: explained,
            back: `${revenuePath(asked)}${revenueLink(asked, { explain: null })}`,
          }}
        />
      )}
      {cell !== null && <CellLines shown={shown} cell={cell} />}
    </div>
  );
}

function CellLines(props: { shown: RevenueShown; cell: NonNullable<RevenueShown["cell"]> }) {
  const { shown, cell } = props;
  const { words: all, language } = useReader();
  const words = all.revenue;
  const { asked, currency } = shown;
  const name = cell.name ?? words.no_person;
  const back = revenueLink(asked, { open: null, explain: null });
  // The panel has one id, to which the link of the amount leads.
  const id = shown.explained === null ? "panel" : "lines";
  return (
    <aside class="card explain" id={id} aria-labelledby="cell">
      <header>
        <h2 id="cell">{words.cell_title(name, monthOf(language, cell.month))}</h2>
        <a class="button bare small end" href={back} aria-label={words.close_panel}>
          ✕
        </a>
      </header>
      <ul class="why-lines">
        {cell.lines.map((line) => (
          <Line key={line.line_id} line={line} shown={shown} month={cell.month} />
        ))}
        {cell.more > 0 && <li class="pad quiet">{words.more_lines(cell.more)}</li>}
      </ul>
      <p class="why-sum">
        <span>{words.earned_in(monthOf(language, cell.month))}</span>
        <b class="num">
          {cell.total === null ? words.no_rate : amountOf(language, BigInt(cell.total), currency)}
        </b>
      </p>
    </aside>
  );
}

function Line(props: {
  line: CellLine;
  shown: RevenueShown;
  month: NonNullable<RevenueShown["cell"]>["month"];
}) {
  const { line, shown, month } = props;
  const { words: all, language } = useReader();
  const { asked, currency } = shown;
  const is_open = asked.explain?.id === line.line_id && asked.explain.month === month;
  const href = revenueLink(asked, { explain: { id: line.line_id, month } });
  const beside = [line.beside, line.method === null ? null : all.draft.methods[line.method]];
  const content = (
    <>
      <span>
        {line.text ?? all.revenue.removed}
        <small>{beside.filter((part) => part !== null).join(" · ")}</small>
      </span>
      <b class="num">
        {line.earned === null
          ? all.revenue.no_rate
          : amountOf(language, BigInt(line.earned), currency)}
      </b>
    </>
  );
  if (!line.opens) return <li>{content}</li>;
  return (
    <li>
      <a href={`${href}#panel`} {...(is_open && { "aria-current": "true" })}>
        {content}
      </a>
    </li>
  );
}
