/** Returns a person's start page: the chosen page, else the attention page for admins and the hours for others. */
import type { Role } from "../../domain/base/user.ts";

export const START_PAGES = { today: "/today", hours: "/hours", close: "/close" } as const;
export type StartPage = keyof typeof START_PAGES;

const OF_ROLE = { admin: "today", standard: "hours" } as const satisfies Record<Role, StartPage>;

/** Returns the pages on which a person of the role may start. */
export function startPagesOf(role: Role): readonly StartPage[] {
  return role === "admin" ? ["today", "hours", "close"] : ["today", "hours"];
}

/** Returns the start page. A page that the role no longer has counts as not chosen. */
export function startPageOf(role: Role, chosen: StartPage | null): StartPage {
  return chosen !== null && startPagesOf(role).includes(chosen) ? chosen : OF_ROLE[role];
}
