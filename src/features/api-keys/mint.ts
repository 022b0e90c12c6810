/** Minting and revoking keys. Minted by the command line now; the developer settings use the same functions. */
import { Problem } from "../../domain/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { newId } from "../../platform/id.ts";
import { jsonText } from "../../platform/json.ts";
import { hashOfKey, makeKey, prefixOfKey } from "./key.ts";

export interface MintedKey {
  readonly id: string;
  /** The key itself: this is the only time that it is seen. */
  readonly key: string;
}

/** Stores a new key's digest and its audit event; to be called inside a transaction. */
export async function mintKey(
  cx: Context,
  fields: { readonly name: string; readonly scope: "read" | "read_write" },
): Promise<MintedKey> {
  const key = makeKey();
  const id = newId<string>();
  const prefix = prefixOfKey(key);
  await cx.db
    .insertInto("api_keys")
    .values({
      id,
      account_id: cx.caller.account_id,
      name: fields.name,
      scope: fields.scope,
      hash: hashOfKey(key),
      prefix,
    })
    .execute();
  await recordAudit(cx, {
    action: "created",
    resource_type: "api_key",
    resource_id: id,
    before: null,
    after: jsonText({ object: "api_key", id, ...fields, prefix }),
  });
  return { id, key };
}

/** Ends a key at once. Throws NOT_FOUND for a key that is not the account's, or is revoked already. */
export async function revokeKey(cx: Context, id: string): Promise<void> {
  const rows = await query<{ name: string; scope: string; prefix: string }>(
    cx.db,
    `update api_keys set revoked_at = clock_timestamp()
     where id = $1 and account_id = $2 and revoked_at is null returning name, scope, prefix`,
    [id, cx.caller.account_id],
  );
  if (!rows[0]) throw new Problem("NOT_FOUND");
  await recordAudit(cx, {
    action: "revoked",
    resource_type: "api_key",
    resource_id: id,
    before: jsonText({ object: "api_key", id, ...rows[0] }),
    after: null,
  });
}
