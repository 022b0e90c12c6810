/** Minting and revoking keys, by the command line and in the developer settings. */
import * as z from "zod";
import { Problem } from "../../domain/problem.ts";
import { recordAudit } from "../../platform/audit.ts";
import { defineCommand } from "../../platform/command.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { newId } from "../../platform/id.ts";
import { jsonText, sha256 } from "../../platform/json.ts";
import { hashOfKey, makeKey, prefixOfKey } from "./key.ts";

export interface MintedKey {
  readonly id: string;
  /** The key itself: this is the only time that it is seen. */
  readonly key: string;
}

export const KeyFields = z.object({ name: text(100, 1), scope: z.enum(["read", "read_write"]) });

/** What the form sends. Its one-time value is stored with the key: the same form makes one key, however often it is sent. */
export const KeyForm = KeyFields.extend({ once: z.string().regex(/^[\w-]{43}$/) });

/**
 * Mints a key in a transaction of its own. A form that was sent before makes none: then the answer has the name
 * of the key that it made, be that revoked by now.
 */
export const createKey = defineCommand({
  name: "create_key",
  access: "write",
  input: KeyForm,
  plan: async (_cx, form) => form,

  async commit(cx, { once, ...fields }): Promise<MintedKey | { readonly made_before: string }> {
    const form_hash = sha256(once);
    const minted = await storeKey(cx, fields, form_hash);
    if (minted !== undefined) return minted;
    const [earlier] = await query<{ name: string }>(
      cx.db,
      "select name from api_keys where account_id = $1 and form_hash = $2",
      [cx.caller.account_id, form_hash],
    );
    return { made_before: earlier?.name ?? fields.name };
  },
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
export async function mintKey(cx: Context, fields: z.infer<typeof KeyFields>): Promise<MintedKey> {
  const minted = await storeKey(cx, fields, null);
  if (minted === undefined) throw new Error("a key without a form was made before");
  return minted;
}

/** Undefined when the form was sent before, also by a request that commits while this one waits. */
async function storeKey(
  cx: Context,
  { name, scope }: z.infer<typeof KeyFields>,
  form_hash: Buffer | null,
): Promise<MintedKey | undefined> {
  const { account_id } = cx.caller;
  const key = makeKey();
  const id = newId<string>();
  const prefix = prefixOfKey(key);
  const stored = await query(
    cx.db,
    `insert into api_keys (id, account_id, name, scope, hash, prefix, form_hash)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, form_hash) where form_hash is not null do nothing returning id`,
    [id, account_id, name, scope, hashOfKey(key), prefix, form_hash],
  );
  if (stored.length === 0) return undefined;
  await recordAudit(cx, {
    action: "created",
    resource_type: "api_key",
    resource_id: id,
    before: null,
    after: jsonText({ object: "api_key", id, name, scope, prefix }),
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
