/** What a page computes ends when its reader has left: the processor time of the service says so. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { adminOf } from "./person.ts";
import { processorSeconds, useAccounts } from "./two-accounts.ts";

const PAGES = 12;
/** What the pages have used when their readers leave, and far less than they would use in all. */
const BEFORE_SECONDS = 1;
/** What is allowed in five seconds after that. */
const MOST_SECONDS = 0.25;
const WEEKS = 160;
const LINES = 60;

const PATIENCE = { timeout: 60_000, interval: 500 };

const accounts = useAccounts();

/** The Monday so many weeks ago. */
function mondayBefore(weeks: number): string {
  const day = new Date(Date.now() - weeks * 7 * 86_400_000);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

describe("what a page computes ends when its reader has left", () => {
  it.each([
    ["GET /today", () => "/today"],
    ["GET /customers/{id}", (customer_id: string) => `/customers/${customer_id}`],
  ])("%s", async (_page, pathOf) => {
    const account = await accounts.open();
    await account.series(mondayBefore(WEEKS), LINES);
    await account.issued(1);
    const person = await adminOf(accounts, account);
    const path = pathOf(account.customer_id);
    // On a busy machine the first of them may come before the database has time.
    await vi.waitUntil(async () => (await person.page(path)).status === 200, PATIENCE);

    const before = await processorSeconds(accounts);
    const leave = new AbortController();
    const asked = Array.from({ length: PAGES }, () => person.page(path, leave.signal));
    const ended = Promise.allSettled(asked);
    while ((await processorSeconds(accounts)) - before < BEFORE_SECONDS) await delay(50);
    leave.abort();
    const outcomes = await ended;
    const left = await processorSeconds(accounts);
    await delay(5_000);

    expect((await processorSeconds(accounts)) - left).toBeLessThan(MOST_SECONDS);
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(
      PAGES / 2,
    );
    await vi.waitUntil(async () => (await person.page("/customers")).status === 200, PATIENCE);
  });
});
