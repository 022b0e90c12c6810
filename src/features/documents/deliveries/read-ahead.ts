/** Reads in one statement everything that an attempt to send a document needs, and makes the message from it. */
import type { IssuedPaper } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import { type CountedSubject, countersOf } from "../../../platform/mail/limit.ts";
import { type RenderedMail, renderMail } from "../../../platform/mail/mail.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { linkIn, offersLinks } from "../document-links/mint-link.ts";
import { type BookedBy, findBookedBy } from "../issued/find-booked-by.ts";
import { findPaperBy, findPdfBy } from "../issued/issued-documents.ts";
import { renderPaper } from "../issued/render-document.ts";
import { messageOfPaper } from "./mail-message.ts";

export interface DeliveryRow {
  readonly id: string;
  readonly document_id: string;
  readonly channel: "email" | "einvoice";
  readonly address: string | null;
  readonly state: DeliveryState;
  readonly send_error: string | null;
  readonly at: string;
  /** The syntax of an e-invoice, and the hash of its file, hexadecimal. */
  readonly format: string | null;
  readonly file_sha256: string | null;
  readonly delivered_at: string | null;
  /** The newest answer of the buyer, JSON. */
  readonly response: string | null;
}

export const SHOWN =
  "id, document_id, channel, address, state, send_error, at, format, file_sha256, delivered_at, response";

/** A delivery with the fields that only an attempt needs. */
export interface AheadRow extends DeliveryRow {
  /** The message of an earlier attempt, whose bytes are sent again. */
  readonly message: Buffer | null;
  /** The number of attempts that were counted. */
  readonly attempt: number;
  /** Whether the limit of mail has counted the delivery. */
  readonly is_counted: boolean;
  /** The references of the buyer that an e-invoice corrects, JSON. */
  readonly corrections: string | null;
  /** Whether the original of this restored copy may have handed it over. */
  readonly is_copied: boolean;
}

export const AHEAD = `${SHOWN}, message, attempt, is_counted, corrections, is_copied`;

/** What an attempt needs, as of one moment. */
export interface DeliveryAhead {
  readonly delivery: AheadRow | undefined;
  readonly issued: IssuedPaper | undefined;
  /** The ledger that booked the document. */
  readonly booked_by: BookedBy | undefined;
  /** The stored PDF, for a first attempt; undefined until it is rendered. */
  readonly pdf: Buffer | undefined;
  readonly configuration: Configuration;
  readonly counters: readonly CountedSubject[];
}

/** Reads what an attempt needs. `reads` may send all of it as one statement. */
export async function readAhead(reads: Reader, id: string): Promise<DeliveryAhead> {
  const { account_id } = reads.caller;
  const of_delivery = sql`(select d.document_id from deliveries d where d.account_id = ${account_id} and d.id = ${id})`;
  const of_first = sql`(select d.document_id from deliveries d
    where d.account_id = ${account_id} and d.id = ${id} and d.message is null)`;
  const [delivery, issued, booked_by, pdf, configuration, counters] = await Promise.all([
    reads.row<AheadRow>(
      sql`select ${raw(AHEAD)} from deliveries where account_id = ${account_id} and id = ${id}`,
    ),
    findPaperBy(reads, sql`d.document_id = ${of_delivery}`),
    findBookedBy(reads, sql`d.document_id = ${of_delivery}`),
    findPdfBy(reads, sql`document_id = ${of_first}`),
    getConfiguration(reads),
    countersOf(reads, sql`subject = ${of_delivery}::text`),
  ]);
  return { delivery, issued, booked_by, pdf, configuration, counters };
}

/** A message, with its PDF when that is not stored yet. */
export interface PreparedMail extends RenderedMail {
  readonly pdf: Buffer | null;
}

/** Returns the message to send, with the same bytes at every attempt. Throws when the document cannot be rendered. */
export async function prepareMail(
  cx: Reader,
  { id, document_id, address, at, message }: AheadRow,
  { issued, pdf: stored, configuration }: DeliveryAhead,
): Promise<PreparedMail> {
  if (issued === undefined) throw new Error(`document ${document_id} is not issued`);
  // A repeated attempt needs the envelope again, but sends the bytes of the first attempt.
  const is_first = message === null;
  const is_new = is_first && stored === undefined;
  const rendered = is_new ? await renderPaper(cx, issued) : null;
  const pdf = rendered ?? stored ?? Buffer.alloc(0);
  const has_link = is_first && hasPage(issued) && offersLinks(cx, configuration.document_links);
  const envelope = {
    delivery_id: id,
    from: cx.mail.from,
    to: address ?? "",
    at,
    link: has_link ? linkIn(cx.mail, id) : null,
  };
  const mail = await renderMail(messageOfPaper(issued, pdf, envelope, configuration.mail_texts));
  return { ...mail, ...(is_first ? {} : { raw: message }), pdf: rendered };
}

/** Whether the button of the mail opens a page: a letter is only attached. */
function hasPage({ snapshot }: IssuedPaper): boolean {
  return snapshot.kind !== "statement" && snapshot.kind !== "reminder";
}
