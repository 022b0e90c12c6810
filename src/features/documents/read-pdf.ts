/** PDFs of a ledger that prints its documents itself: two different PDFs with one number would be a fault (spec 10.7). */
import { Problem } from "../../domain/base/problem.ts";
import type { ConnectedLedger } from "../../ledger/connected.ts";
import type { Reader } from "../../platform/context.ts";

/** How long a ledger may take over a PDF. */
const PATIENCE_MS = 15_000;

/** The ledger that prints and sends the account's documents; null where both are ours. */
export function printingLedger(cx: Reader): ConnectedLedger | null {
  if (cx.ledger === null || cx.ledger.transactional) return null;
  if (cx.ledger.capabilities?.documents !== "ledger") return null;
  return cx.ledger.connect(cx.caller.account_id).more ?? null;
}

/** The PDF as the ledger prints it. Throws LEDGER_UNAVAILABLE. */
export async function readPdf(
  cx: Reader,
  ledger: ConnectedLedger,
  kind: "invoice" | "credit_note",
  guid: string,
): Promise<Buffer> {
  const signal = AbortSignal.any([cx.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const urgency = cx.caller.actor.kind === "scheduler" ? "bulk" : "interactive";
  const fetched = await ledger.pdf?.(kind, guid, { signal, urgency });
  if (fetched?.state === "pdf" && isPdf(fetched.content)) return Buffer.from(fetched.content);
  cx.log.warn({ document_id: guid, outcome: fetched?.state }, "the ledger gave no PDF");
  throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
}

/** What else it may be, it is not passed on as one. */
function isPdf(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 5)).toString("latin1") === "%PDF-";
}
