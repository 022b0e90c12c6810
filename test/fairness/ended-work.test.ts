/** Work ends when its client has left or its process must stop, as the processor time that it still uses shows. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { lockCustomer } from "./locked-customer.ts";
import { type Account, processorSeconds, times, useAccounts } from "./two-accounts.ts";

const REQUESTS = 20;
const REPORT = "GET /recognition?from=2024-01&to=2025-12&group_by=customer";
/** The allowed share of the abandoned work, for requests that were running. */
const SHARE = 0.4;

const accounts = useAccounts();

/** An account with a heavy report, and the cost of one request for it. */
async function openHeavy(): Promise<{ readonly account: Account; readonly seconds: number }> {
  const account = await accounts.open();
  await account.series("2024-01-01", 80);
  await account.ask(REPORT);
  const before = await processorSeconds(accounts);
  expect((await account.ask(REPORT)).status).toBe(200);
  return { account, seconds: (await processorSeconds(accounts)) - before };
}

/** Resolves when the program uses almost no processor time any more. */
async function idle(): Promise<void> {
  for (let before = await processorSeconds(accounts); ; ) {
    await delay(3_000);
    const now = await processorSeconds(accounts);
    if (now - before < 0.15) return;
    before = now;
  }
}

describe("abandoned work ends", () => {
  it("when the client has left", async () => {
    const { account, seconds } = await openHeavy();
    await idle();
    let unanswered = 0;
    let used = 0;
    // A slow client may leave too late; then it asks again.
    while (unanswered < REQUESTS / 2) {
      const leave = new AbortController();
      const asked = times(REQUESTS, () => account.ask(REPORT, undefined, { signal: leave.signal }));
      const ended = Promise.allSettled(asked);
      await Promise.race(asked);
      const before = await processorSeconds(accounts);
      leave.abort();
      unanswered = (await ended).filter(({ status }) => status === "rejected").length;
      await idle();
      used = (await processorSeconds(accounts)) - before;
    }
    expect(used).toBeLessThan(unanswered * seconds * SHARE);
    expect((await account.ask("GET /customers?limit=1")).status).toBe(200);
  });

  it("when the process receives a stop signal", async () => {
    const { account } = await openHeavy();
    let answered = 0;
    const asked = times(REQUESTS, async () => {
      const reply = await account.ask(REPORT);
      if (reply.status === 200) answered += 1;
      return reply;
    });
    const ended = Promise.allSettled(asked);
    await Promise.race(asked);
    expect(await accounts.program.terminate()).toBe(0);
    await ended;
    expect(answered).toBeLessThan(REQUESTS * SHARE);
    await accounts.restart();
    expect((await account.ask("GET /customers?limit=1")).status).toBe(200);
  });

  it("and releases its idempotency key, so that a repetition is executed", async () => {
    const account = await accounts.open();
    const { id, customer_id, product_id } = account;
    const line = { product_id, recognition_method: "value", agreed_value: 1000 };
    // Large enough for another thread, which waits for the customer's lock and does not react to the client.
    const body = { customer_id, lines: Array.from({ length: 500 }, () => line) };
    const post = () => account.ask("POST /invoices", body, { idempotency_key: "once" });
    const locked = await lockCustomer(accounts.world, customer_id);
    const ended = Promise.allSettled([post()]);
    await locked.waitedFor();
    expect(await accounts.program.terminate()).toBe(0);
    await ended;
    await locked.release();
    await accounts.restart();
    const again = await post();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
    const made = await accounts.world.sql("select from invoices where account_id = $1", [id]);
    expect(made).toHaveLength(1);
  });
});
