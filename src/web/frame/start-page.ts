/** The start page of a person: for admins what needs the firm, for others their hours, or the page that they have chosen. */
import type { Role } from "../../domain/base/user.ts";

export const START_PAGES = { today: "/today", hours: "/hours" } as const;
export type StartPage = keyof typeof START_PAGES;

const OF_ROLE = { admin: "today", standard: "hours" } as const satisfies Record<Role, StartPage>;

export function startPageOf(role: Role, chosen: StartPage | null): StartPage {
  return chosen ?? OF_ROLE[role];
}
