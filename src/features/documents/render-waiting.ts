/** The background work of documents: PDFs that nobody has asked for yet. */
import { sql } from "../../platform/database/sql.ts";
import { type Services, schedulerContext } from "../../platform/services.ts";
import { findIssued, pdfOf } from "./issued-documents.ts";

/**
 * Renders documents of the last week that nobody has looked at, one at a time; answers whether there
 * was one. A document that cannot be rendered is logged once and left, so that it holds up no other.
 */
export function waitingRenderer(services: Services): () => Promise<boolean> {
  const hopeless = new Set<string>();
  return async () => {
    const row = await services.db.row<{
      account_id: string;
      document_id: string;
    }>(sql`select d.account_id, d.document_id from issued_documents d
       where d.created_at between clock_timestamp() - interval '7 days'
           and clock_timestamp() - interval '1 minute'
         and not d.document_id = any(${[...hopeless]})
         and not exists (select from document_files f
           where f.account_id = d.account_id and f.document_id = d.document_id and f.format = 'pdf')
       order by d.created_at limit 1`);
    const waiting = row;
    if (waiting === undefined) return false;
    try {
      const cx = await schedulerContext(services, waiting.account_id);
      const issued = await findIssued(cx, waiting.document_id);
      if (issued) await pdfOf(cx, waiting.document_id, issued);
    } catch (error) {
      hopeless.add(waiting.document_id);
      services.log.error({ err: error, document_id: waiting.document_id }, "cannot be rendered");
    }
    return true;
  };
}
