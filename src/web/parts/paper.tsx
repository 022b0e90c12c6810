/** Shows a document as its customer reads it, in its own language, with the PDF's texts so that both agree. */
import type { DocumentView } from "../../features/documents/printing/view.ts";
import type { FactView, PartyView } from "../../features/documents/printing/view-parts.ts";

export function Paper({ view, label }: { view: DocumentView; label: string }) {
  return (
    <article class="paper" lang={view.language} aria-label={label}>
      <div class="two">
        <div>
          {view.draft_mark !== null && <p class="mark">{view.draft_mark}</p>}
          <p class="big">{view.heading}</p>
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

/** Shows the lines. The text of each line has a row above its numbers, so that both fit on a phone. */
function Lines({ table: { columns, lines } }: { table: DocumentView["table"] }) {
  const [text, ...numbers] = columns;
  return (
    <table>
      <thead>
        <tr>
          {columns.length > 0 && <th scope="col">{text?.label}</th>}
          {numbers.map(({ label }) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      {lines.map((line) => (
        <tbody>
          <tr class="text">
            <td colSpan={columns.length}>
              {line.text}
              {line.note !== null && <small>{line.note}</small>}
            </td>
          </tr>
          {line.rows.map((cells) => (
            <tr>
              <td />
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
