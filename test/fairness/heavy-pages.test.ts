/**
 * Long pages take the few heavy places of their account, short ones never do; several simultaneous long pages do not block other
 * accounts.
 */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openBrowser, proofOf } from "../support/browser/browser.ts";
import { adminOf, openSeries } from "./person.ts";
import { besideSmallRequests, is_counted, TRIED_AGAIN } from "./processor.ts";
import { fillFile, readSlowly } from "./slow-reader.ts";
import { type Account, useAccounts } from "./two-accounts.ts";

/** Redirects to the current week. */
const WEEK = "/hours";
/** Without the heavy places, another account would wait for all sixteen pages: seven times as long. */
const MOST_WAIT_MS = 250;
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 500 };

describe("while the heavy places of an account are taken", () => {
  const accounts = useAccounts({ MATCHBOOK_IN_FLIGHT: "8:1:0" });

  /** An account whose only heavy place a slow reader holds, and a weekly series of its admin with the given number of lines. */
  async function openTaken(lines: number, weeks: number) {
    const account = await accounts.open();
    await openSeries(accounts, account, lines, weeks);
    await fillFile(account);
    const person = await adminOf(accounts, account);
    const week = (await person.page(WEEK)).location ?? "";
    const reader = await readSlowly(accounts.program.origin, account);
    expect(reader.status_line).toBe("HTTP/1.1 200 OK");
    return { account, person, week, reader };
  }

  it("pages above the bound and drafts of more than 100 lines wait for a place", async () => {
    const { account, person, week, reader } = await openTaken(200, 60);
    const other = (await accounts.world.done("POST /customers", { name: "Other" }, account.key)).id;
    const [long, short] = [await account.draft(101), await account.draft(100)];
    const status = async (path: string): Promise<number> => (await person.page(path)).status;

    expect(await status("/today")).toBe(429);
    expect(await status(`/customers/${account.customer_id}`)).toBe(429);
    expect(await status(week)).toBe(429);
    expect(await status(`/invoices/${long}`)).toBe(429);
    expect(await status(`/invoices/${short}`)).toBe(200);
    expect(await status(`/customers/${other}`)).toBe(200);
    expect(await status("/customers")).toBe(200);

    const browser = openBrowser({ ...accounts.world, origin: accounts.program.origin });
    browser.setCookie(person.cookie);
    const proof = await proofOf(browser);
    const read = (id: string) => browser.act("/app/drafts/read", { id, language: "en" }, proof);
    expect((await read(long)).body.error.code).toBe("RATE_LIMITED");
    expect((await read(short)).status).toBe(200);

    expect(await reader.readRest()).toBe(true);
    for (const path of ["/today", `/customers/${account.customer_id}`, week, `/invoices/${long}`]) {
      await vi.waitUntil(async () => (await status(path)) === 200, WITHIN_A_MINUTE);
    }
    expect((await read(long)).status).toBe(200);
  });

  it("pages below the bound are answered", async () => {
    const { account, person, week, reader } = await openTaken(50, 60);
    for (const path of ["/today", `/customers/${account.customer_id}`, week]) {
      expect((await person.page(path)).status).toBe(200);
    }
    expect(await reader.readRest()).toBe(true);
  });
});

describe.runIf(is_counted)("sixteen long drafts in parallel editors (needs /proc)", () => {
  const accounts = useAccounts();
  let light: Account;
  beforeAll(async () => {
    light = await accounts.open();
    await light.ask("GET /customers?limit=1");
  });

  it("do not block another account", TRIED_AGAIN, async () => {
    const account = await accounts.open();
    const id = await account.draft(500);
    const person = await adminOf(accounts, account);
    const path = `/invoices/${id}`;
    // Compilation on first use is not part of the measurement.
    for (let n = 0; n < 40; n += 1) expect((await person.page(path)).status).toBe(200);

    const { result, longest_wait } = await besideSmallRequests(accounts.program, light, () =>
      Promise.all(Array.from({ length: 16 }, () => person.page(path))),
    );
    for (const { status } of result) expect([200, 429]).toContain(status);
    expect(result.some(({ status }) => status === 200)).toBe(true);
    expect(longest_wait).toBeLessThan(MOST_WAIT_MS);
  });
});
