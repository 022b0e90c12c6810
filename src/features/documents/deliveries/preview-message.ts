/** The e-mail that would carry a document, before there is one: the message itself, without its PDF. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { MailMessage } from "../../../platform/mail/mail.ts";
import { messageOf } from "./mail-message.ts";

interface PreviewedMessage extends Pick<MailMessage, "from" | "subject" | "text"> {
  readonly from_name: string | null;
  readonly reply_to: string | null;
  /** The names of what hangs on it. */
  readonly attachments: readonly string[];
}

/** What would be sent of a document. `number` is null where only the ledger knows what it will be. */
export function previewMessage(
  cx: Reader,
  document: DocumentSnapshot,
  number: bigint | null,
): PreviewedMessage {
  const envelope = { delivery_id: "", from: cx.mail.from, to: "", at: cx.clock.now() };
  const message = messageOf(document, number, Buffer.alloc(0), envelope);
  const { from, from_name, reply_to = null, subject, text, attachments } = message;
  const named = attachments.map(({ filename }) => filename);
  return { from, from_name, reply_to, subject, text, attachments: named };
}
