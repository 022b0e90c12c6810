/** The page of an invoice: the editor of a draft, or the issued document with its deliveries and credit notes. */
import type { Invoice } from "../../domain/sales/invoice.ts";
import { openLinkUntil } from "../../features/documents/document-links/revoke-links.ts";
import { viewOf } from "../../features/documents/printing/view.ts";
import { readIssuedRecord } from "../../features/overview/inspection/read-issued-record.ts";
import {
  type AppliedDocument,
  readApplied,
} from "../../features/receivables/payment-states/read-applied.ts";
import { findInvoiceReminders } from "../../features/reminders/sent-reminders/find-invoice-reminders.ts";
import { readCreditNotes } from "../../features/sales/credit-notes/list.ts";
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import { pdfOfInvoice } from "../../features/sales/invoices/documents.ts";
import { getInvoice, type LoadedInvoice } from "../../features/sales/invoices/queries.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { lookAtDraft } from "../draft/draft-facts.ts";
import { draftPage } from "../draft/draft-page.tsx";
import { defineFile } from "../frame/define-file.ts";
import { Form } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, isSeen, ofSeen } from "../frame/seen.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { FactList, Facts } from "../parts/facts.tsx";
import { Paper } from "../parts/paper.tsx";
import { periodName } from "../parts/period.ts";
import { Amount, Day, Pill } from "../parts/values.tsx";
import { explanationAt } from "../revenue/explain-line.tsx";
import { attemptsOf, Deliveries } from "./deliveries.tsx";
import { island as invoiceMonths } from "./invoice-months.tsx";
import { Booking, changesOfInvoice, FrozenWork, InvoiceChanges } from "./issued-record.tsx";
import { Milestones, openMilestones } from "./issued-revenue.tsx";
import { mayBeReminded, PaymentCard, RecordPayment, reportedPayment } from "./payment-card.tsx";
import { ReminderLine } from "./reminder-line.tsx";

const INVOICES = "/invoices";
const MOST_NOTES = 50;

export const invoicePage: readonly WebPage[] = [
  definePage(`GET ${INVOICES}/:id`, "person", ofSeen("invoice", show)),
  defineFile(`${INVOICES}/:id/pdf`, "invoices.get_pdf", pdfOfInvoice, (file) =>
    ofSeen("invoice", file),
  ),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const ahead = await lookAtDraft(request.cx, request.id);
  if (ahead?.is_long) await request.takeHeavyPlace();
  const loaded = await getInvoice(request.cx, request.id);
  if (loaded.invoice.status === "issued") return issued(request, loaded);
  return draftPage(request, loaded, ahead?.version);
}

