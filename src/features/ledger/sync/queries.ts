/** Reads links to the connected ledger as the API shows them. */
import type { Reader } from "../../../platform/commands/context.ts";
import { cursorFrom, envelope, positionFrom } from "../../../platform/database/page.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { findLink, type LinkKind, type LinkRow } from "../../catalogue/links/queries.ts";
import { LedgerLinkResource, type SyncQuery } from "./schemas.ts";

/** Returns the link of a customer or product to the connected ledger. Throws NOT_FOUND. */
export async function readLink(cx: Reader, kind: LinkKind, ref: string): Promise<JsonText> {
  const { id } = await getStored(cx, kind === "customer" ? "customers" : "products", ref);
  return present((await findLink(cx, kind, id)) ?? { kind, local_id: id, ...NO_LINK });
}

const NO_LINK = {
  ledger_id: null,
  state: "not_connected",
  reason: null,
  synced_at: null,
  next_attempt_at: null,
} as const;

const POSITION = /^(customer|product):[0-9a-f-]{36}$/;

/** Lists the links that wait for the ledger or that the ledger refused, by kind and id. */
export async function listSync(cx: Reader, page: SyncQuery): Promise<JsonText> {
  const [kind = "", id = null] =
    page.cursor === undefined ? [] : positionFrom(page.cursor, POSITION).id.split(":");
  const rows =
    await cx.rows<Shown>(sql`select l.kind, l.local_id, l.ledger_id, l.state, l.reason, l.synced_at, l.next_attempt_at
    from ledger_links l join ledger_connections c on c.account_id = l.account_id and c.id = l.connection_id and c.is_current
    where l.account_id = ${cx.caller.account_id} and l.state in ('queued', 'failed')
      and (${page.state ?? null}::text is null or l.state = ${page.state ?? null})
      and (${page.kind ?? null}::text is null or l.kind = ${page.kind ?? null})
      and (${id}::uuid is null or (l.kind, l.local_id) > (${kind}, ${id}::uuid))
    order by l.kind, l.local_id limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: `${last.kind}:${last.local_id}`, horizon: null }) : null;
  return envelope(shown.map(present), next);
}

type Shown = Omit<LinkRow, "version" | "state"> & {
  readonly state: LinkRow["state"] | "not_connected";
};

function present({ local_id, kind, ledger_id, state, reason, synced_at, next_attempt_at }: Shown) {
  return jsonText(
    LedgerLinkResource.parse({
      object: "ledger_link",
      kind,
      id: local_id,
      ledger_id,
      state,
      reason,
      synced_at,
      next_attempt_at: state === "queued" ? next_attempt_at : null,
    }),
  );
}
