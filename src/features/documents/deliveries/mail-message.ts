/** Makes the message that carries a document: sender, recipient, and a text in the document's language, with the PDF. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { filledMailText, type MailFacts, type MailTexts } from "../../../domain/sales/mail-text.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { mailHtml } from "../../../platform/mail/mail-html.ts";
import { pdfName } from "../issued/issued-documents.ts";
import { formatAmount, formatDay } from "../printing/format.ts";
import { mailTexts } from "./mail-texts.ts";

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

/** Returns a message ready to be rendered, in the account's own texts where it has set them. Only a preview has no number. */
export function messageOf(
  snapshot: DocumentSnapshot,
  number: bigint | null,
  pdf: Buffer,
  envelope: Envelope,
  texts: MailTexts,
): MailMessage {
  const { kind, language } = snapshot;
  const usual = mailTexts[language];
  const own = texts[language][kind];
  const sender = snapshot.seller?.name ?? snapshot.account_name;
  const facts = {
    number: String(number ?? UNKNOWN),
    customer: snapshot.customer.name,
    sender,
    amount: `${formatAmount(snapshot, snapshot.totals.gross)} ${snapshot.currency}`,
    due_date: formatDay(snapshot.payment.due_date, language),
  };
  const subject = filledMailText(kind, own.subject ?? usual.subject[kind], facts);
  const body = filledMailText(kind, own.body ?? usual.body[kind], facts);
  return {
    message_id: messageIdOf(envelope.delivery_id, envelope.from),
    from: envelope.from,
    from_name: sender,
    to: envelope.to,
    reply_to: snapshot.seller?.email ?? null,
    subject,
    text: body.endsWith("\n") ? body : `${body}\n`,
    html: htmlOf(snapshot, facts, {
      title: subject,
      link: envelope.link,
      body: own.body === null ? null : body,
    }),
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

/** Returns the HTML part: amount, button, and the account's own text or the usual sentences, which do not repeat the amount. */
function htmlOf(
  { kind, language }: DocumentSnapshot,
  facts: MailFacts,
  { title, link, body }: { title: string; link: string | null; body: string | null },
): string {
  const { html: words } = mailTexts[language];
  const button = { kind: "button", label: words.button[kind], href: link ?? "" } as const;
  const paragraphs =
    body === null
      ? [words.attached[kind], words.regards(facts)]
      : body.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== "");
  return mailHtml({
    language,
    title,
    parts: [
      { kind: "amount", text: facts.amount, note: words.note[kind](facts) },
      ...(link === null ? [] : [button]),
      ...paragraphs.map((text) => ({ kind: "text", text: text.trim() }) as const),
    ],
  });
}
