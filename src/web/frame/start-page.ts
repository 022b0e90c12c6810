/** Returns a person's start page: the chosen page, else the attention page for admins and the hours for others. */
import type { Role } from "../../domain/base/user.ts";

export const START_PAGES = { today: "/today", hours: "/hours" } as const;
export type StartPage = keyof typeof START_PAGES;

const OF_ROLE = { admin: "today", standard: "hours" } as const satisfies Record<Role, StartPage>;

export function startPageOf(role: Role, chosen: StartPage | null): StartPage {
  return chosen ?? OF_ROLE[role];
}
