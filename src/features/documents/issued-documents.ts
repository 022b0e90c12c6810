/**
 * Issued documents and their files. A booking freezes the snapshot; the PDF is rendered from it once,
 * at first need, stored with its hash and never rendered again (spec 10.3).
 */
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import type { ReplyFile } from "../../platform/http/route.ts";
import { sha256, thaw } from "../../platform/json.ts";
import { printedLogo } from "../configuration/logo.ts";
import { renderPdf } from "../printing/pdf.ts";
import { viewOf } from "../printing/view.ts";

interface IssuedDocument {
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint;
}

/** A document as it is shown: frozen under its number, or as a draft that has none. */
export interface ShownDocument {
  readonly id: string;
  readonly snapshot: DocumentSnapshot;
  readonly number: bigint | null;
}

/** The frozen document; undefined for a document that is not issued. */
export async function findIssued(
  cx: Context,
  document_id: string,
): Promise<IssuedDocument | undefined> {
  const rows = await query<{ snapshot: string; number: bigint }>(
    cx.db,
    "select snapshot, number from issued_documents where account_id = $1 and document_id = $2",
    [cx.caller.account_id, document_id],
  );
  return rows[0] && { snapshot: thaw(rows[0].snapshot), number: rows[0].number };
}

/** The stored PDF of an issued document, rendered and stored if this is its first need. */
export async function pdfOf(
  cx: Context,
  document_id: string,
  issued: IssuedDocument,
): Promise<Buffer> {
  const stored = await findPdf(cx, document_id);
  if (stored) return stored;
  const content = await rendered(cx, issued.snapshot, issued.number);
  await query(
    cx.db,
    `insert into document_files (account_id, document_id, format, content, sha256)
     values ($1, $2, 'pdf', $3, $4) on conflict do nothing`,
    [cx.caller.account_id, document_id, content, sha256(content)],
  );
  // Another process may have stored its rendering first: that one is the document.
  return (await findPdf(cx, document_id)) ?? content;
}

/**
 * The PDF as a reply: the stored one as `faktura-1001.pdf`; for a draft an unmistakably marked preview,
 * rendered anew each time, as `faktura-udkast.pdf`.
 */
export async function pdfReply(
  cx: Context,
  { id, snapshot, number }: ShownDocument,
): Promise<ReplyFile> {
  const content =
    number === null
      ? await rendered(cx, snapshot, number)
      : await pdfOf(cx, id, { snapshot, number });
  return { content_type: "application/pdf", filename: pdfName(snapshot, number), content };
}

async function rendered(
  cx: Context,
  snapshot: DocumentSnapshot,
  number: bigint | null,
): Promise<Buffer> {
  const { logo } = snapshot.seller ?? {};
  const bytes = logo === undefined ? null : await printedLogo(cx, logo);
  return renderPdf(viewOf(snapshot, { number }), bytes);
}

export function pdfName(
  { language, kind }: Pick<DocumentSnapshot, "language" | "kind">,
  number: bigint | null,
): string {
  const words = fileNames[language];
  return `${words[kind]}-${number ?? words.draft}.pdf`;
}

const fileNames: Readonly<
  Record<DocumentSnapshot["language"], Readonly<Record<DocumentSnapshot["kind"] | "draft", string>>>
> = {
  da: { invoice: "faktura", credit_note: "kreditnota", draft: "udkast" },
  en: { invoice: "invoice", credit_note: "credit-note", draft: "draft" },
};

async function findPdf(cx: Context, document_id: string): Promise<Buffer | undefined> {
  const rows = await query<{ content: Buffer }>(
    cx.db,
    `select content from document_files
     where account_id = $1 and document_id = $2 and format = 'pdf'`,
    [cx.caller.account_id, document_id],
  );
  return rows[0]?.content;
}
