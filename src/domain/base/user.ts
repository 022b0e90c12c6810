/**
 * The users of an account (spec 7.1): at least one active admin always remains, and only an admin in person or the command line
 * decides who is an admin. So a leaked key cannot gain permanent full access.
 */
import { Problem } from "./problem.ts";

export const roles = ["admin", "standard"] as const;
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

interface UserStatus {
  readonly role: Role;
  readonly active: boolean;
}

/** The properties of a user on which their rights depend: a new address makes the user another person. */
interface Identity extends UserStatus {
  readonly email: string;
}

/**
 * Throws ROLE_FORBIDDEN unless an admin in person or the command line requests the change, or the change leaves address, role and
 * activity of admins unchanged. `before` is null for a new user.
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
      "Only a signed-in admin may create an admin, or change an admin's address, role or activity; `matchbook user create` and `matchbook user update` do so on the command line.",
  });
}

/** Whether the change turns a user into an active admin; `before` is null for a new user. */
export function becomesAdmin(before: UserStatus | null, after: UserStatus): boolean {
  return isActiveAdmin(after) && (before === null || !isActiveAdmin(before));
}

function isActiveAdmin({ active, role }: UserStatus): boolean {
  return active && role === "admin";
}

/** Throws LAST_ADMIN when the change would leave the account without an active admin. */
export function requireAdminRemains(
  before: UserStatus,
  after: UserStatus,
  other_active_admins: number,
): void {
  const leaves = isActiveAdmin(before) && !isActiveAdmin(after);
  if (leaves && other_active_admins === 0) throw new Problem("LAST_ADMIN");
}
