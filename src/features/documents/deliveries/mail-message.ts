/** Makes the message that carries a document: sender, recipient, and a text in the document's language, with the PDF. */
import type { ReminderSnapshot } from "../../../domain/receivables/reminder-snapshot.ts";
import type {
  IssuedPaper,
  StatementSnapshot,
} from "../../../domain/receivables/statement-snapshot.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { filledMailText, type MailFacts, type MailTexts } from "../../../domain/sales/mail-text.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { mailHtml } from "../../../platform/mail/mail-html.ts";
import { pdfName } from "../issued/issued-documents.ts";
import { reminderHeading, reminderIntro, reminderName } from "../letters/reminder-view.ts";
import { statementName } from "../letters/statement-view.ts";
import { formatAmount, formatDay, formatPeriod } from "../printing/format.ts";
import { mailTexts, reminderMailTexts, statementMailTexts } from "./mail-texts.ts";

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

/** Returns the message of any frozen paper. */
export function messageOfPaper(
  { snapshot, number }: IssuedPaper,
  pdf: Buffer,
  envelope: Envelope,
  texts: MailTexts,
): MailMessage {
  switch (snapshot.kind) {
    case "statement":
      return statementMessage(snapshot, pdf, envelope);
    case "reminder":
      return reminderMessage(snapshot, number, pdf, envelope);
    default:
      return messageOf(snapshot, number, pdf, envelope, texts);
  }
}

/** Returns the message of a reminder: the text of its letter, and what to pay until when. */
function reminderMessage(
  snapshot: ReminderSnapshot,
  number: bigint | null,
  pdf: Buffer,
  envelope: Envelope,
): MailMessage {
  const { language, seller, account_name, total, currency, due_date } = snapshot;
  const sender = seller?.name ?? account_name;
  const words = reminderMailTexts[language];
  const amount = `${formatAmount(snapshot, total)} ${currency}`;
  const facts = { sender, amount, due_date: formatDay(due_date, language) };
  const subject = words.subject(reminderHeading(snapshot), facts);
  const intro = reminderIntro(snapshot);
  return {
    ...addressed(envelope, sender, seller?.email ?? null),
    subject,
    text: words.body(intro, facts),
    html: mailHtml({
      language,
      title: subject,
      parts: [
        { kind: "amount", text: amount, note: words.note(facts) },
        ...intro.split(/\n+/).map((text) => ({ kind: "text", text }) as const),
        { kind: "text", text: words.attached },
        { kind: "text", text: mailTexts[language].html.regards(facts) },
      ],
    }),
    attachments: [
      {
        filename: reminderName(snapshot, number),
        content_type: "application/pdf",
        content: pdf,
      },
    ],
  };
}

/** Returns the message of a statement of account, whose texts an account cannot replace. */
function statementMessage(
  snapshot: StatementSnapshot,
  pdf: Buffer,
  envelope: Envelope,
): MailMessage {
  const { language, seller, account_name, closing_balance, currency, from, to } = snapshot;
  const sender = seller?.name ?? account_name;
  const words = statementMailTexts[language];
  const amount = `${formatAmount(snapshot, closing_balance)} ${currency}`;
  const facts = { sender, amount, period: formatPeriod(from, to, language) };
  const subject = words.subject(facts);
  return {
    ...addressed(envelope, sender, seller?.email ?? null),
    subject,
    text: words.body(facts),
    html: mailHtml({
      language,
      title: subject,
      parts: [
        { kind: "amount", text: amount, note: words.note(formatDay(to, language)) },
        { kind: "text", text: words.attached },
        { kind: "text", text: mailTexts[language].html.regards(facts) },
      ],
    }),
    attachments: [
      { filename: statementName(snapshot), content_type: "application/pdf", content: pdf },
    ],
  };
}

/** The fields of a message that follow from its envelope and its sender. */
function addressed(envelope: Envelope, sender: string, reply_to: string | null) {
  return {
    message_id: messageIdOf(envelope.delivery_id, envelope.from),
    from: envelope.from,
    from_name: sender,
    to: envelope.to,
    reply_to,
    date: envelope.at,
  };
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
    ...addressed(envelope, sender, snapshot.seller?.email ?? null),
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
