/**
 * The database connection is lost at each statement of a run of reminders, of people and of the scheduler, one after the other, before
 * the server receives the statement and after it has run it. A letter is issued with its booking, open item and delivery or not at all;
 * the next run sends what is left, and each letter is mailed once.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { sendBankFile } from "../support/bank/send-file.ts";
import { useFragileWorld } from "../support/database/fragile-world.ts";
import type { Json } from "../support/world/world.ts";

const fragile = useFragileWorld();
const { world } = fragile;
beforeAll(async () => {
  const levels = [{ days_after_due: 3, fee: 100, compensation: true }];
  await world.done("PATCH /configuration", { reminders: { levels, interest: { rate: 10 } } });
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  const entries = [{ day: "2026-03-09", amount: "-1.00", text: "Rent" }];
  expect((await sendBankFile(world, camt({ entries }))).status).toBe(201);
});

let count = 0;

/** A customer with an overdue debt, and the letter that is due. */
async function late(): Promise<Json> {
  count += 1;
  const name = `late-${count}`;
  const customer = `ext:${name}`;
  const email = `${name}@late.example`;
  const { id } = await world.done("POST /customers", { external_id: name, name, email });
  await world.done("POST /opening-items", {
    ...{ external_id: name, number: name, customer, amount: 1000, counter_account: 6950 },
    ...{ date: "2026-01-01", due_date: "2026-01-15" },
  });
  const { rows } = await world.done("POST /reminder-runs/preview", { customer });
  return { id, email, rows: [{ customer, currency: "DKK", agreed: rows[0].agreed }] };
}

/** How many rows of each kind exist for the letters to a customer. */
async function traces({ id }: Json): Promise<Json> {
  const [row] = await world.sql(
    `with sent as (select * from reminders where customer_id = $1)
     select (select count(*)::int from sent) as reminders,
       (select count(*)::int from reminder_items where reminder_id in (select id from sent)) as listed,
       (select count(*)::int from open_items where kind = 'reminder' and customer_id = $1) as items,
       (select count(*)::int from ledger_entries where guid in (select id from sent)) as entries,
       (select count(*)::int from issued_documents where document_id in (select id from sent)) as documents,
       (select count(*)::int from deliveries where document_id in (select id from sent)) as deliveries,
       (select count(*)::int from audit_events where resource_id in (select id::text from sent)
         and action = 'issued') as events`,
    [id],
  );
  return row;
}

const eachIs = (number: number): Json =>
  Object.fromEntries(
    ["reminders", "listed", "items", "entries", "documents", "deliveries", "events"].map((kind) => [
      kind,
      number,
    ]),
  );

async function expectEachMailedOnce(customers: readonly Json[]): Promise<void> {
  await fragile.workUntilDone();
  const mails = (await world.mails()).map(({ to }) => to?.[0]?.address);
  const known = customers.map(({ email }) => email);
  expect(mails.filter((address) => known.includes(address)).sort()).toEqual([...known].sort());
  expect(await world.done("GET /ledger/verification?fresh=true")).toMatchObject({ ok: true });
}

describe.each(["before", "after"] as const)("a connection lost %s a statement", (moment) => {
  it("of a run leaves a letter with all its rows or none", async () => {
    const customers: Json[] = [];
    const seen = new Set<string>();
    const prepare = async (): Promise<Json> => {
      customers.push(await late());
      return customers.at(-1);
    };
    const send = ({ rows }: Json) => fragile.post("/reminder-runs", { rows });
    for await (const { target, statement, status } of fragile.lostAtEveryStatement(
      moment,
      prepare,
      send,
    )) {
      const found = await traces(target);
      expect({ statement, ...found }).toEqual({ statement, ...eachIs(found.reminders) });
      seen.add(`${found.reminders} ${status}`);
      const again = await world.done("POST /reminder-runs", { rows: target.rows });
      expect(again).toMatchObject({ issued: 1, refused: 0, remaining: 0 });
      expect(await traces(target)).toEqual(eachIs(1));
    }
    expect(customers.length).toBeGreaterThan(15);
    expect(seen).toContain("0 500");
    expect(seen).not.toContain("0 200");
    await expectEachMailedOnce(customers);
  });

  it("of the scheduler leaves the letters of the day to its next run", async () => {
    const customers: Json[] = [];
    await world.done("PATCH /configuration", { reminders: { is_automatic: true } });
    const prepare = async (): Promise<Json> => {
      customers.push(await late());
      await world.sql("delete from automatic_reminders");
      return customers.at(-1);
    };
    const run = () => fragile.post("/scheduler-runs");
    for await (const { target, statement } of fragile.lostAtEveryStatement(moment, prepare, run)) {
      const found = await traces(target);
      expect({ statement, ...found }).toEqual({ statement, ...eachIs(found.reminders) });
      const { reminded } = await world.done("POST /scheduler-runs");
      expect(found.reminders + reminded, `statement ${statement}`).toBe(1);
      expect(await traces(target)).toEqual(eachIs(1));
    }
    expect(customers.length).toBeGreaterThan(15);
    await expectEachMailedOnce(customers);
  });
});
