/** The SQL queries of users. */

import { notFound } from "../../../domain/base/problem.ts";
import type { Role } from "../../../domain/base/user.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Condition } from "../../../platform/database/page.ts";
import {
  columnOfRef,
  lockRow,
  namesById,
  shownStamp,
} from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type UserQuery, UserResource } from "./schemas.ts";

export interface User {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly created_at: string;
}

/** Presents a user as the API shows it; the stamp is the time of this change, in microseconds. */
export function presentUser(user: User, stamp: string): JsonText {
  return jsonText(UserResource.parse({ object: "user", ...user, updated_at: shownStamp(stamp) }));
}

/** Returns the read of a page of users, the newest first. */
export function readUsers(page: UserQuery): StoredRead {
  return readPage("users", conditionsOf(page), page);
}

function conditionsOf(filters: UserQuery): Condition[] {
  const conditions: Condition[] = [];
  if (filters.external_id !== undefined) conditions.push(["external_id =", filters.external_id]);
  if (filters.role !== undefined) conditions.push(["role =", filters.role]);
  if (filters.active !== undefined) conditions.push(["active =", filters.active]);
  return conditions;
}

export interface StoredUser {
  readonly user: User;
  readonly document: JsonText;
}

/** Locks the user that a reference names and returns it. Throws NOT_FOUND. */
export function lockUser(tx: Tx, ref: string): Promise<StoredUser> {
  lockRow(tx, "users", ref);
  return getUser(tx, ref);
}

/** Returns the user that a reference names. Throws NOT_FOUND. */
export async function getUser(cx: Reader, ref: string): Promise<StoredUser> {
  const stored = await findUser(cx, ref);
  if (stored === undefined) throw notFound("user", ref);
  return stored;
}

/** Returns the user that a reference names; undefined when the account has none. */
export async function findUser(cx: Reader, ref: string): Promise<StoredUser | undefined> {
  const [column, value] = columnOfRef(ref);
  const row = await cx.row<
    User & { readonly document: JsonText }
  >(sql`select id, external_id, name, email, role, active, created_at, document from users
      where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value}`);
  if (row === undefined) return undefined;
  const { document, ...user } = row;
  return { user, document };
}

/** Counts the active admins other than one user, and locks them, so that two admins cannot leave in parallel. */
export async function countOtherAdmins(cx: Tx, user_id: string): Promise<number> {
  const admins = await cx.rows<{ id: string }>(sql`select id from users
      where account_id = ${cx.caller.account_id} and role = 'admin' and active order by id for no key update`);
  return admins.filter((admin) => admin.id !== user_id).length;
}

/** All users of the account, by name. */
export function listPeople(cx: Reader): Promise<Pick<User, "id" | "name" | "active">[]> {
  return cx.rows<Pick<User, "id" | "name" | "active">>(
    sql`select id, name, active from users where account_id = ${cx.caller.account_id} order by name, id`,
  );
}

/** Returns the names of users by their ids. */
export function userNames(cx: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  return namesById(cx, "users", ids);
}

/** Returns those of the ids that are active users of the account. */
export async function activeUsers(cx: Reader, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await cx.rows<{ id: string }>(
    sql`select id from users where account_id = ${cx.caller.account_id} and active and id = any(${[...new Set(ids)]})`,
  );
  return new Set(rows.map((row) => row.id));
}
