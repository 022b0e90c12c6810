/**
 * Sends a stored change to a connected ledger while the caller waits. A refusal by the ledger reverts the change and
 * goes to the caller, as for our own rules (spec 9.9), so that a success is not contradicted later.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { violatedConstraint } from "../../../platform/database/database.ts";
import { lockRow, stampedAnew } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Uuid } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { pushNow } from "./push-link.ts";
import type { LinkKind } from "./queries.ts";

/**
 * Sends a stored change to a connected ledger, if the ledger responds in time; otherwise the change stays queued. Throws
 * LEDGER_REJECTED when the ledger refuses the change, which is then reverted.
 */
export async function notifyLedger(cx: Context, kind: LinkKind, document: JsonText): Promise<void> {
  const { id } = JSON.parse(document) as { readonly id: string };
  const pushed = await pushNow(cx, kind, id);
  if (pushed?.state !== "refused" || !pushed.is_awaited) return;
  const { code, fields } = pushed.outcome;
  try {
    await run(takeBack, cx, { kind, id, document, reason: code });
  } catch (error) {
    // Another record refers to the new record in the meantime: it stays, and is shown as refused by the ledger.
    if (violatedConstraint(error) === undefined) throw error;
    return;
  }
  throw new Problem("LEDGER_REJECTED", {
    message: `The accounting system did not accept the ${kind}; nothing was changed.`,
    details: { reason: code, ...(fields && { fields: boundedFields(fields) }) },
  });
}

/** Limits the length of the ledger's messages, which are untrusted text and are passed on as data. */
function boundedFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  const bounded = Object.entries(fields).slice(0, 20);
  return Object.fromEntries(bounded.map(([name, text]) => [name.slice(0, 64), text.slice(0, 300)]));
}

/** Returns the `after` step of a command that stores a customer or product which a connected ledger also keeps. */
export function ledgerNotifier(kind: LinkKind) {
  return async (cx: Context, document: JsonText): Promise<JsonText> => {
    await notifyLedger(cx, kind, document);
    return document;
  };
}

/** Restores the state of a record before the change, unless the record has changed again. */
const takeBack = defineCommand({
  name: "take_back_refused_change",
  access: "write",
  input: z.object({
    kind: z.enum(["customer", "product"]),
    id: Uuid,
    document: z.custom<JsonText>(),
    reason: z.string(),
  }),

  async plan(tx, { kind, id, document, reason }) {
    const table = kind === "customer" ? "customers" : "products";
    lockRow(tx, table, id);
    const now = await tx.row<{ document: JsonText; previous: string | null }>(sql`
      select t.document, l.previous from ${raw(table)} t
      join ledger_connections c on c.account_id = t.account_id and c.is_current
      join ledger_links l on l.account_id = t.account_id and l.connection_id = c.id and l.kind = ${kind}
        and l.local_id = t.id and l.state = 'failed'
      where t.account_id = ${tx.caller.account_id} and t.id = ${id}`);
    const is_current = now !== undefined && now.document === document;
    return {
      table,
      kind,
      id,
      reason,
      before: document,
      is_current,
      previous: now?.previous ?? null,
    };
  },

  commit(tx, { table, kind, id, reason, before, is_current, previous }): void {
    if (!is_current) return;
    const { account_id } = tx.caller;
    const own = sql`where t.account_id = ${account_id} and t.id = ${id}`;
    if (previous === null) {
      tx.write(
        sql`delete from ledger_links where account_id = ${account_id} and kind = ${kind} and local_id = ${id}`,
      );
      tx.write(sql`delete from ${raw(table)} t ${own}`);
    } else {
      const kept = Object.keys(JSON.parse(previous)).filter((column) => !SET_ANEW.has(column));
      const columns = raw(kept.map((column) => `${column} = p.${column}`).join(", "));
      tx.write(sql`update ${raw(table)} t set ${columns}, updated_at = ${stampedAnew(account_id)}
        from json_populate_record(null::${raw(table)}, ${previous}::json) as p ${own}`);
    }
    const after = previous === null ? null : (JSON.parse(previous).document as JsonText);
    tx.audit(kind, id, "refused_by_ledger", { before, after, reason });
  },
});

const SET_ANEW: ReadonlySet<string> = new Set(["account_id", "id", "updated_at"]);
