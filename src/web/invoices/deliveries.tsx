/** Shows the deliveries of a document, and the form that sends it again to its customer's address or to another one. */
import type * as z from "zod";
import type { Timestamp } from "../../domain/base/brand.ts";
import { dayIn } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { listDeliveries } from "../../features/documents/deliveries/queries.ts";
import { printingLedger } from "../../features/documents/issued/read-pdf.ts";
import { type Delivery, SendBody } from "../../features/documents/issued/schemas.ts";
import { sendCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { sendInvoice } from "../../features/sales/invoices/documents.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { Form, Submit } from "../frame/form.tsx";
import { defineLongWork, type LongWork } from "../frame/long-work.ts";
import { definePage, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Attempts } from "../parts/delivery.tsx";
import { Entry } from "../parts/entry.tsx";
import { Facts } from "../parts/facts.tsx";
import { Day } from "../parts/values.tsx";

const MOST_ATTEMPTS = 20;

export const sendingInvoice = defineLongWork({
  name: "pages.send_invoice",
  is_read: false,
  work: (cx, sending: Sending) => run(sendInvoice, cx, sending),
});
export const sendingCreditNote = defineLongWork({
  name: "pages.send_credit_note",
  is_read: false,
  work: (cx, sending: Sending) => run(sendCreditNote, cx, sending),
});

export const sendPages: readonly WebPage[] = [
  sendPage("/invoices", sendingInvoice),
  sendPage("/credit-notes", sendingCreditNote),
];

interface Sending {
  readonly ref: string;
  readonly address?: string | undefined;
}

function sendPage(
  documents: "/invoices" | "/credit-notes",
  sending: LongWork<Sending, JsonText>,
): WebPage {
  return definePage(`POST ${documents}/:id/send`, "admin", async ({ runLong, id: ref, form }) => {
    const typed = form.address?.trim() || undefined;
    const sent = SendBody.safeParse(typed === undefined ? {} : { address: typed });
    if (!sent.success) {
      throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(sent.error) });
    }
    await runLong(sending, { ref, address: sent.data.address });
    return { redirect: `${documents}/${ref}`, notice: { done: "document_sent" } };
  });
}

type Attempt = z.output<typeof Delivery>;

/** Returns the newest attempts to send a document. */
export async function attemptsOf(cx: PersonContext, id: string): Promise<readonly Attempt[]> {
  return pageFrom<Attempt>(await listDeliveries(cx, id, { limit: MOST_ATTEMPTS })).data;
}

/**
 * Shows the attempts to send the document at the path `document`. Below them an admin sends an issued document again, and revokes
 * its links, the last of which ends at `link_until`; null where none is open.
 */
export function Deliveries(props: {
  request: PageRequest;
  document: string;
  attempts: readonly Attempt[];
  is_issued: boolean;
  link_until: Timestamp | null;
  /** The customer's address; null where there is none. */
  email: string | null;
}) {
  const { request, document, attempts, is_issued, link_until, email } = props;
  return (
    <Facts title={request.reader.words.invoices.delivery} id="deliveries">
      <Attempts
        deliveries={attempts}
        is_sandbox={request.cx.caller.sandbox}
        is_admin={isAdmin(request.cx)}
      />
      {is_issued && isAdmin(request.cx) && failedAsEinvoice(attempts) && email !== null && (
        <SendPdf request={request} document={document} address={email} />
      )}
      {link_until !== null && isAdmin(request.cx) && (
        <OpenLink request={request} document={document} until={link_until} />
      )}
      {is_issued && isAdmin(request.cx) && <SendAgain request={request} document={document} />}
      {is_issued && isAdmin(request.cx) && printingLedger(request.cx) === null && (
        <p class="links">
          <a class="link" href={`${document}/einvoice`}>
            {request.reader.words.delivery.read_einvoice}
          </a>
        </p>
      )}
    </Facts>
  );
}

/** Whether the newest attempt was an e-invoice that did not leave. */
function failedAsEinvoice([newest]: readonly Attempt[]): boolean {
  return newest?.channel === "einvoice" && newest.state === "failed_permanent";
}

/** Shows the button that sends the document as PDF to the customer's address instead of as an e-invoice. */
function SendPdf(props: { request: PageRequest; document: string; address: string }) {
  const { request, document, address } = props;
  const action = `${document}/send`;
  return (
    <Form action={action} csrf={request.csrf(action)}>
      <input type="hidden" name="address" value={address} />
      <Submit text={request.reader.words.delivery.send_pdf(address)} is_secondary />
    </Form>
  );
}

function OpenLink(props: { request: PageRequest; document: string; until: Timestamp }) {
  const { words, time_zone } = props.request.reader;
  return (
    <p class="links">
      {words.document_links.open_until} <Day day={dayIn(time_zone ?? "UTC", props.until)} />{" "}
      <ConfirmLink class="link" href={`${props.document}/revoke-links`}>
        {words.document_links.revoke}
      </ConfirmLink>
    </p>
  );
}

/** Shows the form that sends the document again, closed at first. */
function SendAgain({ request, document }: { request: PageRequest; document: string }) {
  const { words } = request.reader;
  const action = `${document}/send`;
  return (
    <details>
      <summary>{words.send_again.open}</summary>
      <Form action={action} csrf={request.csrf(action)}>
        <Entry
          name="address"
          label={words.send_again.address}
          hint={words.send_again.hint}
          type="email"
          value=""
          faults={NO_FAULTS}
        />
        <Submit text={words.send_again.send} is_secondary />
      </Form>
    </details>
  );
}
