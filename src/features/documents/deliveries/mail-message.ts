/** Makes the message that carries a document: sender, recipient, and a text in the document's language, with the PDF. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { pdfName } from "../issued/issued-documents.ts";
import { formatAmount, formatDay } from "../printing/format.ts";
import { mailTexts } from "./mail-texts.ts";

/** Is printed in place of a number that is not known yet. */
const UNKNOWN = "…";

/** Returns a message ready to be rendered. Only a preview has no number. `at` is the time of its Date header. */
export function messageOf(
  snapshot: DocumentSnapshot,
  number: bigint | null,
  pdf: Buffer,
  envelope: {
    readonly delivery_id: string;
    readonly from: string;
    readonly to: string;
    readonly at: string;
  },
): MailMessage {
  const words = mailTexts[snapshot.language];
  const sender = snapshot.seller?.name ?? snapshot.account_name;
  const facts = {
    number: String(number ?? UNKNOWN),
    sender,
    gross: `${formatAmount(snapshot, snapshot.totals.gross)} ${snapshot.currency}`,
    due_date: formatDay(snapshot.payment.due_date, snapshot.language),
  };
  const domain = envelope.from.split("@").at(-1) ?? "localhost.localdomain";
  return {
    message_id: `${envelope.delivery_id}@${domain}`,
    from: envelope.from,
    from_name: sender,
    to: envelope.to,
    reply_to: snapshot.seller?.email ?? null,
    subject: words.subject[snapshot.kind](facts),
    text: words.body[snapshot.kind](facts),
    attachments: [
      { filename: pdfName(snapshot, number), content_type: "application/pdf", content: pdf },
    ],
    date: envelope.at,
  };
}
