/**
 * The files of e-invoices. Each is made when it is first needed, stored with its hash, and never made again: its bytes follow from the
 * frozen document, the format, the receiver and the corrected references.
 */
import type { EinvoiceFormat } from "../../../domain/einvoice/einvoice-format.ts";
import type { ElectronicAttachment } from "../../../domain/einvoice/electronic-invoice.ts";
import type { Corrections } from "../../../domain/einvoice/from-snapshot.ts";
import { requireExpressible } from "../../../domain/einvoice/missing.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql, unsynced } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { viewOf } from "../printing/view.ts";
import { electronicInvoiceOf, type IssuedNumber, readIssued } from "./read-electronic-invoice.ts";
import { renderEinvoice } from "./render-einvoice.ts";

interface EinvoiceFile {
  readonly id: string;
  readonly format: EinvoiceFormat;
  /** `0088:5798009811578`; null without one. */
  readonly receiver: string | null;
  readonly content: Buffer;
  readonly sha256: Buffer;
}

/** Which file of a document. */
interface AskedFile {
  readonly format: EinvoiceFormat;
  readonly receiver: string | null;
  readonly corrections: Corrections;
}

/**
 * Returns the file of an issued document, which is made and stored when it is first needed; `commits_later` where another commit of the
 * caller follows before the file leaves. Throws EINVOICE_INCOMPLETE with the fields that the format misses.
 */
export async function einvoiceFileOf(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
  { commits_later = false } = {},
): Promise<EinvoiceFile> {
  const stored = await findFile(cx, document_id, asked);
  if (stored) return stored;
  const issued = await readIssued(cx, document_id);
  const invoice = electronicInvoiceOf(issued, asked);
  requireExpressible(invoice, asked.format, issued.domestic_country);
  // The pages of Factur-X have the hours themselves.
  const attachments = asked.format === "factur-x" ? [] : await timesheetOf(issued, invoice.number);
  const { snapshot, number } = issued;
  const whole = { invoice: { ...invoice, attachments }, snapshot, number };
  const content = Buffer.from(await renderEinvoice(cx, whole, asked.format));
  const { format, receiver, corrections } = keyOf(asked);
  const [id, hash] = [newId<string>(), sha256(content)];
  const stored_now = await cx.row(sql`insert into einvoice_files
      (account_id, id, document_id, format, receiver, corrections, content, sha256)
    select ${cx.caller.account_id}, ${id}, ${document_id}, ${format}, ${receiver}, ${corrections}, ${content}, ${hash}
    where ${commits_later ? unsynced : sql`true`} on conflict do nothing returning id`);
  if (stored_now !== undefined) {
    return { id, format: asked.format, receiver: asked.receiver, content, sha256: hash };
  }
  // Another process has stored it first: the bytes are the same, the id is not.
  const made = await findFile(cx, document_id, asked);
  if (made === undefined) throw new Error(`the e-invoice of ${document_id} was not stored`);
  return made;
}

/**
 * Returns the bytes of the file for a reader who does not see all hours: without the pages of hours, and not stored. Throws
 * EINVOICE_INCOMPLETE.
 */
export async function einvoiceWithoutHours(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
): Promise<Pick<EinvoiceFile, "content" | "sha256">> {
  const issued = await readIssued(cx, document_id);
  const invoice = electronicInvoiceOf(issued, asked);
  requireExpressible(invoice, asked.format, issued.domestic_country);
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

async function findFile(
  cx: Reader,
  document_id: string,
  asked: AskedFile,
): Promise<EinvoiceFile | undefined> {
  const { format, receiver, corrections } = keyOf(asked);
  const row = await cx.row<{
    id: string;
    content: Buffer;
    sha256: Buffer;
  }>(sql`select id, content, sha256 from einvoice_files
    where account_id = ${cx.caller.account_id} and document_id = ${document_id}
      and format = ${format} and receiver = ${receiver} and corrections = ${corrections}`);
  return row && { ...row, format: asked.format, receiver: asked.receiver };
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
