/** The computation of a page ends when its reader has left, as the processor time of the serving thread shows. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { adminOf, openSeries } from "./person.ts";
import { is_counted, TRIED_AGAIN, usedByServing } from "./processor.ts";
import { useAccounts } from "./two-accounts.ts";

const PAGES = 12;
/** In units of one page's cost: the readers leave after this much work, while most of it is still to come. */
const DONE = 1.5;
/** The processor time allowed in the five seconds after that. */
const MOST_MS = 250;
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 500 };
/** Often, because a fast machine ends several pages in half a second. */
const AT_ONCE = { timeout: 60_000, interval: 5 };

const accounts = useAccounts();

describe.runIf(is_counted)(
  "the computation of a page ends when its reader has left (needs /proc)",
  () => {
    it.each<[string, number, number, (customer_id: string) => string]>([
      // Fewer lines than are cached, and enough that adding them up takes time.
      ["GET /today", 60, 160, () => "/today"],
      ["GET /customers/{id}", 60, 160, (customer_id) => `/customers/${customer_id}`],
      ["GET /hours/{week}", 500, 440, () => "/hours"],
    ])("%s", TRIED_AGAIN, async (_page, lines, periods, pathOf) => {
      const account = await accounts.open();
      await openSeries(accounts, account, lines, periods);
      await account.issued(1);
      const person = await adminOf(accounts, account);
      const named = pathOf(account.customer_id);
      const path = (await person.page(named)).location ?? named;
      // On a busy machine, the first of them may come before the database answers in time.
      await vi.waitUntil(async () => (await person.page(path)).status === 200, WITHIN_A_MINUTE);

      const before = usedByServing(accounts.program);
      await person.page(path);
      const begun = usedByServing(accounts.program);
      const leave = new AbortController();
      const asked = Array.from({ length: PAGES }, () => person.page(path, leave.signal));
      const ended = Promise.allSettled(asked);
      const isUnderWay = async () =>
        usedByServing(accounts.program) - begun > DONE * (begun - before);
      await Promise.race([ended, vi.waitUntil(isUnderWay, AT_ONCE)]);
      leave.abort();
      const outcomes = await ended;
      const left = usedByServing(accounts.program);
      await delay(5_000);

      expect(usedByServing(accounts.program) - left).toBeLessThan(MOST_MS);
      expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(
        PAGES / 2,
      );
      await vi.waitUntil(
        async () => (await person.page("/customers")).status === 200,
        WITHIN_A_MINUTE,
      );
    });
  },
);
