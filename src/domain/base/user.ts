/**
 * People of an account (spec 7.1): at least one active admin always remains, and only an admin in person or the command line
 * decides who is one. A key that leaks is therefore no way to everything for good.
 */
import { Problem } from "./problem.ts";

export const roles = ["admin", "standard"] as const;
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

interface Standing {
  readonly role: Role;
  readonly active: boolean;
}

/** What of a user decides about their rights: with another address they are another person. */
interface Identity extends Standing {
  readonly email: string;
}

/**
 * Returns when an admin in person or the command line asks for the change, or it leaves address, role and activity of admins as they
 * are. `before` is null for a new user. Throws ROLE_FORBIDDEN.
 */
export function requireMayChangeAdmin(
  is_admin_in_person: boolean,
  before: Identity | null,
  after: Identity,
): void {
  const concerns_admin = before?.role === "admin" || after.role === "admin";
  const is_same =
    before?.email === after.email && before.role === after.role && before.active === after.active;
  if (is_admin_in_person || !concerns_admin || is_same) return;
  throw new Problem("ROLE_FORBIDDEN", {
    message:
      "Only an admin in person makes an admin, or changes an admin's address, role or activity; `matchbook user create` and `matchbook user update` do it on the command line.",
  });
}

/** Whether the change makes an active admin of a user who was none; `before` is null for a new user. */
export function becomesAdmin(before: Standing | null, after: Standing): boolean {
  return isActiveAdmin(after) && (before === null || !isActiveAdmin(before));
}

function isActiveAdmin({ active, role }: Standing): boolean {
  return active && role === "admin";
}

/** Throws LAST_ADMIN when the change would leave the account without an active admin. */
export function requireAdminRemains(
  before: Standing,
  after: Standing,
  other_active_admins: number,
): void {
  const leaves = isActiveAdmin(before) && !isActiveAdmin(after);
  if (leaves && other_active_admins === 0) throw new Problem("LAST_ADMIN");
}
