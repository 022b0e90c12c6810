/** Collects what the shell shows of the person whose session a request has. */
import { dayIn, monthOf } from "../../domain/base/calendar.ts";
import type { WaitingCounts } from "../../features/overview/today/count-side.ts";
import type { Caller } from "../../platform/commands/context.ts";
import { clockOf, type Services } from "../../platform/runtime/services.ts";
import type { Session } from "../../platform/security/sessions/session.ts";
import { ACTIONS } from "./action.ts";
import { PREFERENCES_PATH, type Signed } from "./shell.tsx";
import { startPageOf } from "./start-page.ts";

/** Returns what the shell shows of the person; null for a visitor. `csrf` makes the token of an action. */
export function signedFrom(
  services: Services,
  { caller, start_page, time_zone }: Session,
  waiting: WaitingCounts | null,
  csrf: (action: string) => string,
): Signed | null {
  if (caller?.person == null || waiting === null) return null;
  return {
    person: caller.person,
    account_name: caller.account_name,
    waiting,
    ready_month: readyMonth(services, caller, waiting.month, time_zone),
    start_page: startPageOf(caller.person.role, start_page),
    sign_out_csrf: csrf("/sign-out"),
    preferences_csrf: csrf(PREFERENCES_PATH),
    actions_csrf: csrf(ACTIONS),
  };
}

/** Returns the month that waits for its close, once it has ended in the account. */
function readyMonth(
  services: Services,
  caller: Caller,
  month: string | null,
  time_zone: string | null,
): string | null {
  if (month === null || time_zone === null) return null;
  return month < monthOf(dayIn(time_zone, clockOf(services, caller).now())) ? month : null;
}
