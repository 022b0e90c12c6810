/** People of an account (spec 7.1): at least one active admin always remains. */
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

/** Throws LAST_ADMIN when the change would leave the account without an active admin. */
export function requireAdminRemains(
  before: Standing,
  after: Standing,
  other_active_admins: number,
): void {
  const was = before.active && before.role === "admin";
  const stays = after.active && after.role === "admin";
  if (was && !stays && other_active_admins === 0) throw new Problem("LAST_ADMIN");
}
