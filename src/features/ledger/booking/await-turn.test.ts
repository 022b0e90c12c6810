/** Turns at a ledger that takes one booking at a time, between threads and processes: each has its own connections. */
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import { inTurn } from "./await-turn.ts";

const CONNECTION = "01990000-0000-7000-8000-00000000c0de";
const world = useWorld();
beforeAll(() =>
  world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'scripted', '{}', 'none', '')`,
    [world.account.account_id, CONNECTION],
  ),
);
beforeEach(() =>
  world.sql(
    "update ledger_connections set turn_of = null, turn_until = null, turn_wanted_until = null",
  ),
);

type Urgency = "interactive" | "bulk";
const pools = () => ({ interactive: world.db, bulk: world.services.pools.background });
const times = (deadline_ms = 20_000) => ({ call_ms: 5_000, deadline: Date.now() + deadline_ms });

function turn(
  urgency: Urgency,
  work: () => Promise<unknown>,
  deadline_ms?: number,
  attempts = 1,
): Promise<unknown> {
  const intent = { account_id: world.account.account_id, id: randomUUID(), attempts } as const;
  const asked = { ...intent, connection_id: CONNECTION };
  return inTurn(pools()[urgency], asked as never, urgency, times(deadline_ms), work);
}

/** Takes a turn and holds it until it is released. */
async function held(urgency: Urgency) {
  let letGo = () => {};
  let begun = () => {};
  const is_begun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const over = turn(urgency, () => {
    begun();
    return until;
  });
  await is_begun;
  return { over, letGo };
}

const wanted = async () =>
  (await world.sql("select from ledger_connections where turn_wanted_until > clock_timestamp()"))
    .length === 1;

it("turns come one after the other, and first to bookings for which a caller waits", async () => {
  const first = await held("bulk");
  const order: string[] = [];
  const asked = (name: string, urgency: Urgency) => turn(urgency, async () => order.push(name));
  const others = [asked("bulk 1", "bulk"), asked("bulk 2", "bulk")];
  const mine = asked("interactive", "interactive");
  await expect.poll(wanted).toBe(true);
  expect(order).toEqual([]);

  first.letGo();

  await Promise.all([first.over, ...others, mine]);
  expect(order[0]).toBe("interactive");
  expect(order.slice(1).sort()).toEqual(["bulk 1", "bulk 2"]);
});

it("a background booking lets waiting callers go first at its first attempt only", async () => {
  const far =
    "update ledger_connections set turn_wanted_until = clock_timestamp() + interval '1 minute'";
  await world.sql(far);
  const work = async () => "done";
  expect(await turn("bulk", work, 60, 1)).toBeNull();
  expect(await turn("bulk", work, 60, 2)).toBe("done");
  expect(await turn("interactive", work, 60, 1)).toBe("done");
});

it("turns are given up at the deadline, and no work was done", async () => {
  const first = await held("interactive");
  const worked: string[] = [];
  expect(await turn("interactive", async () => worked.push("late"), 60)).toBeNull();
  expect(await turn("bulk", async () => worked.push("late"), 60)).toBeNull();
  first.letGo();
  await first.over;
  expect(worked).toEqual([]);
});

it("turns are free again after the lease of a dead process, and soon after a waiting one has died", async () => {
  await world.sql(
    `update ledger_connections set turn_of = $1, turn_until = clock_timestamp(),
    turn_wanted_until = clock_timestamp() + interval '50 milliseconds'`,
    [randomUUID()],
  );
  expect(await turn("bulk", async () => "done")).toBe("done");
});

it("no turn is needed where an account has no connection", async () => {
  const intent = {
    account_id: world.account.account_id,
    id: randomUUID(),
    connection_id: null,
    attempts: 1,
  };
  const work = async () => "done";
  expect(await inTurn(world.db, intent as never, "bulk", times(0), work)).toBe("done");
});
