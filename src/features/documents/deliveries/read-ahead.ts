/** Reads in one statement everything that an attempt to send a document needs, and makes the message from it. */
import { Problem } from "../../../domain/base/problem.ts";
import type { IssuedPaper } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import { type CountedSubject, countersOf } from "../../../platform/mail/limit.ts";
import { type RenderedMail, renderMail } from "../../../platform/mail/mail.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { linkIn, offersLinks } from "../document-links/mint-link.ts";
import { einvoiceFileOf } from "../einvoice-files/einvoice-files.ts";
import { readReceiver } from "../einvoice-files/read-electronic-invoice.ts";
import { type BookedBy, findBookedBy } from "../issued/find-booked-by.ts";
import { findPaperBy, findPdfBy } from "../issued/issued-documents.ts";
import { renderPaper } from "../issued/render-document.ts";
import { messageOfPaper } from "./mail-message.ts";

export interface DeliveryRow {
  readonly id: string;
  readonly document_id: string;
  readonly customer_id: string | null;
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
  "id, document_id, customer_id, channel, address, state, send_error, at, format, file_sha256, delivered_at, response";

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
  /** Whether mails to the customer carry the PDF with its data (Factur-X). */
  readonly einvoice_by_mail: boolean;
  readonly configuration: Configuration;
  readonly counters: readonly CountedSubject[];
}

/** Reads what an attempt needs. `reads` may send all of it as one statement. */
export async function readAhead(reads: Reader, id: string): Promise<DeliveryAhead> {
  const { account_id } = reads.caller;
  const of_delivery = sql`(select d.document_id from deliveries d where d.account_id = ${account_id} and d.id = ${id})`;
  const of_first = sql`(select d.document_id from deliveries d
    where d.account_id = ${account_id} and d.id = ${id} and d.message is null)`;
  const [delivery, issued, booked_by, pdf, customer, configuration, counters] = await Promise.all([
    reads.row<AheadRow>(
      sql`select ${raw(AHEAD)} from deliveries where account_id = ${account_id} and id = ${id}`,
    ),
    findPaperBy(reads, sql`d.document_id = ${of_delivery}`),
    findBookedBy(reads, sql`d.document_id = ${of_delivery}`),
    findPdfBy(reads, sql`document_id = ${of_first}`),
    reads.row<{ einvoice_by_mail: boolean }>(
      sql`select c.einvoice_by_mail from customers c where c.account_id = ${account_id} and c.einvoice_by_mail and c.id in (
        select i.customer_id from invoices i where i.account_id = ${account_id} and i.id = ${of_first}
        union all select i.customer_id from credit_notes n join invoices i on i.account_id = n.account_id and i.id = n.invoice_id
        where n.account_id = ${account_id} and n.id = ${of_first})`,
    ),
    getConfiguration(reads),
    countersOf(reads, sql`subject = ${of_delivery}::text`),
  ]);
  const einvoice_by_mail = customer?.einvoice_by_mail ?? false;
  return { delivery, issued, booked_by, pdf, einvoice_by_mail, configuration, counters };
}

/** A message, with its PDF when that is not stored yet. */
export interface PreparedMail extends RenderedMail {
  readonly pdf: Buffer | null;
}

/** Returns the message to send, with the same bytes at every attempt. Throws when the document cannot be rendered. */
export async function prepareMail(
  cx: Reader,
  { id, document_id, address, at, message }: AheadRow,
  { issued, pdf: stored, einvoice_by_mail, configuration }: DeliveryAhead,
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
  const attached = is_first && einvoice_by_mail ? await facturXOf(cx, issued) : null;
  const mail = await renderMail(
    messageOfPaper(issued, attached ?? pdf, envelope, configuration.mail_texts),
  );
  return { ...mail, ...(is_first ? {} : { raw: message }), pdf: rendered };
}

/** Returns the PDF with its data; null for a document that cannot be expressed, whose plain PDF is sent. */
async function facturXOf(cx: Reader, { snapshot }: IssuedPaper): Promise<Buffer | null> {
  if (snapshot.kind === "statement" || snapshot.kind === "reminder") return null;
  const { address: receiver } = await readReceiver(cx, snapshot.customer.id);
  try {
    const asked = { format: "factur-x", receiver, corrections: {} } as const;
    return (await einvoiceFileOf(cx, snapshot.document_id, asked)).content;
  } catch (error) {
    if (error instanceof Problem && error.code === "EINVOICE_INCOMPLETE") return null;
    throw error;
  }
}

/** Whether the button of the mail opens a page: a letter is only attached. */
function hasPage({ snapshot }: IssuedPaper): boolean {
  return snapshot.kind !== "statement" && snapshot.kind !== "reminder";
}
