/**
 * Two processes send webhooks while one of them is killed again and again, and the account keeps changing. Each event arrives at
 * least once and few arrive twice; of what arrives for the first time, the order is that of the feed. CRASH_KILLS
 * makes it longer (`npm run crash-loop`).
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startOnWorld,
} from "../support/run/program.ts";
import { openReceiver, type Receiver } from "../support/webhooks/receivers.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const KILLS = Number(process.env.CRASH_KILLS ?? 10);
const WRITERS = 4;
/** The share of events that may arrive twice. */
const MOST_TWICE = 0.02;

const environment = {
  MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1",
  MATCHBOOK_SECRET_KEY: `a:${"5".repeat(64)}`,
};
const world = useWorld({ environment });
let program: BuiltProgram;
const receivers: Receiver[] = [];
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(async () => {
  await program.end();
  await Promise.all(receivers.map(({ close }) => close()));
});

/** A receiver that needs a moment, and its endpoint. */
async function receiving(ordering: string): Promise<{ receiver: Receiver; endpoint: Json }> {
  const receiver = await openReceiver({
    answer: (_request, response) => {
      setTimeout(() => response.writeHead(204).end(), Math.random() * 5);
    },
  });
  receivers.push(receiver);
  const endpoint = await world.done("POST /webhook-endpoints", {
    ...{ url: receiver.url, event_types: ["customer.*"], ordering, max_per_second: 100 },
  });
  return { receiver, endpoint };
}

/** Changes a customer of its own until it is stopped. */
async function write(n: number, isStopped: () => boolean): Promise<void> {
  const { id } = await world.done("POST /customers", { name: `Customer ${n}` });
  for (let change = 0; !isStopped(); change += 1) {
    await world.done(`PATCH /customers/${id}`, { city: `City ${change}` });
    await delay(60);
  }
}

/** The events that arrived, each at its first time, and how many arrived again. */
function arrivalsAt({ requests }: Receiver): { first: Json[]; again: number } {
  const events = requests.map(({ body }) => JSON.parse(body));
  const seen = new Set<string>();
  const first = events.filter(({ id }) => !seen.has(id) && seen.add(id));
  return { first, again: events.length - first.length };
}

it(`sends each event through ${KILLS} kills of two processes`, { timeout: 3_600_000 }, async () => {
  const byResource = await receiving("resource");
  const byAccount = await receiving("account");
  const start = () => startOnWorld(program, world, environment);
  const running: RunningProgram[] = await Promise.all([start(), start()]);
  let is_stopped = false;
  const writers = Array.from({ length: WRITERS }, (_, n) => write(n, () => is_stopped));
  for (let kills = 0, round = 0; kills < KILLS; round += 1) {
    await delay(Math.random() * 500);
    // In turns one of them, so that the other one takes over meanwhile, and both at once.
    const one = Math.random() < 0.5 ? 0 : 1;
    const victims = round % 2 === 0 || kills === KILLS - 1 ? [one] : [one, 1 - one];
    await Promise.all(victims.map((victim) => running[victim]?.kill()));
    kills += victims.length;
    if (kills === KILLS && victims.length === 1) {
      // The one that is left sends the rest.
      running.splice(one, 1);
      break;
    }
    const started = Promise.all(victims.map(start));
    await delay(800 + Math.random() * 1_000);
    for (const [at, program] of (await started).entries()) running[victims[at] ?? 0] = program;
  }
  is_stopped = true;
  await Promise.all(writers);
  const backlogOf = async ({ id }: Json): Promise<number> =>
    (await world.done(`GET /webhook-endpoints/${id}`)).backlog;
  for (const { endpoint } of [byResource, byAccount]) {
    await expect.poll(() => backlogOf(endpoint), { interval: 250, timeout: 120_000 }).toBe(0);
  }
  await Promise.all(running.map((one) => one.terminate()));

  const sent = await world.sql(
    "select id, seq::int as sequence from audit_events where resource_type = 'customer' order by seq",
  );
  for (const { receiver } of [byResource, byAccount]) {
    const { first, again } = arrivalsAt(receiver);
    const sequences = first.map(({ sequence }) => sequence).sort((a, b) => a - b);
    expect(sequences).toEqual(sent.map(({ sequence }) => sequence));
    const figures = `${again} of ${sent.length} events arrived twice`;
    expect(again / sent.length, figures).toBeLessThanOrEqual(MOST_TWICE);
  }
  const inOrder = (events: readonly Json[]) =>
    events.every(({ sequence }, at) => at === 0 || events[at - 1].sequence < sequence);
  expect(inOrder(arrivalsAt(byAccount.receiver).first)).toBe(true);
  const { first } = arrivalsAt(byResource.receiver);
  for (const customer of new Set(first.map(({ resource_id }) => resource_id))) {
    const own = first.filter(({ resource_id }) => resource_id === customer);
    expect(inOrder(own)).toBe(true);
    expect(own.length).toBeGreaterThan(1);
  }
});
