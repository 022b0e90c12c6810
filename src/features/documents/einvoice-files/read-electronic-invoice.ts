/** Reads an issued document as the content of its e-invoice, and where the e-invoices of its customer go. */
import { notFound } from "../../../domain/base/problem.ts";
import { type EinvoiceFormat, formatOf } from "../../../domain/einvoice/einvoice-format.ts";
import type { ElectronicInvoice } from "../../../domain/einvoice/electronic-invoice.ts";
import {
  buyersNumber,
  type Corrections,
  electronicInvoiceFrom,
} from "../../../domain/einvoice/from-snapshot.ts";
import { addressFrom } from "../../../domain/einvoice/parties-from-snapshot.ts";
import { receiverAddress } from "../../../domain/einvoice/receiver-address.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { thaw } from "../../../platform/runtime/json.ts";

/** An issued document, with the years of numbers that restart each year; null where they do not. */
export interface IssuedNumber {
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
  readonly ledger_year: number | null;
  /** Of the number of the credited invoice. */
  readonly preceding_year: number | null;
  /** The account's `vat.domestic_country` as of now. */
  readonly domestic_country: string;
  /** The formats that the account's connection carries as of now; null without one. */
  readonly carried_formats: readonly string[] | null;
}

/** Returns an issued invoice or credit note. Throws NOT_FOUND for one that is not issued. */
export async function readIssued(cx: Reader, document_id: string): Promise<IssuedNumber> {
  const issued = await cx.row<{
    snapshot: string;
    number: bigint | null;
    ledger_year: number | null;
    preceding_year: number | null;
    domestic_country: string;
    carried_formats: string[] | null;
  }>(sql`select d.snapshot, d.number, d.ledger_year, p.ledger_year as preceding_year,
      c.vat_domestic_country as domestic_country, e.formats as carried_formats
    from issued_documents d join configurations c on c.account_id = d.account_id
    left join einvoice_connections e on e.account_id = d.account_id and e.is_current
    left join credit_notes n on n.account_id = d.account_id and n.id = d.document_id
    left join issued_documents p on p.account_id = n.account_id and p.document_id = n.invoice_id
    where d.account_id = ${cx.caller.account_id} and d.document_id = ${document_id}
      and d.kind in ('invoice', 'credit_note')`);
  if (issued === undefined || issued.number === null) throw notFound("document", document_id);
  return { ...issued, snapshot: thaw(issued.snapshot), number: issued.number };
}

/** Returns the content of the e-invoice of an issued document to a receiver, without the pages of hours. */
export function electronicInvoiceOf(
  { snapshot, number, ledger_year, preceding_year }: IssuedNumber,
  {
    receiver,
    corrections,
  }: { readonly receiver: string | null; readonly corrections: Corrections },
): ElectronicInvoice {
  return electronicInvoiceFrom(snapshot, {
    number: buyersNumber(number, ledger_year),
    preceding_year,
    receiver: addressFrom(receiver),
    corrections,
    attachments: [],
  });
}

/** Which file was sent. */
interface SentFile {
  readonly format: EinvoiceFormat;
  readonly receiver: string | null;
  readonly corrections: Corrections;
}

/** Returns the file that was handed over last, by the sending that began last; undefined where none was. */
export async function findLastSent(cx: Reader, document_id: string): Promise<SentFile | undefined> {
  const sent = await cx.row<{ format: string; receiver: string; corrections: string }>(
    sql`select f.format, f.receiver, f.corrections from deliveries d
      join einvoice_files f on f.account_id = d.account_id and f.id = d.einvoice_file_id
      where d.account_id = ${cx.caller.account_id} and d.document_id = ${document_id}
      order by d.id desc limit 1`,
  );
  if (sent === undefined) return undefined;
  const { format, receiver, corrections } = sent;
  return {
    format: formatOf(format),
    receiver: receiver || null,
    corrections: JSON.parse(corrections),
  };
}

/** Where the e-invoices of a customer go, and in which format. */
interface Receiver {
  /** `0088:5798009811578`; null where there is none. */
  readonly address: string | null;
  readonly format: EinvoiceFormat;
}

/** Returns the receiver of a customer's e-invoices as of now, which no document freezes. Throws NOT_FOUND. */
export async function readReceiver(cx: Reader, customer_id: string): Promise<Receiver> {
  const customer = await cx.row<{
    country_key: string;
    is_person: boolean;
    einvoice_address: string | null;
    ean_number: string | null;
    vat_number: string | null;
    se_number: string | null;
    p_number: string | null;
    invoice_mail_out_option_key: string | null;
    einvoice_format: string | null;
  }>(sql`select country_key, is_person, einvoice_address, ean_number, vat_number, se_number, p_number,
      invoice_mail_out_option_key, einvoice_format
    from customers where account_id = ${cx.caller.account_id} and id = ${customer_id}`);
  if (customer === undefined) throw notFound("customer", customer_id);
  return { address: receiverAddress(customer), format: formatOf(customer.einvoice_format) };
}
