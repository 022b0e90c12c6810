/** Shows a document as its customer reads it, in its own language, with the PDF's texts so that both agree. */
import type { DocumentView } from "../../features/documents/printing/view.ts";
import type { FactView, PartyView } from "../../features/documents/printing/view-parts.ts";

export function Paper({ view, label }: { view: DocumentView; label: string }) {
  return (
    <article class="paper" lang={view.language} aria-label={label}>
      {view.draft_mark !== null && <Across text={view.draft_mark} />}
      <div class="two">
        <div>
          {view.draft_mark !== null && <p class="big mark">{view.draft_mark}</p>}
          <p class={view.draft_mark === null ? "big" : "kind"}>{view.heading}</p>
          {view.credits !== null && <p>{view.credits}</p>}
          {view.draft_note !== null && <p class="lab">{view.draft_note}</p>}
        </div>
        <Party {...view.seller} />
      </div>
      <div class="two">
        <Party {...view.customer} />
        <Facts facts={view.meta} />
      </div>
      {view.title !== null && <p class="title">{view.title}</p>}
      <Lines table={view.table} />
      <Sums view={view} />
      {view.statutory.map((sentence) => (
        <p class="lab">{sentence}</p>
      ))}
      {view.notes !== null && <p class="notes">{view.notes}</p>}
      {view.payment !== null && (
        <div class="pay">
          <p>{view.payment.heading}</p>
          <Facts facts={view.payment.facts} />
        </div>
      )}
    </article>
  );
}

/** Draws the mark of a draft across the paper. Its text is also at the top, so screen readers skip the drawing. */
function Across({ text }: { text: string }) {
  return (
    <svg class="across" viewBox="0 0 300 400" aria-hidden="true">
      <text x="150" y="215" text-anchor="middle" transform="rotate(-45 150 200)">
        {text}
      </text>
    </svg>
  );
}

function Party({ label, name, lines }: PartyView) {
  return (
    <div>
      {label !== "" && <p class="lab">{label}</p>}
      <p class="strong">{name}</p>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
    </div>
  );
}

function Facts({ facts }: { facts: readonly FactView[] }) {
  return (
    <dl class="meta">
      {facts.map(({ label, value }) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** Shows each line as one row, and further rows where its hours have several rates. Narrow paper has the text above (CSS). */
function Lines({ table }: { table: DocumentView["table"] }) {
  const { columns, lines } = withUnits(table);
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      {lines.map(({ text, note, rows: [first, ...others] }) => (
        <tbody>
          <tr>
            <td class="text" {...(first === undefined ? { colSpan: columns.length } : {})}>
              {text}
              {note !== null && <small>{note}</small>}
            </td>
            {first?.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
          {others.map((cells) => (
            <tr>
              <td class="text" />
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Returns the table with each unit behind its quantity: the PDF has a column of units, which the paper has no room for. */
function withUnits({ columns, lines }: DocumentView["table"]): DocumentView["table"] {
  const isUnit = (at: number) => at > 0 && columns[at]?.numeric === false;
  const joined = (cells: readonly string[]) =>
    cells.flatMap((cell, at) => {
      if (isUnit(at + 1)) return [];
      return [isUnit(at + 2) ? [cell, cells[at + 1]].filter(Boolean).join(" ") : cell];
    });
  return {
    columns: columns.filter((_, at) => !isUnit(at)),
    lines: lines.map((line) => ({ ...line, rows: line.rows.map(joined) })),
  };
}

function Sums({ view }: { view: DocumentView }) {
  const vat = view.vat_table.rows.map((cells) => ({
    label: cells.slice(0, 2).join(" "),
    value: cells.at(-1) ?? "",
  }));
  return (
    <dl class="paper-sums">
      {[view.subtotal, ...vat].map(({ label, value }) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
      <dt class="t">{view.total.label}</dt>
      <dd class="t">{view.total.value}</dd>
      {view.functional.map(({ label, value }) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
