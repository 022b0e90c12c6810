/**
 * Sends an issued document again: by e-mail, or as an e-invoice to another receiver and with other references. A second e-invoice is
 * sent only after a confirmation, which names the sending that it has seen. For admins.
 */
import { notFound, Problem } from "../../domain/base/problem.ts";
import { LONGEST_ADDRESS } from "../../domain/einvoice/address-form.ts";
import { sentencesOf } from "../../domain/einvoice/missing.ts";
import { type BuyerReference, buyerReferences } from "../../domain/sales/printed.ts";
import { recipientOf } from "../../features/documents/deliveries/queue.ts";
import { lastSendings } from "../../features/documents/issued/include.ts";
import { findIssued } from "../../features/documents/issued/issued-documents.ts";
import { SendDocumentBody } from "../../features/documents/issued/schemas.ts";
import { readEinvoiceForm } from "../../features/documents/sending/read-einvoice-form.ts";
import { sendCreditNote } from "../../features/sales/credit-notes/documents.ts";
import { sendInvoice } from "../../features/sales/invoices/documents.ts";
import { run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import type { DeliveryState } from "../../platform/database/tables.ts";
import { Form, Submit } from "../frame/form.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { DeliveryPill } from "../parts/delivery.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { Warnings } from "../parts/facts.tsx";
import { Select } from "../parts/select.tsx";
import { sendAgainWords } from "./send-document-words.ts";

type Sending = Parameters<typeof sendInvoice.plan>[1];

export const sendingInvoice = defineLongWork({
  name: "pages.send_invoice",
  is_read: false,
  work: (cx: Context, sending: Sending) => run(sendInvoice, cx, sending),
});
export const sendingCreditNote = defineLongWork({
  name: "pages.send_credit_note",
  is_read: false,
  work: (cx: Context, sending: Sending) => run(sendCreditNote, cx, sending),
});

type Documents = "/invoices" | "/credit-notes";

export const sendPages: readonly WebPage[] = [
  ...pagesOf("/invoices", sendingInvoice),
  ...pagesOf("/credit-notes", sendingCreditNote),
];

function pagesOf(documents: Documents, sending: typeof sendingInvoice): WebPage[] {
  const path = `${documents}/:id/send` as const;
  return [
    definePage(`GET ${path}`, "admin", (request) => show(request, documents, NOTHING)),
    definePage(`POST ${path}`, "admin", (request) => send(request, documents, sending)),
  ];
}

/** Why the document was not sent. */
interface Refused {
  readonly faults: Faults;
  readonly status: number;
  /** The code and the details of the refusal; null for faults of fields. */
  readonly problem: Problem | null;
}

const NOTHING: Refused = { faults: NO_FAULTS, status: 200, problem: null };
const FIELDS = ["channel", "address", "receiver", ...buyerReferences];

async function send(
  request: PageRequest,
  documents: Documents,
  sending: typeof sendingInvoice,
): Promise<PageAnswer> {
  const { runLong, id: ref, form } = request;
  let problem: Problem | null = null;
  const outcome = await submitted(SendDocumentBody, typedIn(form), FIELDS, {}, async (sent) => {
    try {
      return await runLong(sending, { ref, ...sent, seen: form.seen || undefined });
    } catch (thrown) {
      if (thrown instanceof Problem) problem = thrown;
      throw thrown;
    }
  });
  if ("faults" in outcome) return show(request, documents, { ...outcome, problem });
  return { redirect: `${documents}/${ref}`, notice: { done: "document_sent" } };
}

/** Returns the body of the call that the form stands for: the fields of the other channel are not sent. */
function typedIn(form: PageRequest["form"]) {
  const typed = (field: string) => form[field]?.trim() || undefined;
  const channel = typed("channel");
  if (channel !== "einvoice") return without({ channel, address: typed("address") });
  const references = buyerReferences.map((field) => [field, typed(field) ?? null]);
  const again = form.again === "on" ? true : undefined;
  return without({
    channel,
    receiver: typed("receiver"),
    ...Object.fromEntries(references),
    again,
  });
}

function without(body: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

async function show(
  request: PageRequest,
  documents: Documents,
  { faults, status, problem }: Refused,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf, form } = request;
  const issued = await findIssued(cx, id);
  if (issued === undefined) throw notFound("document", id);
  const customer_id = issued.snapshot.customer.id;
  const einvoice = await readEinvoiceForm(cx, id, customer_id);
  const last = (await lastSendings(cx, [id])).get(id);
  const { channel } = last ?? (await recipientOf(cx, id, customer_id));
  const words = sendAgainWords(reader.language);
  const here = `${documents}/${id}`;
  const action = `${here}/send`;
  const is_shown_again = form.csrf !== undefined;
  const value = (field: string, stored: string | null | undefined) =>
    (is_shown_again ? form[field] : stored) ?? "";
  const seen = problem?.code === "EINVOICE_UNDER_WAY" ? underWayFrom(problem) : null;
  const content = (
    <div class="card confirm">
      {seen === null ? (
        <FormFaults faults={faults} words={reader.words.see_fields} />
      ) : (
        <UnderWay request={request} seen={seen} />
      )}
      {problem?.code === "EINVOICE_INCOMPLETE" && <Lacking request={request} problem={problem} />}
      <Form action={action} csrf={csrf(action)}>
        {einvoice !== null && (
          <Select
            name="channel"
            label={words.channel}
            value={value("channel", channel)}
            options={[
              ["einvoice", words.einvoice],
              ["email", words.email],
            ]}
            faults={faults}
          />
        )}
        {einvoice !== null && (
          <EinvoiceFields
            request={request}
            value={(field) => value(field, einvoice[field])}
            faults={faults}
          />
        )}
        <fieldset class="fields">
          <legend>{words.of_email}</legend>
          <Entry
            name="address"
            label={words.address}
            hint={words.address_hint}
            type="email"
            value={value("address", "")}
            faults={faults}
          />
        </fieldset>
        {seen !== null && <input type="hidden" name="again" value="on" />}
        {seen !== null && <input type="hidden" name="seen" value={seen.delivery_id} />}
        <Submit
          text={seen === null ? words.send : words.send_another}
          back={{ href: here, text: reader.words.issuing.not_yet }}
        />
      </Form>
    </div>
  );
  return { title: words.title, lead: words.lead, content, status };
}

type EinvoiceField = "receiver" | BuyerReference;

function EinvoiceFields(props: {
  request: PageRequest;
  value: (field: EinvoiceField) => string;
  faults: Faults;
}) {
  const { request, value, faults } = props;
  const words = sendAgainWords(request.reader.language);
  const { references } = request.reader.words;
  return (
    <fieldset class="fields">
      <legend>{words.of_einvoice}</legend>
      <Entry
        name="receiver"
        label={words.receiver}
        hint={words.receiver_hint}
        value={value("receiver")}
        most={LONGEST_ADDRESS}
        faults={faults}
      />
      {buyerReferences.map((field) => (
        <Entry name={field} label={references[field]} value={value(field)} faults={faults} />
      ))}
      <p class="tiny quiet">{words.references_hint}</p>
    </fieldset>
  );
}

/** The e-invoice that was handed over before. */
interface Seen {
  readonly delivery_id: string;
  readonly state: DeliveryState;
}

function underWayFrom({ extras }: Problem): Seen {
  return extras.details as unknown as Seen;
}

/** Names the e-invoice that was handed over, before another one is sent. */
function UnderWay({ request, seen }: { request: PageRequest; seen: Seen }) {
  const words = sendAgainWords(request.reader.language);
  return (
    <div class="notice bad" role="alert">
      <p>{words.under_way}</p>
      <p>
        {words.state} <DeliveryPill state={seen.state} />{" "}
        <a class="link" href={`/deliveries/${seen.delivery_id}`}>
          {words.history}
        </a>
      </p>
    </div>
  );
}

/** Lists what the e-invoice lacks with the typed references. */
function Lacking({ request, problem }: { request: PageRequest; problem: Problem }) {
  const { language } = request.reader;
  const { rules } = problem.extras.details as {
    readonly rules: readonly { readonly message: string }[];
  };
  return (
    <Warnings
      title={sendAgainWords(language).missing}
      sentences={rules.map(({ message }) => sentencesOf(message)?.[language] ?? message)}
    />
  );
}
