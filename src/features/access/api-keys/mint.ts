/** Mints and revokes keys, for the command line and the developer settings. */

import * as z from "zod";
import { type CalendarDate, dayIn } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Day, text, Uuid } from "../../../platform/http/schemas.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { hashOfKey, makeKey, prefixOfKey } from "./key.ts";

export interface MintedKey {
  readonly id: string;
  /** The key itself, which is shown only now. */
  readonly key: string;
}

const KeyFields = z.object({
  name: text(100, 1),
  scope: z.enum(["read", "read_write"]),
  /** The last day on which the key works, in UTC; without one it works until it is revoked. */
  last_day: Day.optional(),
});

/** The fields of the form. The form's one-time value is stored with the key, so a repeated form creates only one key. */
export const KeyForm = KeyFields.extend({
  once: z.string().regex(/^[\w-]{43}$/),
  // A browser also sends fields that are empty.
  last_day: z.preprocess((value) => (value === "" ? undefined : value), Day.optional()),
});

/**
 * Mints a key in its own transaction. Throws VALIDATION_FAILED for a last day in the past. A repeated form creates no key: the
 * result has the name of the key that the form created, even if that key is revoked.
 */
export const createKey = defineCommand({
  name: "create_key",
  access: "write",
  input: KeyForm,
  plan: async (_cx, form) => form,

  async commit(tx, { once, ...fields }): Promise<MintedKey | { readonly made_before: string }> {
    const form_hash = sha256(once);
    const minted = await storeKey(tx, fields, form_hash);
    if (minted !== undefined) return minted;
    const earlier = await tx.row<{ name: string }>(
      sql`select name from api_keys where account_id = ${tx.caller.account_id} and form_hash = ${form_hash}`,
    );
    return { made_before: earlier?.name ?? fields.name };
  },
});

/** Ends a key immediately, in its own transaction. Throws NOT_FOUND. */
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
  /** The user who created the key on a page; null for the command line, and for keys from before this was stored. */
  readonly created_by: string | null;
  /** The current name of this user, and whether they may still create keys; null where `created_by` is. */
  readonly created_by_name: string | null;
  readonly maker_is_admin: boolean | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface KeyPage {
  readonly keys: readonly ShownKey[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: string | null;
}

const KEYS_A_PAGE = 100;

const SHOWN_KEYS = `select k.id, k.name, k.scope, k.prefix, k.created_at, k.created_by, u.name as created_by_name,
     u.active and u.role = 'admin' as maker_is_admin, k.expires_at, k.last_used_at, k.revoked_at
   from api_keys k left join users u on u.account_id = k.account_id and u.id = k.created_by`;

const IS_LIVE =
  "k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())";

/** Returns a page of the account's keys, either live keys or revoked and expired ones, the newest first. */
export async function listKeys(
  cx: Reader,
  which: "live" | "ended",
  after: string | null = null,
): Promise<KeyPage> {
  const rows = await cx.rows<ShownKey>(sql`${raw(SHOWN_KEYS)}
     where k.account_id = ${cx.caller.account_id} and (${after}::uuid is null or k.id < ${after})
       and (${raw(IS_LIVE)}) = ${which === "live"}
     order by k.id desc limit ${raw(KEYS_A_PAGE + 1)}`);
  const keys = rows.slice(0, KEYS_A_PAGE);
  return { keys, next: rows.length > KEYS_A_PAGE ? (keys.at(-1)?.id ?? null) : null };
}

/** Returns the live keys that a user has created, the newest first: they stay valid when the user loses their rights. */
export function listKeysOf(cx: Reader, user_id: string): Promise<ShownKey[]> {
  return cx.rows<ShownKey>(sql`${raw(SHOWN_KEYS)}
     where k.account_id = ${cx.caller.account_id} and k.created_by = ${user_id} and ${raw(IS_LIVE)}
     order by k.id desc`);
}

/** Stores a new key's digest and its audit event. Throws VALIDATION_FAILED for a last day in the past. */
export async function mintKey(tx: Tx, fields: z.infer<typeof KeyFields>): Promise<MintedKey> {
  const minted = await storeKey(tx, fields, null);
  if (minted === undefined) throw new Error("a key without a form was made before");
  return minted;
}

/** Stores the key; returns undefined when the form was sent before, also by a request that commits while this one waits. */
async function storeKey(
  tx: Tx,
  { name, scope, last_day }: z.infer<typeof KeyFields>,
  form_hash: Buffer | null,
): Promise<MintedKey | undefined> {
  const { account_id, person } = tx.caller;
  if (last_day !== undefined) requireNotOver(last_day);
  const key = makeKey();
  const id = newId<string>();
  const prefix = prefixOfKey(key);
  const stored =
    await tx.row(sql`insert into api_keys (id, account_id, name, scope, hash, prefix, form_hash, created_by, expires_at)
     values (${id}, ${account_id}, ${name}, ${scope}, ${hashOfKey(key)}, ${prefix}, ${form_hash}, ${person?.user_id ?? null}, (${last_day ?? null}::date + 1)::timestamp at time zone 'UTC')
     on conflict (account_id, form_hash) where form_hash is not null do nothing returning id`);
  if (stored === undefined) return undefined;
  tx.audit("api_key", id, "created", {
    before: null,
    after: jsonText({ object: "api_key", id, name, scope, prefix, ...(last_day && { last_day }) }),
  });
  return { id, key };
}

/** Requires that the last day is not over by the real clock, because a sandbox's key is also a real secret. */
function requireNotOver(last_day: CalendarDate): void {
  if (last_day >= dayIn("UTC", timestampOf(Date.now()))) return;
  const message = "The last day of a key must be today or later.";
  const field_errors = [{ field: "last_day", code: "invalid_value", message } as const];
  throw new Problem("VALIDATION_FAILED", { message, field_errors });
}

/** Ends a key immediately. Throws NOT_FOUND for a key of another account, or one that is revoked already. */
export async function revokeKey(tx: Tx, id: string): Promise<void> {
  const row = await tx.row<{ name: string; scope: string; prefix: string }>(sql`
    update api_keys set revoked_at = (select clock_timestamp())
     where id = ${id} and account_id = ${tx.caller.account_id} and revoked_at is null returning name, scope, prefix`);
  if (!row) throw new Problem("NOT_FOUND");
  tx.audit("api_key", id, "revoked", {
    before: jsonText({ object: "api_key", id, ...row }),
    after: null,
  });
}
