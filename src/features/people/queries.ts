/** The SQL of users. */
import { notFound } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import type { Context } from "../../platform/context.ts";
import { query } from "../../platform/database/database.ts";
import { type Condition, listDocuments } from "../../platform/database/page.ts";
import { columnOfRef, held, namesById, shownStamp } from "../../platform/database/resources.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
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

/** A user as the API shows it; the stamp is the time of this change, with microseconds. */
export function presentUser(user: User, stamp: string): JsonText {
  return jsonText(UserResource.parse({ object: "user", ...user, updated_at: shownStamp(stamp) }));
}

export function listUsers(cx: Context, page: UserQuery): Promise<JsonText> {
  const conditions: Condition[] = [];
  if (page.external_id !== undefined) conditions.push(["external_id =", page.external_id]);
  if (page.role !== undefined) conditions.push(["role =", page.role]);
  if (page.active !== undefined) conditions.push(["active =", page.active]);
  return listDocuments(cx.db, "users", cx.caller.account_id, conditions, page);
}

export interface StoredUser {
  readonly user: User;
  readonly document: JsonText;
}

/** Throws NOT_FOUND. Locked when the context says so. */
export async function getUser(cx: Context, ref: string): Promise<StoredUser> {
  const stored = await findUser(cx, ref);
  if (stored === undefined) throw notFound("user", ref);
  return stored;
}

/** As `getUser`; undefined when the account has none under the reference. */
export async function findUser(cx: Context, ref: string): Promise<StoredUser | undefined> {
  const [column, value] = columnOfRef(ref);
  const [row] = await query<User & { readonly document: JsonText }>(
    cx.db,
    sql`select id, external_id, name, email, role, active, created_at, document from users
      where account_id = ${cx.caller.account_id} and ${raw(column)} = ${value} ${held(cx)}`,
  );
  if (row === undefined) return undefined;
  const { document, ...user } = row;
  return { user, document };
}

/** The active admins besides one user; locked, so that two of them cannot leave at once. */
export async function countOtherAdmins(cx: Context, user_id: string): Promise<number> {
  const admins = await query<{ id: string }>(
    cx.db,
    sql`select id from users
      where account_id = ${cx.caller.account_id} and role = 'admin' and active order by id ${held(cx)}`,
  );
  return admins.filter((admin) => admin.id !== user_id).length;
}

/** The names of users by their ids. */
export function userNames(cx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  return namesById(cx, "users", ids);
}

/** Which of the ids are active users of the account. */
export async function activeUsers(cx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    cx.db,
    "select id from users where account_id = $1 and active and id = any($2)",
    [cx.caller.account_id, [...new Set(ids)]],
  );
  return new Set(rows.map((row) => row.id));
}
