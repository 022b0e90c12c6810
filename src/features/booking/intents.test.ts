/** Whose booking in an external ledger a worker goes on with. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { takeDueIntent } from "./intents.ts";

const world = useWorld();

/** Stores intents of an account that are due since some minutes. */
async function due(account_id: string, count: number, minutes: number): Promise<void> {
  await world.sql(
    `insert into intents (account_id, id, kind, payload, payload_hash, actor_kind, actor_id, lease_until, next_attempt_at)
     select $1, gen_random_uuid(), 'invoice', '{}', '', 'scheduler', 'worker', now, now
     from generate_series(1, $2), (select clock_timestamp() - make_interval(mins => $3) as now) at`,
    [account_id, count, minutes],
  );
}

async function taken(times: number): Promise<(string | undefined)[]> {
  const accounts: (string | undefined)[] = [];
  for (let time = 0; time < times; time += 1) {
    accounts.push((await takeDueIntent(world.services.db))?.account_id);
  }
  return accounts;
}

describe("takeDueIntent", () => {
  it("takes turns between accounts, whatever waits in one of them", async () => {
    const many = world.account.account_id;
    const [one, two] = [await world.openAnother(), await world.openAnother()];
    await due(many, 20, 60);
    await due(one.account_id, 1, 1);
    await due(two.account_id, 2, 1);

    const accounts = await taken(7);

    expect(accounts.slice(0, 3).sort()).toEqual([many, one.account_id, two.account_id].sort());
    expect(accounts.filter((account) => account === two.account_id)).toHaveLength(2);
    expect(accounts.slice(5)).toEqual([many, many]);
    await world.sql("delete from intents");
  });

  it("takes each once, and none that is not due or that somebody has", async () => {
    const { account_id } = world.account;
    await due(account_id, 3, 1);
    await due(account_id, 1, -5);

    const accounts = await Promise.all([1, 2, 3, 4, 5].map(() => taken(1)));

    expect(accounts.flat().filter((account) => account === account_id)).toHaveLength(3);
    await world.sql("delete from intents");
  });
});
