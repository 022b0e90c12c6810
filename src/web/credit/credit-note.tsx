/** The page of a credit note: the document and the facts about it. */
import { openLinkUntil } from "../../features/documents/document-links/revoke-links.ts";
import { viewOf } from "../../features/documents/printing/view.ts";
import { readApplied } from "../../features/receivables/payment-states/read-applied.ts";
import { documentFor, pdfOfCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { getCreditNote } from "../../features/sales/credit-notes/queries.ts";
import { defineFile } from "../frame/define-file.ts";
import { Moment } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { ofSeen, toEntry } from "../frame/seen.ts";
import { attemptsOf, Deliveries } from "../invoices/deliveries.tsx";
import { CreditUse } from "../invoices/payment-card.tsx";
import { FactList, Facts } from "../parts/facts.tsx";
import { Paper } from "../parts/paper.tsx";
import { Day, Pill } from "../parts/values.tsx";

const NOTES = "/credit-notes";

export const creditNotePages: readonly WebPage[] = [
  definePage(`GET ${NOTES}/:id`, "person", ofSeen("credit_note", show)),
  defineFile(`${NOTES}/:id/pdf`, "credit_notes.get_pdf", pdfOfCreditNote, (file) =>
    ofSeen("credit_note", file),
  ),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, id } = request;
  const { invoice: words, invoices, credit, credit_note } = reader.words;
  const [{ note }, { snapshot, number }, attempts, link_until, applied] = await Promise.all([
    getCreditNote(cx, id),
    documentFor(cx, id),
    attemptsOf(cx, id),
    openLinkUntil(cx, id),
    readApplied(cx, id),
  ]);
  const is_issued = note.status === "issued";
  const credited = snapshot.credits?.invoice_number;
  const content = (
    <div class="document">
      <Paper view={viewOf(snapshot, { number })} label={words.document} />
      <div class="stack">
        <Facts title={words.facts} id="facts">
          <FactList
            facts={[
              {
                name: words.status,
                value: <State is_issued={is_issued} words={words} />,
              },
              {
                name: words.customer,
                value: snapshot.customer.name,
                href: `/customers/${note.customer_id}`,
              },
              {
                name: invoices.credits,
                value:
                  credited === undefined ? invoices.its_invoice : words.numbered(String(credited)),
                href: `/invoices/${note.invoice_id}`,
              },
              { name: credit_note.kind, value: credit_note.kinds[note.kind] },
              { name: credit.date, value: <Day day={note.credit_date} /> },
              ...reasonOf(note.reason, credit.reason),
              ...(is_issued
                ? [
                    {
                      name: words.booked,
                      value: <Moment at={note.issued_at} />,
                      ...toEntry(cx, id),
                    },
                  ]
                : []),
              {
                name: words.pdf,
                value: is_issued ? words.open_pdf : words.preview,
                href: `${NOTES}/${id}/pdf`,
              },
            ]}
          />
        </Facts>
        <CreditUse request={request} item={applied} functional={snapshot.functional_currency} />
        <Deliveries
          request={request}
          document={`${NOTES}/${id}`}
          attempts={attempts}
          is_issued={is_issued}
          link_until={link_until}
          email={snapshot.customer.email}
        />
      </div>
    </div>
  );
  const title = number === null ? credit_note.waiting : credit_note.numbered(String(number));
  return { title, content };
}

/** Returns the reason of the credit as a fact, where there is one. */
function reasonOf(reason: string | null, name: string): { name: string; value: string }[] {
  return reason === null ? [] : [{ name, value: reason }];
}

function State(props: { is_issued: boolean; words: { issued: string; waits: string } }) {
  const { is_issued, words } = props;
  return is_issued ? <Pill kind="ok">{words.issued}</Pill> : <Pill>{words.waits}</Pill>;
}
