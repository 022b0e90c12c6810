/** The scenarios of test/data/scenarios, played against a running service and compared number by number. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { type Json, useWorld } from "../support/world/world.ts";
import { at, Player, type Scenario } from "./player.ts";
import { type Source, stories } from "./table.ts";

const FOLDER = new URL("../data/scenarios/", import.meta.url);

const world = useWorld();

function scenarioOf(id: string): Scenario {
  return JSON.parse(readFileSync(new URL(`${id}.json`, FOLDER), "utf8"));
}

describe("the table of scenarios", () => {
  it("plays every scenario with expected values", () => {
    const ids = readdirSync(FOLDER).map((name) => name.replace(".json", ""));
    const measured = ids.filter((id) => scenarioOf(id).expected !== undefined);

    expect(stories.map(({ id }) => id).sort()).toEqual(measured.sort());
  });

  it.for(stories)("$id: reads every expected key", (story) => {
    expect(Object.keys(story.reads).sort()).toEqual(
      Object.keys(scenarioOf(story.id).expected ?? {}).sort(),
    );
  });
});

it.for(stories.map((story) => ({ ...story, title: scenarioOf(story.id).title })))(
  "$id: $title",
  async (story) => {
    const scenario = scenarioOf(story.id);
    const { expected = {} } = scenario;
    const player = await Player.open(world, scenarioOf);

    await player.play(scenario);

    for (const [key, source] of Object.entries(story.reads)) {
      // What the scenario does not list is not asserted; arrays are as long as expected.
      const value = await read(player, source, expected[key]);
      expect({ value }, `${story.id} ${key}`).toMatchObject({ value: expected[key] });
    }
    expect(await verifyJournal(world.db, player.account_id)).toBeNull();
    expect(await verifyAuditTrail(world.db, player.account_id)).toBeNull();
  },
);

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
  if ("reported" in source) return source.reported(player, expected);
  return "kept" in source ? player.kept(source.kept) : player.ask(source.call);
}
