/** Freezes letters to customers beside issued documents, and returns their PDFs. */
import { notFound } from "../../../domain/base/problem.ts";
import type { ReminderSnapshot } from "../../../domain/receivables/reminder-snapshot.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { freeze, sha256 } from "../../../platform/runtime/json.ts";
import { reminderName } from "../letters/reminder-view.ts";
import { statementName } from "../letters/statement-view.ts";
import { findPaperBy, findPdfBy, storedPdf } from "./issued-documents.ts";
import { renderPaper } from "./render-document.ts";
import { withoutCodes } from "./store-codes.ts";

/** A letter with its number in the books; null for one that is not booked. */
interface NumberedLetter {
  readonly snapshot: StatementSnapshot | ReminderSnapshot;
  readonly number: bigint | null;
}

/** Stores immutable copies of letters, from which their PDFs are made. */
export function storeLetters(tx: Tx, letters: readonly NumberedLetter[]): void {
  if (letters.length === 0) return;
  const frozen = letters.map(({ snapshot, number }) => ({
    snapshot,
    number,
    text: freeze(snapshot),
  }));
  const { columns, table } = tableOf(frozen, {
    document_id: ["uuid", ({ snapshot }) => snapshot.document_id],
    kind: ["text", ({ snapshot }) => snapshot.kind],
    number: ["bigint", ({ number }) => number],
    snapshot: ["lines", ({ text }) => text],
    payload_hash: ["bytea", ({ text }) => sha256(withoutCodes(text))],
    currency: ["text", ({ snapshot }) => snapshot.currency],
  });
  tx.write(sql`insert into issued_documents (account_id, ${columns})
    select ${tx.caller.account_id}, d.* from ${table} as d`);
}

/** Returns the PDF of a letter, which is rendered and stored when first needed. Throws NOT_FOUND. */
export async function letterPdf(
  cx: Reader,
  kind: "statement" | "reminder",
  id: string,
): Promise<ReplyFile> {
  const which = sql`document_id = ${id}`;
  const paper = await findPaperBy(cx, sql`${which} and kind = ${kind}`);
  if (paper === undefined) throw notFound(kind, id);
  const { snapshot, number } = paper;
  if (snapshot.kind !== "statement" && snapshot.kind !== "reminder") throw notFound(kind, id);
  const filename =
    snapshot.kind === "statement" ? statementName(snapshot) : reminderName(snapshot, number);
  const stored = await findPdfBy(cx, which);
  if (stored) return { content_type: "application/pdf", filename, content: stored };
  const rendered = await renderPaper(cx, paper);
  await cx.rows(sql`with ${storedPdf(cx, id, rendered)} select from stored`);
  // Another process may have stored its rendering first, which then is the letter.
  const content = (await findPdfBy(cx, which)) ?? rendered;
  return { content_type: "application/pdf", filename, content };
}
