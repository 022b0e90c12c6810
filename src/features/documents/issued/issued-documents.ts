/**
 * Stores issued documents and their files. A booking freezes the snapshot. The PDF is rendered once from the snapshot, when
 * first needed, stored with its hash and never rendered again (spec 10.3).
 */

import { Problem } from "../../../domain/base/problem.ts";
import type { IssuedPaper } from "../../../domain/receivables/statement-snapshot.ts";
import type { CreditedDocument } from "../../../domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { DocumentBooking } from "../../../ledger/ledger.ts";
import { printsItself } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { type Sql, sql, tableOf } from "../../../platform/database/sql.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { sha256, thaw } from "../../../platform/runtime/json.ts";
import { inItsLedger } from "./find-booked-by.ts";
import { ledgerGuidOf, mayBeFetched } from "./queries.ts";
import { printingLedger, readPdf } from "./read-pdf.ts";
import { renderDraft, renderIssued } from "./render-document.ts";
import { issuedCodes, withCodes } from "./store-codes.ts";

export interface IssuedDocument {
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
  /** The guid of the document in the ledger. */
  readonly ledger_guid: string;
  /** The year of its number, where a ledger booked it that the account has left since; null for one of the present ledger. */
  readonly left: { readonly year: number | null } | null;
}

/** Returns an invoice in the form that credit notes need. */
export function creditedFrom({ snapshot, ...fields }: IssuedDocument): CreditedDocument {
  return { document: snapshot, ...fields };
}

/** A document as the API shows it: frozen under its number, or as a draft without a number. */
export interface ShownDocument {
  readonly id: string;
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint | null;
  /** Whether this document shows less than the customer's document: then its PDF is for one reader only, and is not stored. */
  readonly hours_are_own?: boolean;
}

/** Returns the frozen document; undefined for a document that is not issued. */
export async function findIssued(
  cx: Reader,
  document_id: string,
): Promise<IssuedDocument | undefined> {
  return (await findManyIssued(cx, [document_id])).get(document_id);
}

