/**
 * The view of a standard user (domain.md 8.1): documents with a line that they are assigned to, and the customers
 * whom these bill. Admins see everything.
 */
import { Problem } from "../../domain/problem.ts";
import { query } from "../../platform/database/database.ts";
import type { PersonContext } from "../../platform/mcp/tool.ts";

const OF_INVOICE = `exists (select from invoice_lines l
  join invoice_line_assignees a on a.account_id = l.account_id and a.line_id = l.id
  where l.account_id = $1 and l.invoice_id = i.id and a.user_id = $3)`;

const IN_VIEW = {
  invoice: `select from invoices i where i.account_id = $1 and i.id = $2 and ${OF_INVOICE}`,
  customer: `select from invoices i where i.account_id = $1 and i.customer_id = $2 and ${OF_INVOICE}`,
  series: `select from series_lines l join lateral (
      select content from series_line_versions v where v.account_id = $1 and v.line_id = l.line_id
      union all
      select content from series_line_overrides o where o.account_id = $1 and o.line_id = l.line_id) p on true
    where l.account_id = $1 and l.series_id = $2 and p.content is not null
      and p.content::jsonb @> jsonb_build_object('assignees',
        jsonb_build_array(jsonb_build_object('user_id', $3::text)))`,
} as const;

/** Throws OUT_OF_SCOPE for what the person does not see. */
export async function requireInView(
  cx: PersonContext,
  kind: keyof typeof IN_VIEW,
  id: string,
): Promise<void> {
  const { role, user_id } = cx.caller.person;
  if (role === "admin") return;
  const rows = await query(cx.db, `${IN_VIEW[kind]} limit 1`, [cx.caller.account_id, id, user_id]);
  if (rows.length > 0) return;
  throw new Problem("OUT_OF_SCOPE", { message: `This ${kind} is outside your view.` });
}
