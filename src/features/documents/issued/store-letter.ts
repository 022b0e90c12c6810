/** Freezes letters to customers beside issued documents, and returns their PDFs. Nothing of a letter is booked. */
import { notFound } from "../../../domain/base/problem.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { statementName } from "../printing/statement-view.ts";
import { findPaperBy, findPdfBy, storedPdf } from "./issued-documents.ts";
import { renderPaper } from "./render-document.ts";

/** Stores an immutable copy of a statement of account, from which its PDF is made. */
export function storeStatement(tx: Tx, snapshot: StatementSnapshot): void {
  const text = freeze(snapshot);
  tx.write(
    insert("issued_documents", {
      account_id: tx.caller.account_id,
      document_id: snapshot.document_id,
      kind: snapshot.kind,
      number: null,
      snapshot: text,
      payload_hash: sha256(text),
      net: null,
      gross: null,
      ledger_connection_id: null,
      ledger_year: null,
      currency: snapshot.currency,
    }),
  );
}

/** Returns the PDF of a statement of account, which is rendered and stored when first needed. Throws NOT_FOUND. */
export async function statementPdf(cx: Reader, id: string): Promise<ReplyFile> {
  const which = sql`document_id = ${id}`;
  const paper = await findPaperBy(cx, sql`${which} and kind = 'statement'`);
  if (paper?.snapshot.kind !== "statement") throw notFound("statement", id);
  const filename = statementName(paper.snapshot);
  const stored = await findPdfBy(cx, which);
  if (stored) return { content_type: "application/pdf", filename, content: stored };
  const rendered = await renderPaper(cx, paper);
  await cx.rows(sql`with ${storedPdf(cx, id, rendered)} select from stored`);
  // Another process may have stored its rendering first, which then is the letter.
  const content = (await findPdfBy(cx, which)) ?? rendered;
  return { content_type: "application/pdf", filename, content };
}
