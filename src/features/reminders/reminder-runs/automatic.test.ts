/** Reminders that the scheduler sends (spec 13.7): once a day, and only when the bank statements are recent. */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useReminders } from "../../../../test/support/world/reminders.ts";
import { freePort, type Json } from "../../../../test/support/world/world.ts";
import { openApp } from "../../../app.ts";
import { openLog } from "../../../platform/runtime/log.ts";

const { world, someone, late, at, settings, preview, sendableRows } = useReminders();

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  await settings({ levels: [3, 13].map((days_after_due) => ({ days_after_due, fee: 100 })) });
  at("2026-03-10");
});

const reminded = async (): Promise<number> => (await world.done("POST /scheduler-runs")).reminded;

/** Brings a statement that ends on a day. */
async function bankThrough(day: string): Promise<void> {
  const text = `Rent of ${day}`;
  const file = camt({ entries: [{ amount: "-1.00", day, text }] });
  expect((await sendBankFile(world, file)).status).toBe(201);
}

const remindersOf = async (customer: Json): Promise<Json[]> =>
  (await world.done(`GET /reminders?customer=${customer.id}`)).data;

describe("the scheduler", () => {
  it("sends no reminders unless they are automatic", async () => {
    await late(await someone(), 1000);
    await bankThrough("2026-03-09");
    expect(await reminded()).toBe(0);
  });

  it("sends the reminders of a day once, and what is due later on its day", async () => {
    const [one, other] = [await someone(), await someone()];
    await late(one, 1000);
    await settings({ is_automatic: true });
    // The customer of the test before, too.
    expect(await reminded()).toBe(2);
    expect(await remindersOf(one)).toMatchObject([{ level: 1, fee: 100, date: "2026-03-10" }]);
    await late(other, 1000);
    expect(await reminded()).toBe(0);
    at("2026-03-11");
    expect(await reminded()).toBe(1);
    expect(await reminded()).toBe(0);
    expect(await remindersOf(other)).toHaveLength(1);
  });

  it("waits until the statements of the bank are recent", async () => {
    at("2026-03-21");
    expect(await reminded()).toBe(0);
    await bankThrough("2026-03-20");
    expect(await reminded()).toBe(3);
  });

  it("does not stop at what cannot be booked, and does it on the next day", async () => {
    const one = await someone();
    await late(one, 1000);
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-22" });
    at("2026-03-22");
    expect(await reminded()).toBe(0);
    expect(await remindersOf(one)).toEqual([]);
    await world.done("PATCH /configuration", { period_lock_date: null });
    expect(await reminded()).toBe(0);
    at("2026-03-23");
    expect(await reminded()).toBe(1);
  });

  it("sends each letter once when two runs meet", async () => {
    const customers = await Promise.all(Array.from({ length: 3 }, () => someone()));
    for (const customer of customers) await late(customer, 1000);
    at("2026-03-24");
    await bankThrough("2026-03-23");
    const runs = await Promise.all([reminded(), reminded(), reminded()]);
    expect(runs.reduce((sum, count) => sum + count, 0)).toBe(3);
    for (const customer of customers) expect(await remindersOf(customer)).toHaveLength(1);
    expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
  });

  it("sends each letter once when the runs of people meet those of two services", async () => {
    const { config, clock } = world.services;
    const other = openApp(config, world.serving_url, openLog("silent"), { clock });
    const port = await freePort();
    await other.server.listen({ host: "127.0.0.1", port });
    try {
      const customers = await Promise.all(Array.from({ length: 6 }, () => someone()));
      for (const customer of customers) await late(customer, 1000);
      at("2026-03-25");
      await bankThrough("2026-03-24");
      const shown = await Promise.all(customers.map((customer) => preview(customer)));
      const rows = shown.flatMap(sendableRows);
      const scheduled = async (): Promise<number> => {
        const headers = { authorization: `Bearer ${world.account.keys.read_write}` };
        const path = `http://127.0.0.1:${port}/api/v1/scheduler-runs`;
        return ((await (await fetch(path, { method: "POST", headers })).json()) as Json).reminded;
      };
      const runs = [rows, [...rows].reverse()].map((some) =>
        world.done("POST /reminder-runs", { rows: some }),
      );
      const [mine, its] = await Promise.all([reminded(), scheduled(), ...runs]);
      expect(mine + its).toBeLessThanOrEqual(customers.length);
      const answers = await Promise.all(runs);
      for (const customer of customers) {
        const sent = await remindersOf(customer);
        expect(sent).toHaveLength(1);
        // Both runs of people answer with the letter, whether they or a scheduler issued it.
        for (const { outcomes } of answers) {
          expect(outcomes).toContainEqual(
            expect.objectContaining({
              ...{ customer: customer.id, outcome: "issued", reminder_id: sent[0].id },
            }),
          );
        }
        const deliveries = await world.sql("select from deliveries where document_id = $1", [
          sent[0].id,
        ]);
        expect(deliveries).toHaveLength(1);
      }
      expect(await reminded()).toBe(0);
      expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
    } finally {
      await other.close();
    }
  });
});
