/**
 * Mail: a message, its rendered bytes, and a transport that reports how far they were sent. A message is rendered
 * once and its bytes are stored, because rendering draws random MIME boundaries and would make another message.
 */
import MailComposer from "nodemailer/lib/mail-composer";
import { isMailAddress } from "../../domain/base/mail-address.ts";
import { visibleLine } from "../../domain/base/text.ts";

export { isMailAddress };

interface MailAttachment {
  readonly filename: string;
  /** A bare media type such as `application/pdf`. */
  readonly content_type: string;
  readonly content: Uint8Array;
}

export interface MailMessage {
  /** `local@domain` without angle brackets; the header becomes `<message_id>`. */
  readonly message_id: string;
  readonly from: string;
  /** Reduced to one visible line for the header, as the subject is. */
  readonly from_name: string | null;
  readonly to: string;
  readonly reply_to?: string | null;
  readonly subject: string;
  /** Plain text; lines end with a line feed. */
  readonly text: string;
  /** The same as HTML, in ASCII (`mail-html.ts`); absent for a message of plain text. */
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
  /** The RFC 3339 timestamp for the `Date` header. */
  readonly date: string;
}

/** The bytes to send, with their envelope. The domains of the addresses are ASCII. */
export interface RenderedMail {
  readonly message_id: string;
  readonly from: string;
  readonly to: string;
  /** The whole message with CRLF line ends. */
  readonly raw: Buffer;
}

export type MailErrorCode =
  | "address_invalid"
  | "recipient_refused"
  | "sender_refused"
  | "message_refused"
  | "message_too_large"
  | "authentication_failed"
  | "secure_connection_failed"
  | "host_not_found"
  | "connection_failed"
  | "connection_lost"
  | "no_answer_in_time"
  | "server_refused"
  | "outcome_unknown"
  | "outbox_full"
  | "outbox_not_writable";

export interface MailFailure {
  /** `unknown` means that the server may have the message; such a message is never resent automatically. */
  readonly state: "failed_temporary" | "failed_permanent" | "unknown";
  readonly error_code: MailErrorCode;
  /** Our own sentence; of the server's response it has at most the numeric code. */
  readonly error_text: string;
  /** The original error, for the log only. */
  readonly cause?: unknown;
}

export type MailOutcome = { readonly state: "written_to_outbox" | "accepted" } | MailFailure;

export interface MailTransport {
  readonly kind: "outbox" | "smtp";
  /** Sends the bytes. Never rejects: every result is an outcome. */
  send(rendered: RenderedMail): Promise<MailOutcome>;
  /** Resolves when every send that has begun has its outcome. */
  close(): Promise<void>;
}

/** A message that cannot be put into headers safely: one field is malformed. */
export class MailFieldError extends Error {
  readonly field: "message_id" | "from" | "to" | "reply_to" | "date" | "content_type";

  constructor(field: MailFieldError["field"], message: string) {
    super(message);
    this.name = "MailFieldError";
    this.field = field;
  }
}

/**
 * Builds the MIME bytes and the envelope of a message.
 *
 * @throws MailFieldError when an address is not exactly one address (`isMailAddress`), or when the message
 *   id, the date or a content type is malformed. Callers check a customer's address before.
 */
export async function renderMail(message: MailMessage): Promise<RenderedMail> {
  requireSafeFields(message);
  const composed = new MailComposer({
    messageId: `<${message.message_id}>`,
    date: new Date(message.date),
    from: { name: visibleLine(message.from_name ?? ""), address: message.from },
    to: { name: "", address: message.to },
    ...(message.reply_to ? { replyTo: { name: "", address: message.reply_to } } : {}),
    subject: visibleLine(message.subject),
    text: message.text,
    ...(message.html === undefined ? {} : { html: { raw: htmlNode(message.html) } }),
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.filename,
      contentType: attachment.content_type,
      content: Buffer.from(attachment.content),
      // Other encodings change the line ends of textual attachments.
      contentTransferEncoding: "base64",
      contentDisposition: "attachment",
    })),
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();

  const envelope = composed.getEnvelope();
  const [to] = envelope.to;
  if (to === undefined || envelope.to.length !== 1) {
    throw new MailFieldError("to", "The recipient is not one email address.");
  }
  if (!envelope.from) throw new MailFieldError("from", "The sender is not one email address.");
  return { message_id: message.message_id, from: envelope.from, to, raw: await composed.build() };
}

/** Returns the node of the HTML part. Its text is not encoded, so that the address in it stands in one piece in the bytes. */
function htmlNode(html: string): string {
  if (!/^[\n\x20-\x7e]*$/.test(html)) throw new Error("the HTML of a mail is not ASCII");
  const head = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n";
  return head + html.replaceAll("\n", "\r\n");
}

const MESSAGE_ID = /^[A-Za-z0-9][A-Za-z0-9._+=-]{0,150}@[A-Za-z0-9.-]{1,100}$/;
const MEDIA_TYPE = /^[A-Za-z0-9][A-Za-z0-9.+-]*\/[A-Za-z0-9][A-Za-z0-9.+-]*$/;

/** Whether the text can be a message id: `local@domain` of plain characters, which is also a safe file name. */
export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

function requireSafeFields(message: MailMessage): void {
  if (!isMessageId(message.message_id)) {
    throw new MailFieldError("message_id", "The message id is not of the form local@domain.");
  }
  for (const field of ["from", "to", "reply_to"] as const) {
    const address = message[field];
    if (field === "reply_to" && !address) continue;
    if (!address || !isMailAddress(address)) {
      throw new MailFieldError(field, `The mail field ${field} is not one email address.`);
    }
  }
  if (Number.isNaN(Date.parse(message.date))) {
    throw new MailFieldError("date", "The mail's date is not a timestamp.");
  }
  if (!message.attachments.every((attachment) => MEDIA_TYPE.test(attachment.content_type))) {
    throw new MailFieldError("content_type", "The content type of an attachment is malformed.");
  }
}
