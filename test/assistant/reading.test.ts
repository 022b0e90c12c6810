/**
 * Random histories of sales, work and closes; then every reading tool is asked for everything, and its answers are compared with
 * the API and with the schemas that assistants see. `TEST_HISTORY_SEED` repeats one seed.
 */
import { describe, it } from "vitest";
import { type StepName, steps, weights } from "../revenue/steps.ts";
import { Draw, Studio } from "../revenue/studio.ts";
import { agentOf } from "../support/mcp/mcp.ts";
import { useWorld } from "../support/world/world.ts";
import { compareAll, compareOwn } from "./compare.ts";
import { checkedAgent } from "./schemas.ts";

const STEPS = 45;
const asked = process.env.TEST_HISTORY_SEED;
const many = Number(process.env.TEST_HISTORIES ?? 3);
const seeds =
  asked === undefined
    ? [20_260_731, ...Array.from({ length: many - 1 }, (_, at) => (Date.now() + at) % 2 ** 31)]
    : [Number(asked)];

const world = useWorld();

const NAMES = Object.entries(weights).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as StepName),
);

describe("after a random history", () => {
  it.each(seeds)(
    "tools agree with the API and fit their schemas (seed %i)",
    async (seed) => {
      const draw = new Draw(seed);
      const studio = await Studio.open(world, draw);
      // A step that finds nothing to do leaves no history: such draws are repeated.
      for (let drawn = 0; drawn < STEPS || studio.history.length < STEPS / 2; drawn += 1) {
        await steps[draw.oneOf(NAMES)](studio, draw);
      }
      const { account_id, admin } = studio.account;
      const personal = async (user_id: string) =>
        checkedAgent(await agentOf(world, { user_id, account_id }));
      try {
        await compareAll(studio, await personal(admin.user_id));
        for (const { id } of studio.users) await compareOwn(studio, await personal(id));
      } catch (error) {
        if (error instanceof Error) error.message += `\n\n${studio.history.slice(15).join("\n")}\n`;
        throw error;
      }
    },
    600_000,
  );
});
