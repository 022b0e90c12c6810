/**
 * The mails with documents that were written to the outbox folder of the server in place of being sent. Mails to people, such as
 * invitations, are never listed: a link in them signs its reader in.
 */
import type { PaperSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { messageIdOf, messageOfPaper } from "../deliveries/mail-message.ts";
import { findPaperBy } from "../issued/issued-documents.ts";

export interface OutboxMail {
  /** The id of the attempt. */
  readonly id: string;
  readonly document_id: string;
  readonly kind: PaperSnapshot["kind"];
  /** Null for a letter. */
  readonly number: bigint | null;
  /** The recipient; null where the address is not known any more. */
  readonly address: string | null;
  readonly at: string;
}

const MAILS_A_PAGE = 50;

const MAILS = `select d.id, d.document_id, i.kind, i.number, d.address, d.at
   from deliveries d join issued_documents i on i.account_id = d.account_id and i.document_id = d.document_id`;

/** Returns a page of the account's mails in the outbox, the newest first. `next` is the id before which the next page begins. */
export async function listOutbox(
  cx: Reader,
  before: string | null,
): Promise<{ readonly mails: readonly OutboxMail[]; readonly next: string | null }> {
  const rows = await cx.rows<OutboxMail>(sql`${raw(MAILS)}
     where d.account_id = ${cx.caller.account_id} and d.state = 'written_to_outbox'
       and (${before}::uuid is null or d.id < ${before})
     order by d.id desc limit ${raw(MAILS_A_PAGE + 1)}`);
  const mails = rows.slice(0, MAILS_A_PAGE);
  return { mails, next: rows.length > MAILS_A_PAGE ? (mails.at(-1)?.id ?? null) : null };
}

interface ReadMail extends OutboxMail {
  /** The language of the document and of the mail. */
  readonly language: "da" | "en";
  readonly from: string;
  readonly from_name: string | null;
  readonly subject: string;
  readonly text: string;
  /** The file names of the attachments. */
  readonly attachments: readonly string[];
  /** The name of the file in the folder. */
  readonly file: string;
}

/**
 * Returns a mail of the account in the outbox as its recipient would read it, in the account's texts of now; undefined without
 * one under the id.
 */
export async function findOutboxMail(cx: Reader, id: string): Promise<ReadMail | undefined> {
  const mail = await cx.row<OutboxMail>(sql`${raw(MAILS)}
     where d.account_id = ${cx.caller.account_id} and d.state = 'written_to_outbox' and d.id = ${id}`);
  const issued = mail && (await findPaperBy(cx, sql`d.document_id = ${mail.document_id}`));
  if (mail === undefined || issued === undefined) return undefined;
  const { from } = cx.mail;
  const envelope = { delivery_id: id, from, to: mail.address ?? "", at: mail.at, link: null };
  const { mail_texts } = await getConfiguration(cx);
  const message = messageOfPaper(issued, Buffer.alloc(0), envelope, mail_texts);
  return {
    ...mail,
    language: issued.snapshot.language,
    from,
    from_name: message.from_name,
    subject: message.subject,
    text: message.text,
    attachments: message.attachments.map(({ filename }) => filename),
    file: `${messageIdOf(id, from)}.eml`,
  };
}
