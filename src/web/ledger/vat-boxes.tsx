/** The island of a VAT return: its boxes with their documents, and the sales to businesses in the EU. */
import { islandOf } from "../browser/island.ts";
import { useAnswer } from "../browser/use-answer.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOfNumber } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";
import type { EuSaleShown, VatBoxShown, VatShown } from "./vat-shown.ts";

interface Props {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** Null until it is computed. */
  readonly report: VatShown | null;
}

function VatBoxes({ from, to, currency, report: first }: Props) {
  const words = useReader().words.ledger;
  const { answer, is_lost } = useAnswer<VatShown>("/app/ledger/vat", { from, to }, first);
  if (answer === null) {
    return (
      <p class="card pad soft" role="status">
        {is_lost ? words.lost : words.adding_up}
      </p>
    );
  }
  return (
    <div class="stack">
      {answer.boxes.map((box) => (
        <Box key={box.box} box={box} currency={currency} />
      ))}
      <EuSales sales={answer.eu_sales} currency={currency} />
    </div>
  );
}

function Box({ box, currency }: { box: VatBoxShown; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.ledger;
  const amount = (value: number) => amountOfNumber(language, value, currency);
  const { documents, count } = box;
  return (
    <section class="card" aria-labelledby={box.box}>
      <header>
        <h2 id={box.box}>{words.boxes[box.box]}</h2>
        <strong class="end num">{amount(box.amount)}</strong>
      </header>
      {count === 0 ? (
        <p class="pad soft">{words.no_documents}</p>
      ) : (
        <details class="pad">
          <summary>{words.documents(count)}</summary>
          <List
            label={words.boxes[box.box]}
            rows={documents}
            empty={null}
            columns={[
              {
                head: words.document,
                fold: "lead",
                cell: ({ kind, number, document_id }) => (
                  <a href={`/${kind === "invoice" ? "invoices" : "credit-notes"}/${document_id}`}>
                    {words.document_of[kind](`${number}`)}
                  </a>
                ),
              },
              { head: words.day, cell: ({ date }) => <Day day={date} /> },
              { head: words.customer, cell: ({ customer }) => customer ?? "–" },
              {
                head: words.amount,
                kind: "number",
                fold: "end",
                cell: (row) => amount(row.amount),
              },
            ]}
          />
          {count > documents.length && (
            <p class="soft">{words.more_documents(count - documents.length)}</p>
          )}
        </details>
      )}
    </section>
  );
}

function EuSales({ sales, currency }: { sales: readonly EuSaleShown[]; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.ledger;
  const amount = (value: number) => (value === 0 ? "–" : amountOfNumber(language, value, currency));
  return (
    <Card title={words.eu_sales} id="eu-sales">
      <List
        label={words.eu_sales}
        rows={sales}
        empty={<p class="soft">{words.no_eu_sales}</p>}
        columns={[
          {
            head: words.vat_number,
            fold: "lead",
            cell: ({ vat_number, fault }) => (
              <>
                {vat_number ?? "–"}{" "}
                {fault !== null && <Pill kind="bad">{words.faults[fault]}</Pill>}
              </>
            ),
          },
          {
            head: words.customer,
            cell: ({ customer_id, customer }) => (
              <a href={`/customers/${customer_id}`}>{customer ?? "–"}</a>
            ),
          },
          { head: words.goods, kind: "number", cell: ({ goods }) => amount(goods) },
          {
            head: words.services,
            kind: "number",
            fold: "end",
            cell: ({ services }) => amount(services),
          },
        ]}
      />
    </Card>
  );
}

export const island = islandOf<Props>({ name: "vat-boxes", View: VatBoxes });
