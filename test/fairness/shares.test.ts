/** How much work one account may have in progress simultaneously, and what happens to its further requests. */
import { describe, expect, it } from "vitest";
import { type Answered, times, useAccounts } from "./two-accounts.ts";

/** Of an account's heavy requests, 2 run and 32 wait. */
const MORE_THAN_MAY_WAIT = 40;

const accounts = useAccounts();

describe("heavy requests of one account", () => {
  it("wait in a queue: twenty-one PDFs are all answered", async () => {
    const account = await accounts.open();
    const drafts: string[] = [];
    for (let n = 0; n < 21; n += 1) drafts.push(await account.draft(3));
    const answers = await Promise.all(
      times(21, (n) => account.obey(`GET /invoices/${drafts[n]}/pdf`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(drafts.map(() => 200));
    for (const { body } of answers) expect(Buffer.from(body.slice(0, 5)).toString()).toBe("%PDF-");
  });

  it("are refused beyond the queue, and all answered to a client that respects Retry-After", async () => {
    const account = await accounts.open();
    await account.series("2025-01-06", 5);
    const refusals: Answered[] = [];
    const report = "GET /recognition?from=2025-01&to=2025-12";
    const answers = await Promise.all(
      times(60, () => account.obey(report, undefined, (refused) => refusals.push(refused))),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(0);
    for (const { body, headers } of refusals) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(JSON.parse(Buffer.from(body).toString()).error.code).toBe("RATE_LIMITED");
    }
  });

  it("do not block another account's heavy request", async () => {
    const [hog, other] = [await accounts.open(), await accounts.open()];
    // A report on these needs many times the processor time of a PDF, and ends when its client has left.
    await hog.series("2024-01-01", 200);
    const id = await other.draft(5);
    const leave = new AbortController();
    const report = "GET /recognition?from=2024-01&to=2025-12&group_by=customer";
    const statuses = new Set<number>();
    const hogging = times(MORE_THAN_MAY_WAIT, async () => {
      const reply = await hog.ask(report, undefined, { signal: leave.signal });
      statuses.add(reply.status);
      return reply;
    });
    const ended = Promise.allSettled(hogging);
    // The first answer is a refusal: from then on, the account has as much in progress as it may.
    await Promise.race(hogging);
    const { status } = await other.ask(`GET /invoices/${id}/pdf`);
    const answered = [...statuses];
    leave.abort();
    await ended;
    expect(status).toBe(200);
    expect(answered).toEqual([429]);
  });
});
