/** A person of an account in a browser at the running program, and a series with their lines. */
import { addDays, type CalendarDate, mondayOf } from "../../src/domain/base/calendar.ts";
import { type Browser, openBrowser } from "../support/browser/browser.ts";
import type { UsedWorld } from "../support/world/world.ts";
import type { Account, useAccounts } from "./two-accounts.ts";

/** The password of the admins whom a world creates. */
const PASSWORD = "correct horse battery staple";

interface Person {
  readonly browser: Browser;
  readonly cookie: string;
  /** One page, read to its end, or the target of its redirect. Rejects when `signal` aborts. */
  page(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly html: string; readonly location: string | null }>;
}

/** The admin of an account, signed in. */
export async function adminOf(
  { world, program }: ReturnType<typeof useAccounts>,
  { admin }: Account,
): Promise<Person> {
  const at_program: UsedWorld = { ...world, origin: program.origin };
  const browser = openBrowser(at_program);
  await browser.signIn(admin.email, PASSWORD);
  const cookie = browser.cookie() ?? "";
  return {
    browser,
    cookie,
    async page(path, signal) {
      const response = await fetch(program.origin + path, {
        headers: { cookie: `matchbook=${cookie}` },
        redirect: "manual",
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: response.status,
        html: await response.text(),
        location: response.headers.get("location"),
      };
    },
  };
}

/**
 * An active weekly series of an account, all of whose lines are assigned to its admin; the given number of its periods have begun
 * and wait.
 */
export async function openSeries(
  { world }: ReturnType<typeof useAccounts>,
  { admin, customer_id, product_id, key }: Account,
  lines: number,
  periods: number,
): Promise<void> {
  const now = new Date().toISOString();
  // The clock of the world's own service, which activates the series; the program uses the machine's clock.
  world.clock.set(now);
  const line = {
    product_id,
    recognition_method: "value",
    agreed_value: 1000,
    assignees: [{ user_id: admin.user_id }],
  };
  const body = {
    customer_id,
    frequency: "weekly",
    start_date: addDays(mondayOf(now.slice(0, 10) as CalendarDate), -7 * (periods - 1)),
    issue_timing: { mode: "manual" },
    lines: Array.from({ length: lines }, () => line),
  };
  const { id } = await world.done("POST /recurring-series", body, key);
  await world.done(`POST /recurring-series/${id}/activate`, {}, key);
}
