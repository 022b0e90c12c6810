/** Shows the deliveries of a document, and how it is sent again. */
import type * as z from "zod";
import type { Timestamp } from "../../domain/base/brand.ts";
import { dayIn } from "../../domain/base/calendar.ts";
import { listDeliveries } from "../../features/documents/deliveries/queries.ts";
import { printingLedger } from "../../features/documents/issued/read-pdf.ts";
import type { Delivery } from "../../features/documents/issued/schemas.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Form, Submit } from "../frame/form.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { NO_FAULTS } from "../frame/submitted.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Attempts } from "../parts/delivery.tsx";
import { Entry } from "../parts/entry.tsx";
import { Facts } from "../parts/facts.tsx";
import { Day } from "../parts/values.tsx";

const MOST_ATTEMPTS = 20;

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
  /** Whether it is a letter, which goes by e-mail alone. */
  is_letter?: boolean;
}) {
  const { request, document, attempts, is_issued, link_until, email, is_letter = false } = props;
  const is_sendable = is_issued && isAdmin(request.cx);
  return (
    <Facts title={request.reader.words.invoices.delivery} id="deliveries">
      <Attempts
        deliveries={attempts}
        is_sandbox={request.cx.caller.sandbox}
        is_admin={isAdmin(request.cx)}
      />
      {is_sendable && failedAsEinvoice(attempts) && email !== null && (
        <SendPdf request={request} document={document} address={email} />
      )}
      {link_until !== null && isAdmin(request.cx) && (
        <OpenLink request={request} document={document} until={link_until} />
      )}
      {is_sendable && is_letter && <SendAgain request={request} document={document} />}
      {is_sendable && !is_letter && (
        <p class="links">
          <ConfirmLink class="link" href={`${document}/send`}>
            {request.reader.words.send_again.open}
          </ConfirmLink>
        </p>
      )}
      {is_sendable && !is_letter && printingLedger(request.cx) === null && (
        <p class="links">
          <a class="link" href={`${document}/einvoice`}>
            {request.reader.words.delivery.read_einvoice}
          </a>
        </p>
      )}
    </Facts>
  );
}

/** Whether the newest attempt was an e-invoice that did not leave, or was refused. */
function failedAsEinvoice([newest]: readonly Attempt[]): boolean {
  if (newest?.channel !== "einvoice") return false;
  return newest.state === "failed_permanent" || newest.state === "rejected";
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
