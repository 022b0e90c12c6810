/**
 * Random histories in which people plan and agree while others change things through the API: after each step the state is
 * unchanged or as agreed. `TEST_HISTORIES` is their number; `TEST_HISTORY_SEED` repeats one seed.
 */
import { describe, expect, it } from "vitest";
import { type StepName, steps } from "../revenue/steps.ts";
import { Draw, Studio } from "../revenue/studio.ts";
import { agentOf } from "../support/mcp/mcp.ts";
import { useWorld } from "../support/world/world.ts";
import { type Asked, agree, agreeAtOnce, ask, outcomes } from "./agreed.ts";
import { ideaOf } from "./ideas.ts";

const STEPS = 70;
const asked_for = process.env.TEST_HISTORY_SEED;
const many = Number(process.env.TEST_HISTORIES ?? 2);
const seeds =
  asked_for === undefined
    ? [20_260_731, ...Array.from({ length: many - 1 }, (_, at) => (Date.now() + at) % 2 ** 31)]
    : [Number(asked_for)];

/** The steps of other people between a plan and its commit. */
const MEANWHILE: readonly StepName[] = [
  "change",
  "header",
  "work",
  "workChange",
  "issue",
  "credit",
  "seriesEdit",
  "occurrence",
  "scheduler",
  "cancel",
  "lock",
  "rate",
  "clock",
];

const world = useWorld();

async function play(seed: number): Promise<void> {
  const draw = new Draw(seed);
  const studio = await Studio.open(world, draw);
  const { account_id, admin } = studio.account;
  const people = [
    await agentOf(world, { account_id, user_id: admin.user_id }),
    await agentOf(world, { account_id, user_id: studio.users[1]?.id }),
  ];
  const open: Asked[] = [];
  const plan = async (): Promise<void> => {
    const idea = await ideaOf(studio, draw);
    const agent = draw.often(70) ? people[0] : people[1];
    const asked = idea && agent && (await ask(studio, agent, ...idea));
    if (asked) open.push(asked);
  };
  const commit = async (): Promise<void> => {
    const at = draw.often(60) ? open.length - 1 : draw.below(open.length || 1);
    const [asked] = open.splice(at, 1);
    if (asked) await agree(studio, asked);
  };
  const rush = async (): Promise<void> => agreeAtOnce(studio, open.splice(-3));
  const office = async (): Promise<void> => {
    const { id } = draw.oneOf(studio.customers);
    const email = draw.oneOf(["c@acme.example", null, "d@acme.example"]);
    await studio.ask(`PATCH /customers/${id}`, draw.oneOf<object>([{ email }, { phone: "1" }]));
    if (draw.often(30)) {
      await studio.ask("PATCH /configuration", { default_auto_send: draw.often(70) });
    }
  };
  try {
    await studio.done("PATCH /configuration", { default_auto_send: true });
    for (const name of ["draft", "draft", "issue", "series", "draft", "work"] as const) {
      await steps[name](studio, draw);
    }
    for (let step = 0; step < STEPS; step += 1) {
      const chance = draw.below(100);
      if (chance < 45) await plan();
      else if (chance < 75) await commit();
      else if (chance < 80) await rush();
      else if (chance < 86) await office();
      else await steps[draw.oneOf(MEANWHILE)](studio, draw);
    }
  } catch (error) {
    if (error instanceof Error) error.message += `\n\n${studio.history.slice(15).join("\n")}\n`;
    throw error;
  }
}

describe("plans and commits among other changes", () => {
  it.each(seeds)(
    "do exactly what was confirmed, once, or nothing (seed %i)",
    (seed) => play(seed),
    600_000,
  );

  it("included immediate commits, later commits and stale plans", () => {
    const counts = (pattern: RegExp): number =>
      [...outcomes].reduce((sum, [key, count]) => sum + (pattern.test(key) ? count : 0), 0);
    expect(counts(/ done at once/)).toBeGreaterThan(0);
    expect(counts(/ done later/)).toBeGreaterThan(0);
    expect(counts(/ PLAN_STALE later/)).toBeGreaterThan(0);
  });
});
