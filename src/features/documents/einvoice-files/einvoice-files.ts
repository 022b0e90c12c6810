/**
 * The files of e-invoices. Each is made when it is first needed, stored with its hash, and never made again: its bytes follow from the
 * frozen document, the format, the receiver and the corrected references.
 */
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import type { ElectronicAttachment } from "../../../domain/einvoice/electronic-invoice.ts";
import type { Corrections } from "../../../domain/einvoice/from-snapshot.ts";
import { requireExpressible } from "../../../domain/einvoice/missing.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { viewOf } from "../printing/view.ts";
import { electronicInvoiceOf, type IssuedNumber, readIssued } from "./read-electronic-invoice.ts";
import { renderEinvoice } from "./render-einvoice.ts";

interface EinvoiceFile {
  readonly content: Buffer;
  readonly sha256: Buffer;
}

/** A file with the statements of the transaction that hands it over. */
export interface PreparedFile extends EinvoiceFile {
  /** Stores the file unless it is stored; null where it was stored before. */
  readonly storing: Sql | null;
  /** Selects the id of the stored file, or nothing where other bytes are stored. */
  readonly stored_id: Sql;
}

/** Which file of a document. */
interface AskedFile {
  readonly format: EinvoiceFormat;
  readonly receiver: string | null;
  readonly corrections: Corrections;
}

/** What a file is made from, and which files of the document are stored. */
interface FileSource {
  readonly issued: IssuedNumber;
  readonly stored: readonly ReturnType<typeof keyOf>[];
}

/** Reads what a file of an issued document is made from. `reads` may send all of it as one statement. Throws NOT_FOUND. */
export async function readFileSource(reads: Reader, document_id: string): Promise<FileSource> {
  const [issued, stored] = await Promise.all([
    readIssued(reads, document_id),
    reads.rows<
      FileSource["stored"][number]
    >(sql`select format, receiver, corrections from einvoice_files
      where account_id = ${reads.caller.account_id} and document_id = ${document_id}`),
  ]);
  return { issued, stored };
}

/**
 * Returns the file of an issued document, which is made and stored when it is first needed. Throws EINVOICE_INCOMPLETE with the fields
 * that the format misses.
 */
export async function einvoiceFileOf(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
): Promise<EinvoiceFile> {
  const source = await readFileSource(asOneStatement(cx), document_id);
  const { storing, ...file } = await prepareFile(cx, document_id, asked, source);
  if (storing === null || (await cx.row(storing)) !== undefined) return file;
  // Another process has stored it first.
  return getFile(cx, document_id, asked);
}

/** Returns the file as `einvoiceFileOf` does, but does not store it: the transaction that hands it over does. */
export async function prepareFile(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
  { issued, stored }: FileSource,
): Promise<PreparedFile> {
  const { format, receiver, corrections } = keyOf(asked);
  const is_stored = stored.some(
    (file) =>
      file.format === format && file.receiver === receiver && file.corrections === corrections,
  );
  const file = is_stored
    ? await getFile(cx, document_id, asked)
    : await makeFile(cx, issued, asked);
  const { account_id } = cx.caller;
  const storing = sql`insert into einvoice_files
      (account_id, id, document_id, format, receiver, corrections, content, sha256)
    values (${account_id}, ${newId()}, ${document_id}, ${format}, ${receiver}, ${corrections}, ${file.content}, ${file.sha256})
    on conflict do nothing returning id`;
  const stored_id = sql`select f.id from einvoice_files f where f.account_id = ${account_id} and f.document_id = ${document_id}
    and f.format = ${format} and f.receiver = ${receiver} and f.corrections = ${corrections} and f.sha256 = ${file.sha256}`;
  return { ...file, storing: is_stored ? null : storing, stored_id };
}

/** Makes the bytes of a file. Throws EINVOICE_INCOMPLETE. */
async function makeFile(cx: Reader, issued: IssuedNumber, asked: AskedFile): Promise<EinvoiceFile> {
  const invoice = electronicInvoiceOf(issued, asked);
  requireExpressible(invoice, asked.format, { ...issued, carried_formats: null });
  // The pages of Factur-X have the hours themselves.
  const attachments = asked.format === "factur-x" ? [] : await timesheetOf(issued, invoice.number);
  const { snapshot, number } = issued;
  const whole = { invoice: { ...invoice, attachments }, snapshot, number };
  const content = Buffer.from(await renderEinvoice(cx, whole, asked.format));
  return { content, sha256: sha256(content) };
}

/**
 * Returns the bytes of the file for a reader who does not see all hours: without the pages of hours, and not stored. Throws
 * EINVOICE_INCOMPLETE.
 */
export async function einvoiceWithoutHours(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
): Promise<EinvoiceFile> {
  const issued = await readIssued(cx, document_id);
  const invoice = electronicInvoiceOf(issued, asked);
  requireExpressible(invoice, asked.format, { ...issued, carried_formats: null });
  const { hours: _hours, hours_are_summed: _summed, ...snapshot } = issued.snapshot;
  const shown = { invoice, snapshot, number: issued.number };
  const content = Buffer.from(await renderEinvoice(cx, shown, asked.format));
  return { content, sha256: sha256(content) };
}

/** Returns the specification of the hours as a file of its own, where the document has one. The invoice's own PDF is never attached. */
async function timesheetOf(
  { snapshot, number }: IssuedNumber,
  name: string,
): Promise<ElectronicAttachment[]> {
  if (snapshot.hours === undefined) return [];
  const { renderTimesheet } = await import("../printing/pdf.ts");
  const content = await renderTimesheet(viewOf(snapshot, { number }));
  const word = snapshot.language === "da" ? "timer" : "hours";
  return content === null ? [] : [{ filename: `${word}-${name}.pdf`, content }];
}

/** Returns a file that is stored. */
async function getFile(cx: Reader, document_id: string, asked: AskedFile): Promise<EinvoiceFile> {
  const { format, receiver, corrections } = keyOf(asked);
  const file = await cx.row<EinvoiceFile>(sql`select content, sha256 from einvoice_files
    where account_id = ${cx.caller.account_id} and document_id = ${document_id}
      and format = ${format} and receiver = ${receiver} and corrections = ${corrections}`);
  if (file === undefined) throw new Error(`the e-invoice of ${document_id} was not stored`);
  return file;
}

/** What identifies a file besides its document, as it is stored. */
function keyOf({ format, receiver, corrections }: AskedFile) {
  const { accounting_cost, buyer_reference, order_reference } = corrections;
  return {
    format,
    receiver: receiver ?? "",
    corrections: JSON.stringify({ accounting_cost, buyer_reference, order_reference }),
  };
}