/** Returns frozen documents by their ids; documents that are not issued have no entry. */
export function findManyIssued(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, IssuedDocument>> {
  return findIssuedBy(cx, sql`d.document_id = any(${document_ids})`);
}

/** Returns the frozen documents of a condition, by their ids. */
export async function findIssuedBy(cx: Reader, which: Sql): Promise<Map<string, IssuedDocument>> {
  const rows = await cx.rows<{
    document_id: string;
    snapshot: string;
    number: bigint;
    ledger_guid: string;
    ledger_year: number | null;
    is_left: boolean;
  }>(sql`select document_id, snapshot, number, ${ledgerGuidOf(sql`d`)} as ledger_guid, ledger_year,
       ledger_connection_id is distinct from (select c.id from ledger_connections c
         where c.account_id = ${cx.caller.account_id} and c.is_current) as is_left
     from issued_documents d where account_id = ${cx.caller.account_id} and ${which}`);
  return new Map(
    rows.map(({ document_id, snapshot, ledger_year: year, is_left, ...fields }) => [
      document_id,
      { snapshot: thaw(snapshot), ...fields, left: is_left ? { year } : null },
    ]),
  );
}

/** Returns the frozen paper of a condition: a document or a letter; undefined without one. */
export async function findPaperBy(cx: Reader, which: Sql): Promise<IssuedPaper | undefined> {
  const row = await cx.row<{ snapshot: string; number: bigint | null }>(
    sql`select snapshot, number from issued_documents d where account_id = ${cx.caller.account_id} and ${which}`,
  );
  return row && { snapshot: thaw(row.snapshot), number: row.number };
}

/** A booked document, with its number. */
interface BookedDocument {
  readonly intent: DocumentBooking;
  /** The bytes that were hashed: one line of JSON. */
  readonly payload: string;
  readonly number: bigint;
  /** The connection that booked the document, and the year of its number; null when there is none. */
  readonly connection_id: string | null;
  readonly year: number | null;
}

/**
 * Stores an immutable copy of each booked document; PDF and e-invoice are made only from this copy (spec 10.3). The copy of an
 * invoice has its payment codes, unless the ledger prints it.
 */
export function storeIssuedDocuments(tx: Tx, booked: readonly BookedDocument[]): void {
  const has_codes = !printsItself(tx.ledger);
  const { columns, table } = tableOf(booked, {
    document_id: ["uuid", ({ intent }) => intent.document.document_id],
    kind: ["text", ({ intent }) => intent.kind],
    number: ["bigint", ({ number }) => number],
    snapshot: ["lines", (one) => frozenFrom(one, has_codes)],
    payload_hash: ["bytea", ({ intent }) => Buffer.from(intent.payload_hash)],
    net: ["bigint", ({ intent }) => intent.document.totals.net.toString()],
    gross: ["bigint", ({ intent }) => intent.document.totals.gross.toString()],
    ledger_connection_id: ["uuid", ({ connection_id }) => connection_id],
    ledger_year: ["int", ({ year }) => year],
    currency: ["text", ({ intent }) => intent.document.currency],
  });
  tx.write(sql`insert into issued_documents (account_id, ${columns})
    select ${tx.caller.account_id}, d.* from ${table} as d`);
}

function frozenFrom({ intent, payload, number, year }: BookedDocument, has_codes: boolean): string {
  const { kind, document } = intent;
  if (kind === "credit_note" || !has_codes) return payload;
  return withCodes(payload, issuedCodes(document, number, year));
}

/**
 * Returns the stored PDF of an issued document, which is rendered and stored when first needed. A ledger that prints its
 * documents itself provides the PDF. Throws LEDGER_UNAVAILABLE when that ledger does not provide it.
 */
async function pdfOf(
  cx: Reader,
  document_id: string,
  issued: Pick<IssuedDocument, "snapshot" | "number">,
): Promise<Buffer> {
  const stored = await findPdf(cx, document_id);
  if (stored) return stored;
  const ledger = printingLedger(await inItsLedger(cx, document_id));
  const content = await (ledger === null
    ? renderIssued(cx, issued.snapshot, issued.number)
    : readPdf(cx, ledger, issued.snapshot.kind, document_id));
  await cx.rows(sql`with ${storedPdf(cx, document_id, content)} select from stored`);
  // Another process may have stored its rendering first, which then is the document.
  return (await findPdf(cx, document_id)) ?? content;
}

/**
 * Fetches the next unrequested PDF where the ledger prints documents; returns whether there was one. An unavailable
 * PDF is retried later. A fetch uses the ledger's request limit, so it waits for bookings, an hour at most.
 */
export async function fetchWaiting(cx: Reader): Promise<boolean> {
  if (printingLedger(cx) === null) return false;
  const { account_id } = cx.caller;
  const taken = await cx.row<{ document_id: string }>(sql`update waiting_documents
    set not_before = (select clock_timestamp() + interval '10 minutes')
    where account_id = ${account_id} and document_id = (
      select w.document_id from waiting_documents w where w.account_id = ${account_id} and ${mayBeFetched(sql`${account_id}`)}
      order by w.not_before limit 1 for update of w skip locked)
    returning document_id`);
  if (taken === undefined) return false;
  const { document_id } = taken;
  const issued = await findIssued(cx, document_id);
  try {
    if (issued !== undefined) await pdfOf(cx, document_id, issued);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  return true;
}

/** Returns the stored PDF as `faktura-1001.pdf`, or a marked preview of a draft's content as `faktura-udkast.pdf`. */
export async function pdfReply(cx: Reader, shown: ShownDocument): Promise<ReplyFile> {
  const { snapshot, number } = shown;
  const content = await contentOf(cx, shown);
  return { content_type: "application/pdf", filename: pdfName(snapshot, number), content };
}

async function contentOf(
  cx: Reader,
  { id, snapshot, number, hours_are_own = false }: ShownDocument,
): Promise<Buffer> {
  if (number === null) return renderDraft(cx, snapshot, hours_are_own);
  // The ledger's PDF does not name the users of hours.
  if (hours_are_own && printingLedger(await inItsLedger(cx, id)) === null) {
    return renderIssued(cx, snapshot, number, true);
  }
  return pdfOf(cx, id, { snapshot, number });
}

export function pdfName(
  snapshot: Pick<DocumentSnapshot, "language" | "kind">,
  number: bigint | null,
): string {
  return fileNameOf(snapshot, number, "pdf");
}

/** Returns the name of a document's file in its language: `faktura-1001.xml`; null makes it a draft. */
export function fileNameOf(
  { language, kind }: Pick<DocumentSnapshot, "language" | "kind">,
  number: bigint | null,
  extension: "pdf" | "xml",
): string {
  const words = fileNames[language];
  return `${words[kind]}-${number ?? words.draft}.${extension}`;
}

const fileNames: Readonly<
  Record<DocumentSnapshot["language"], Readonly<Record<DocumentSnapshot["kind"] | "draft", string>>>
> = {
  da: { invoice: "faktura", credit_note: "kreditnota", draft: "udkast" },
  en: { invoice: "invoice", credit_note: "credit-note", draft: "draft" },
};

function findPdf(cx: Reader, document_id: string): Promise<Buffer | undefined> {
  return findPdfBy(cx, sql`document_id = ${document_id}`);
}

/** Returns the stored PDF of the document of a condition; undefined until it is rendered. */
export async function findPdfBy(cx: Reader, which: Sql): Promise<Buffer | undefined> {
  const row = await cx.row<{ content: Buffer }>(sql`select content from document_files
     where account_id = ${cx.caller.account_id} and ${which} and format = 'pdf'`);
  return row?.content;
}

/** Whether the PDF of a document is stored. */
export async function hasPdf(cx: Reader, document_id: string): Promise<boolean> {
  const row = await cx.row(sql`select from document_files
     where account_id = ${cx.caller.account_id} and document_id = ${document_id} and format = 'pdf'`);
  return row !== undefined;
}

/**
 * Returns the parts of a statement, `stored` and `done`, that store a PDF, which then waits no longer. `stored` has no row when
 * another process has stored one first.
 */
export function storedPdf(cx: Reader, document_id: string, content: Buffer): Sql {
  const { account_id } = cx.caller;
  return sql`stored as (
      insert into document_files (account_id, document_id, format, content, sha256)
      values (${account_id}, ${document_id}, 'pdf', ${content}, ${sha256(content)}) on conflict do nothing returning document_id),
    done as (delete from waiting_documents where account_id = ${account_id} and document_id = ${document_id})`;
}
