/**
 * The budget of every page: at most twelve statements and one for what is beside the session, and at most 60 kB of HTML as browsers
 * receive it. Each page has a line in test/support/browser/every-page.ts.
 */
import { brotliCompressSync, constants } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/browser/browser.ts";
import { everyPage, type Visit } from "../support/browser/every-page.ts";
import { statementsOf } from "../support/browser/statements.ts";
import { useWorld } from "../support/world/world.ts";

/** With the two statements that begin and end a transaction. */
const MOST_STATEMENTS = 14;
/** What is read beside a session is a statement of its own, because a cluster reads it on the machine of the account. */
const BESIDE_SESSION = 1;
/** Pages that run a command and roll it back, or that add up a month: the statements of that work count, too. */
const MOST_OF_DRY_RUNS: Readonly<Record<string, number>> = {
  "/invoices/:id/issue": 18,
  "/invoices/issue": 32,
  "/invoices/issue/outcomes": 32,
  // Three plans, one for each scope.
  "/retainers/:id/lines/:line": 45,
  "/retainers/:id/lines/:line/remove": 45,
  "/retainers/:id/activate": 30,
  "/retainers/:id/end": 40,
  "/retainers/:id/:period/issue": 25,
  "/close/:month": 22,
  "an explanation": 25,
  "the balances of a month": 28,
  "/customers/:id/accruals/:month/book": 20,
  "/close/:month/confirm": 20,
  "/payments/new": 26,
  "/payments/:id/take-back": 40,
  "/reminders": 24,
  "/reminders/send": 24,
  "/reminders/:id/cancel": 30,
  "/allocations/:id/take-back": 37,
  "/opening-items/:id/take-back": 40,
  "/allocations/new": 40,
  "/bank/book": 40,
  "/bank/lines/:id/other": 40,
};
const MOST_BYTES = 60_000;

const world = useWorld({ knows_origin: true });
let visits: readonly Visit[];
beforeAll(async () => {
  visits = await everyPage(world);
});

/** Visits pages one after the other, and returns those that cost more than they may, with what they cost. */
async function above(
  mostOf: (page: string) => number,
  costOf: (visit: () => Promise<{ html: string }>) => Promise<number>,
) {
  const found: string[] = [];
  for (const { page, path, cookie } of visits) {
    const browser = openBrowser(world);
    browser.setCookie(cookie);
    const cost = await costOf(() => browser.get(path));
    if (cost > mostOf(page)) found.push(`${path}: ${cost}`);
  }
  return found;
}

it("a page sends at most its budget of statements", async () => {
  const mostOf = (page: string) => (MOST_OF_DRY_RUNS[page] ?? MOST_STATEMENTS) + BESIDE_SESSION;
  expect(visits.length).toBeGreaterThan(50);
  expect(await above(mostOf, statementsOf)).toEqual([]);
});

it("a page has at most 60 kB, compressed as it is sent", async () => {
  const sizeOf = async (visit: () => Promise<{ html: string }>) => {
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
    return brotliCompressSync((await visit()).html, quality).length;
  };
  expect(await above(() => MOST_BYTES, sizeOf)).toEqual([]);
});
