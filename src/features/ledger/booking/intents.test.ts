/** The choice of the bookings in external ledgers that a worker resumes. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import { dueAccounts, postponeIntent, takeDueIntent } from "./intents.ts";

const world = useWorld();
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Stores intents of an account that have been due for some minutes. */
async function due(account_id: string, count: number, minutes: number): Promise<void> {
  await world.sql(
    `insert into intents (account_id, id, document_id, kind, payload, payload_hash, actor_kind, actor_id, lease_until, next_attempt_at)
     select $1, gen_random_uuid(), gen_random_uuid(), 'invoice', '{}', '', 'scheduler', 'worker', now, now
     from generate_series(1, $2), (select clock_timestamp() - make_interval(mins => $3) as now) at`,
    [account_id, count, minutes],
  );
}

describe("intents that are due", () => {
  it("are listed by account, however many are due in one of them", async () => {
    const many = world.account.account_id;
    const [one, two] = [await world.openAnother(), await world.openAnother()];
    await due(many, 20, 60);
    await due(one.account_id, 1, 1);
    await due(two.account_id, 1, -5);

    expect((await dueAccounts(world.services.db, [], BEFORE_ALL, 10)).sort()).toEqual(
      [many, one.account_id].sort(),
    );
    expect(await dueAccounts(world.services.db, [many], BEFORE_ALL, 10)).toEqual([one.account_id]);
    expect(await dueAccounts(world.services.db, [], BEFORE_ALL, 1)).toHaveLength(1);
    await world.sql("update intents set state = 'settled', settled_at = clock_timestamp()");
    expect(await dueAccounts(world.services.db, [], BEFORE_ALL, 10)).toEqual([]);
    await world.sql("delete from intents");
  });

  it("are taken once each, except those that are not due or that another process has", async () => {
    const { account_id } = world.account;
    await due(account_id, 3, 1);
    await due(account_id, 1, -5);

    const taken = await Promise.all(
      [1, 2, 3, 4, 5].map(() => takeDueIntent(world.services.db, account_id)),
    );

    expect(taken.filter((one) => one !== undefined)).toHaveLength(3);
    await world.sql("delete from intents");
  });

  it.each([
    ["unknown", 20],
    ["not_started", 20],
    ["unauthorized", 600],
  ])("wait after `%s` for at most %i s, after however many attempts", async (outcome, seconds) => {
    const { db } = world.services;
    const { account_id } = world.account;
    await due(account_id, 1, 1);
    await world.sql("update intents set attempts = 20");
    const intent = await takeDueIntent(db, account_id);
    if (intent === undefined) throw new Error("nothing is due");
    const known = { state: "unknown", called_at: null, looks: 0 } as const;
    await postponeIntent(db, intent, { known, outcome, reason: null, pause_ms: null });
    const [{ pause }] = await world.sql(
      "select round(extract(epoch from next_attempt_at - lease_until))::int as pause from intents",
    );
    expect(pause).toBe(seconds);
    await world.sql("delete from intents");
  });
});
