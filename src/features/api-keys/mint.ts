/** Minting and revoking keys, by the command line and in the developer settings. */
import * as z from "zod";
import { Problem } from "../../domain/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import { jsonText } from "../../platform/json.ts";
import { hashOfKey, makeKey, prefixOfKey } from "./key.ts";

export interface MintedKey {
  readonly id: string;
  /** The key itself: this is the only time that it is seen. */
  readonly key: string;
}

export const KeyFields = z.object({ name: text(100, 1), scope: z.enum(["read", "read_write"]) });

/** Mints a key in a transaction of its own. */
export const createKey = defineCommand({
  name: "create_key",
  access: "write",
  input: KeyFields,
  plan: async (_cx, fields) => fields,
  commit: mintKey,
});

/** Ends a key at once, in a transaction of its own. Throws NOT_FOUND. */
export const endKey = defineCommand({
  name: "revoke_key",
  access: "write",
  input: z.object({ id: Uuid }),
  plan: async (_cx, { id }) => id,
  commit: revokeKey,
});

export interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly scope: "read" | "read_write";
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** The live keys of the account, the newest first; at most 500. */
export function listKeys(cx: Context): Promise<ShownKey[]> {
  return query(
    cx.db,
    `select id, name, scope, prefix, created_at, last_used_at from api_keys
     where account_id = $1 and revoked_at is null
       and (expires_at is null or expires_at > clock_timestamp())
     order by id desc limit 500`,
    [cx.caller.account_id],
  );
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
