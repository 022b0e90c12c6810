/** Reads the invoice, series and period of the resources of events, in one statement for a page. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { auditParts, Related } from "./present.ts";

type Parts = Pick<
  ReturnType<typeof auditParts>,
  "resource_type" | "resource_id" | "before" | "after"
>;

const NOTHING: Related = { series_id: null, period: null, invoice_id: null };
/** Resources whose invoice is found by their id. */
const LOOKED_UP: readonly string[] = ["invoice", "invoice_line", "credit_note", "delivery"];
/** Resources whose short texts name their invoice, series and period. */
const NAMED: readonly string[] = ["occurrence", "work_registration"];

/** Returns a function that gives the invoice, series and period of each event of a page. */
export async function readRelated(
  cx: Reader,
  events: readonly Parts[],
): Promise<(parts: Parts) => Related> {
  const asked = events.filter(({ resource_type }) => LOOKED_UP.includes(resource_type));
  const found = asked.length === 0 ? new Map<string, Related>() : await lookUp(cx, asked);
  return ({ resource_type, resource_id, before, after }) => {
    if (LOOKED_UP.includes(resource_type)) return found.get(resource_id) ?? NOTHING;
    if (NAMED.includes(resource_type)) {
      const named = JSON.parse(after === "null" ? before : after) as Partial<Related> | null;
      const { series_id = null, period = null, invoice_id = null } = named ?? {};
      return { series_id, period, invoice_id };
    }
    if (resource_type === "recurring_series") return { ...NOTHING, series_id: resource_id };
    if (resource_type === "reminder_hold") return { ...NOTHING, invoice_id: resource_id };
    return NOTHING;
  };
}

async function lookUp(cx: Reader, asked: readonly Parts[]): Promise<Map<string, Related>> {
  const { account_id } = cx.caller;
  const { table } = tableOf(asked, {
    id: ["uuid", ({ resource_id }) => resource_id],
    kind: ["text", ({ resource_type }) => resource_type],
  });
  const rows = await cx.rows<Related & { readonly id: string }>(sql`
    select e.id, i.id as invoice_id, i.series_id, i.period from ${table} as e (id, kind)
      left join invoice_lines l on l.account_id = ${account_id} and l.id = e.id and e.kind = 'invoice_line'
      left join deliveries d on d.account_id = ${account_id} and d.id = e.id and e.kind = 'delivery'
      left join credit_notes n on n.account_id = ${account_id}
        and n.id = case e.kind when 'credit_note' then e.id else d.document_id end
      join invoices i on i.account_id = ${account_id} and i.id = case e.kind when 'invoice' then e.id
        when 'invoice_line' then l.invoice_id else coalesce(n.invoice_id, d.document_id) end`);
  return new Map(rows.map(({ id, ...related }) => [id, related]));
}
