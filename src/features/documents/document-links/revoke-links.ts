/** Revokes all links of a document, and reads whether one is open. */
import * as z from "zod";
import type { Timestamp } from "../../../domain/base/brand.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { offersLinks } from "./mint-link.ts";

/**
 * Defines the command that ends all links of a document; it returns how many mails had one. A mail that is still waiting leaves
 * with a link that does not open. Sending the document again makes a new link. It throws the errors of `getIssued`, which needs no
 * lock: an issued document never changes.
 */
export function defineRevoking(
  name: string,
  type: "invoice" | "credit_note",
  getIssued: (tx: Tx, ref: string) => Promise<{ readonly id: string }>,
) {
  return defineCommand({
    name,
    access: "issue",
    input: z.object({ ref: Ref }),

    plan: (tx, { ref }) => getIssued(tx, ref),

    async commit(tx, { id }): Promise<number> {
      const ended = await tx.rows<{ had_link: boolean; customer_id: string | null }>(sql`
        update deliveries set link_revoked_at = (select clock_timestamp())
        where account_id = ${tx.caller.account_id} and document_id = ${id} and link_revoked_at is null
        returning link_hash is not null as had_link, customer_id`);
      const links = ended.filter(({ had_link }) => had_link).length;
      if (ended.length > 0) {
        const after = jsonText({ object: "document_links", document_id: id, revoked: links });
        const customer_id = ended[0]?.customer_id ?? null;
        tx.audit(type, id, "links_revoked", { before: null, after, customer_id });
      }
      return links;
    },
  });
}

/** Returns when the last open link of a document ends; null when none is open. */
export async function openLinkUntil(cx: Reader, document_id: string): Promise<Timestamp | null> {
  if (!offersLinks(cx, true)) return null;
  const { account_id } = cx.caller;
  const row = await cx.row<{ until: Timestamp | null }>(sql`
    select max(d.link_ends_at) as until from deliveries d
    where d.account_id = ${account_id} and d.document_id = ${document_id}
      and d.link_hash is not null and d.link_revoked_at is null
      and d.state in ('sending', 'written_to_outbox', 'accepted', 'unknown')
      and exists (select from configurations c where c.account_id = ${account_id} and c.document_links)`);
  const until = row?.until ?? null;
  return until !== null && until > cx.clock.now() ? until : null;
}
