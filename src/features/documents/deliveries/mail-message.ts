/** Makes the message that carries a document: sender, recipient, and a text in the document's language, with the PDF. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { mailHtml } from "../../../platform/mail/mail-html.ts";
import { pdfName } from "../issued/issued-documents.ts";
import { formatAmount, formatDay } from "../printing/format.ts";
import { type MailFacts, mailTexts } from "./mail-texts.ts";

/** Is printed in place of a number that is not known yet. */
const UNKNOWN = "…";

interface Envelope {
  readonly delivery_id: string;
  readonly from: string;
  readonly to: string;
  /** The time of the Date header. */
  readonly at: string;
  /** The address of the document for its customer; null for a mail without a button. */
  readonly link: string | null;
}

/** Returns a message ready to be rendered. Only a preview has no number. */
export function messageOf(
  snapshot: DocumentSnapshot,
  number: bigint | null,
  pdf: Buffer,
  envelope: Envelope,
): MailMessage {
  const words = mailTexts[snapshot.language];
  const sender = snapshot.seller?.name ?? snapshot.account_name;
  const facts = {
    number: String(number ?? UNKNOWN),
    sender,
    gross: `${formatAmount(snapshot, snapshot.totals.gross)} ${snapshot.currency}`,
    due_date: formatDay(snapshot.payment.due_date, snapshot.language),
  };
  return {
    message_id: messageIdOf(envelope.delivery_id, envelope.from),
    from: envelope.from,
    from_name: sender,
    to: envelope.to,
    reply_to: snapshot.seller?.email ?? null,
    subject: words.subject[snapshot.kind](facts),
    text: words.body[snapshot.kind](facts),
    html: htmlOf(snapshot, facts, envelope.link),
    attachments: [
      { filename: pdfName(snapshot, number), content_type: "application/pdf", content: pdf },
    ],
    date: envelope.at,
  };
}

/** Returns the message id of a delivery, which names its file in the outbox. `from` is the sender's address. */
export function messageIdOf(delivery_id: string, from: string): string {
  return `${delivery_id}@${from.split("@").at(-1) ?? "localhost.localdomain"}`;
}

function htmlOf(
  { kind, language }: DocumentSnapshot,
  facts: MailFacts,
  link: string | null,
): string {
  const { subject, html: words } = mailTexts[language];
  const button = { kind: "button", label: words.button[kind], href: link ?? "" } as const;
  return mailHtml({
    language,
    title: subject[kind](facts),
    parts: [
      { kind: "amount", text: facts.gross, note: words.note[kind](facts) },
      ...(link === null ? [] : [button]),
      { kind: "text", text: words.attached[kind] },
      { kind: "text", text: words.regards(facts) },
    ],
  });
}
