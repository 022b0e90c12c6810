/**
 * The scenarios of the design, played against a running service. Their file lies beside the
 * repository; where it is absent the test says so and is skipped.
 */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyAuditTrail } from "../../src/features/audit/verify.ts";
import { verifyJournal } from "../../src/features/ledger/verify.ts";
import { type Json, openWorld, type World } from "../support/world.ts";
import { at, Player, type Scenario } from "./player.ts";
import { type Source, stories } from "./table.ts";

const FILE = new URL("../../../shared/data/domain-scenarios.json", import.meta.url);
const FIXTURE = "FIXTURE-STANDARD";

const scenarios: Scenario[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : [];
const is_absent = scenarios.length === 0;
const WHY = "needs ../shared/data/domain-scenarios.json, which is not here";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

function scenarioOf(id: string): Scenario {
  const scenario = scenarios.find((one) => one.id === id);
  if (scenario === undefined) throw new Error(`there is no scenario ${id}`);
  return scenario;
}

describe("the table of stories", () => {
  it("plays every scenario of the file", ({ skip }) => {
    if (is_absent) skip(WHY);
    const known = [FIXTURE, ...stories.map(({ id }) => id)];

    expect(known.sort()).toEqual(scenarios.map(({ id }) => id).sort());
  });

  it.for(stories)("$id: reads every expected key", (story, { skip }) => {
    if (is_absent) skip(WHY);
    expect(Object.keys(story.reads).sort()).toEqual(
      Object.keys(scenarioOf(story.id).expected).sort(),
    );
  });
});

it.for(stories)("the story $id comes out as expected", async (story, { skip }) => {
  if (is_absent) skip(WHY);
  const { steps, expected } = scenarioOf(story.id);
  const player = await Player.open(world, scenarios);

  await player.play(steps, story.saves, story.asks);

  for (const [key, source] of Object.entries(story.reads)) {
    // What the scenario does not list is not asserted; arrays are as long as expected.
    const value = await read(player, source, expected[key]);
    expect({ value }, `${story.id} ${key}`).toMatchObject({ value: expected[key] });
  }
  expect(await verifyJournal(world.db, player.account_id)).toBeNull();
  expect(await verifyAuditTrail(world.db, player.account_id)).toBeNull();
});

async function read(player: Player, source: Source, expected: Json): Promise<Json> {
  const answer = await answerOf(player, source, expected);
  const value = at(answer, source.path ?? "");
  if (source.also !== undefined) {
    const more = Object.entries(source.also).map(([field, path]) => [field, at(value, path)]);
    return { ...value, ...Object.fromEntries(more) };
  }
  if (source.each === undefined) return value;
  const entries: Json[] = [];
  for (const entry of value) {
    for (const [name, field] of Object.entries(entry)) player.save(name, field);
    const more: Json = {};
    for (const [field, { call, sum }] of Object.entries(source.each)) {
      const { data } = await player.ask(call);
      more[field] = data.reduce((total: number, one: Json) => total + one[sum], 0);
    }
    entries.push({ ...entry, ...more });
  }
  return entries;
}

function answerOf(player: Player, source: Source, expected: Json): Promise<Json> {
  if ("told" in source) return source.told(player, expected);
  return "step" in source ? player.answer(source.step) : player.ask(source.call);
}
