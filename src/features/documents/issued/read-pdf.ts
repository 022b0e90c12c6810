/** Reads PDFs of a ledger that prints its documents itself: two different PDFs with one number would be a fault (spec 10.7). */
import { Problem } from "../../../domain/base/problem.ts";
import type { ConnectedLedger } from "../../../ledger/connected.ts";
import {
  callWithin,
  connectedLedger,
  printsItself,
} from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { ledgerGuidOf } from "./queries.ts";

/** The time limit of the ledger for a PDF. */
const TIMEOUT_MS = 15_000;

/** Returns the ledger that prints and sends the account's documents; null when the service does both. */
export function printingLedger(cx: Reader): ConnectedLedger | null {
  return printsItself(cx.ledger) ? connectedLedger(cx) : null;
}

/** Returns the PDF as the ledger prints it. Throws LEDGER_UNAVAILABLE. */
export async function readPdf(
  cx: Reader,
  ledger: ConnectedLedger,
  kind: "invoice" | "credit_note",
  document_id: string,
): Promise<Buffer> {
  const document = await cx.row<{
    guid: string;
  }>(sql`select ${ledgerGuidOf(sql`d`)} as guid from issued_documents d
    where account_id = ${cx.caller.account_id} and document_id = ${document_id}`);
  const guid = document?.guid ?? document_id;
  const fetched = await ledger.pdf?.(kind, guid, callWithin(cx, TIMEOUT_MS));
  if (fetched?.state === "pdf" && isPdf(fetched.content)) return Buffer.from(fetched.content);
  cx.log.warn({ document_id, outcome: fetched?.state }, "the ledger gave no PDF");
  throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
}

/** Whether the content is a PDF; content of any other type is not passed on. */
function isPdf(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 5)).toString("latin1") === "%PDF-";
}
