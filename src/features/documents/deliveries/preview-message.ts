/** Previews the e-mail that would carry a document: the message itself, without its PDF. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { MailTexts } from "../../../domain/sales/mail-text.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { messageOf } from "./mail-message.ts";

interface PreviewedMessage extends Pick<MailMessage, "from" | "subject" | "text"> {
  readonly from_name: string | null;
  readonly reply_to: string | null;
  /** The file names of the attachments. */
  readonly attachments: readonly string[];
}

/** Returns the e-mail of a document, in the texts of its account. `number` is null when only the ledger will know it. */
export function previewMessage(
  cx: Reader,
  document: DocumentSnapshot,
  number: bigint | null,
  texts: MailTexts,
): PreviewedMessage {
  const at = cx.clock.now();
  const envelope = { delivery_id: "", from: cx.mail.from, to: "", at, link: null };
  const message = messageOf(document, number, Buffer.alloc(0), envelope, texts);
  const { from, from_name, reply_to = null, subject, text, attachments } = message;
  const named = attachments.map(({ filename }) => filename);
  return { from, from_name, reply_to, subject, text, attachments: named };
}