async function issued(request: PageRequest, { invoice }: LoadedInvoice): Promise<PageAnswer> {
  const { cx, reader, id } = request;
  const words = reader.words.invoice;
  const own = isAdmin(cx) ? null : cx.caller.person.user_id;
  const [record, changes, attempts, notes, milestones, link_until, applied] = await Promise.all([
    readIssuedRecord(cx, id, own),
    changesOfInvoice(request, invoice),
    attemptsOf(cx, id),
    readCreditNotes({ invoice: id, limit: MOST_NOTES, include: ["totals"] }).answer(cx),
    openMilestones(cx, invoice),
    openLinkUntil(cx, id),
    readApplied(cx, id),
  ]);
  const { snapshot, number } = record;
  const reported = await reportedPayment(request, record);
  const may_remind = isAdmin(cx) && mayBeReminded(applied, reported);
  const reminders = may_remind ? await findInvoiceReminders(cx, id) : null;
  const { data: credits } = pageFrom<CreditNoteRow>(notes);
  const facts = await factsOfIssued(request, invoice, snapshot.customer, record);
  const texts = Object.fromEntries(snapshot.lines.map(({ line_id, text }) => [line_id, text]));
  const named = new Map(Object.entries(texts));
  const content = (
    <div class="document">
      <Paper view={viewOf(snapshot, { number })} label={words.document} />
      <div class="stack">
        <Facts title={words.facts} id="facts">
          <FactList facts={facts} />
        </Facts>
        <PaymentCard request={request} item={applied} reported={reported} document={snapshot} />
        <ReminderLine request={request} reminders={reminders} />
        <Milestones
          request={request}
          milestones={milestones}
          texts={named}
          currency={snapshot.currency}
        />
        <Island
          of={invoiceMonths}
          with={{ id, currency: snapshot.currency, texts, is_own: !isAdmin(cx) }}
        />
        {await explanationAt(request, `${INVOICES}/${id}`)}
        <Deliveries
          request={request}
          document={`${INVOICES}/${id}`}
          attempts={attempts}
          is_issued
          link_until={link_until}
          email={snapshot.customer.email}
        />
        <Facts title={words.credit_notes} id="credits">
          <Credits
            notes={credits}
            functional={snapshot.functional_currency}
            none={words.no_credits}
            waits={words.waits}
          />
        </Facts>
        <FrozenWork request={request} record={record} texts={named} />
        <InvoiceChanges request={request} changes={changes} />
      </div>
    </div>
  );
  return {
    title: words.numbered_for(String(number), snapshot.customer.name),
    lead: <Booking request={request} record={record} issued_at={invoice.issued_at} />,
    content,
    actions: <Actions request={request} applied={applied} />,
  };
}

function Actions({ request, applied }: { request: PageRequest; applied: AppliedDocument | null }) {
  const { id, csrf, reader } = request;
  const copy = `${INVOICES}/${id}/duplicate`;
  return (
    <>
      <RecordPayment request={request} item={applied} />
      <Form action={copy} csrf={csrf(copy)}>
        <button type="submit" class="button">
          {reader.words.invoice.duplicate}
        </button>
      </Form>
      <ConfirmLink href={`${INVOICES}/${id}/credit`}>{reader.words.credit.action}</ConfirmLink>
    </>
  );
}

type Billed = Pick<Awaited<ReturnType<typeof readIssuedRecord>>, "series_id" | "period">;

async function factsOfIssued(
  request: PageRequest,
  { id, title, issue_date }: Invoice,
  customer: { readonly id: string; readonly name: string },
  billed: Billed,
) {
  const { reader } = request;
  const words = reader.words.invoice;
  return [
    { name: words.status, value: <Pill kind="ok">{words.issued}</Pill> },
    { name: words.customer, value: customer.name, href: `/customers/${customer.id}` },
    ...(title === null ? [] : [{ name: reader.words.invoices.title, value: title }]),
    { name: words.date, value: <Day day={issue_date} /> },
    ...(await billedBy(request, billed)),
    { name: words.pdf, value: words.open_pdf, href: `${INVOICES}/${id}/pdf` },
  ];
}

/** Returns the period of the retainer that the invoice bills, as a fact; none for a one-time invoice or a hidden retainer. */
async function billedBy({ cx, reader }: PageRequest, { series_id, period }: Billed) {
  if (series_id === null || period === null) return [];
  if (!(await isSeen(cx, "recurring_series", series_id))) return [];
  const { words, language } = reader;
  const href = `/retainers/${series_id}/${period}`;
  return [
    { name: words.palette.kinds.recurring_series, value: periodName(language, period), href },
  ];
}

function Credits(props: {
  notes: readonly CreditNoteRow[];
  functional: string;
  none: string;
  waits: string;
}) {
  if (props.notes.length === 0) return <p class="quiet">{props.none}</p>;
  return (
    <ul class="attempts">
      {props.notes.map(({ id, ledger_credit_note_number: number, credit_date, totals }) => (
        <li>
          <a class="link" href={`/credit-notes/${id}`}>
            {number ?? props.waits}
          </a>
          <Day day={credit_date} />
          <Amount
            value={totals?.gross}
            currency={totals?.currency ?? props.functional}
            functional={props.functional}
          />
        </li>
      ))}
    </ul>
  );
}
