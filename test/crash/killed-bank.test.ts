/**
 * The real program is killed with SIGKILL repeatedly while clients import bank files, book their lines, record, apply and reverse
 * payments and send reminders, and it is restarted on the same database. Answers that clients got remain true; each line is imported and
 * booked once, each reminder is sent once, no number is missing, and nothing is open below 0. `TEST_KILLS` is the number of kills; their
 * moments are random.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { MoneyClients } from "../support/world/money-clients.ts";
import { useWorld } from "../support/world/world.ts";

const KILLS = Number(process.env.TEST_KILLS ?? 2);

const world = useWorld();
let program: BuiltProgram;
let clients: MoneyClients;
beforeAll(async () => {
  program = await buildProgram();
  clients = await MoneyClients.prepare(world.account.keys.read_write, world.done);
});
afterAll(() => program.end());

it(`survives ${KILLS} kills without losing or doubling a payment`, {
  timeout: 3_600_000,
}, async () => {
  for (let kills = 0; kills < KILLS; kills += 1) {
    const running = await startOnWorld(program, world);
    const enough = clients.answers + 5 + Math.floor(Math.random() * 40);
    const ended = clients.run([running.origin]);
    while (clients.answers < enough) await delay(2);
    await delay(Math.random() * 20);
    await running.kill();
    await ended;
  }
  const running = await startOnWorld(program, world);
  await clients.expectEachOnce([running.origin], world.sql);
  expect(clients.unanswered).toBeGreaterThanOrEqual(KILLS);
});
