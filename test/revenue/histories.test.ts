/**
 * Random histories of sales, work, changes and closes, played through the real service, with the
 * invariants of spec 3.9 checked after every step and the books checked by hledger and beancount at the
 * end. `TEST_HISTORIES` sets their number; `TEST_HISTORY_SEED` plays one seed again.
 */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInstalled, isSkippedWithout } from "../support/run/needs.ts";
import { useWorld } from "../support/world/world.ts";
import { type Judges, play, tally } from "./play.ts";
import { type StepName, weights } from "./steps.ts";

const HISTORIES = Number(process.env.TEST_HISTORIES ?? 12);
const asked = process.env.TEST_HISTORY_SEED;
const FIXED = 20_260_731;
const seeds = asked === undefined ? [FIXED, Date.now() % 2 ** 31] : [Number(asked)];

const anySeed = fc.noShrink(fc.nat());
/** A failing history is shrunk only by whole steps, because a smaller seed is no simpler step. */
const anyStep = fc.noShrink(
  fc.record({
    name: fc.oneof(
      ...Object.entries(weights).map(([name, weight]) => ({
        weight,
        arbitrary: fc.constant(name as StepName),
      })),
    ),
    seed: anySeed,
  }),
);
const anyHistory = fc.record({
  opening: anySeed,
  steps: fc.array(anyStep, { minLength: 1, maxLength: 60, size: "max" }),
});

/** A failing history is shortened for at most this long; then the shortest so far is reported. */
const LONGEST_SHRINKING_MS = 3 * 60_000;

const OPENINGS = ["opening 201", "openingEnd 200"];
const judges: Judges = { hledger: isInstalled("hledger"), beancount: isInstalled("bean-check") };

const world = useWorld();

describe("a random history of revenue", () => {
  it.each(seeds)(
    "keeps every invariant after every step (seed %i)",
    async (seed) => {
      let failed_at: number | null = null;
      const played = fc.asyncProperty(anyHistory, async ({ opening, steps }) => {
        if (failed_at !== null && Date.now() - failed_at > LONGEST_SHRINKING_MS) return;
        await play(world, opening, steps, judges).catch((error) => {
          failed_at ??= Date.now();
          throw error;
        });
      });
      await fc.assert(played, {
        seed,
        numRuns: Math.ceil(HISTORIES / seeds.length),
        endOnFailure: process.env.TEST_HISTORY_WHOLE === "1",
      });
    },
    3_600_000,
  );

  it("contained successful steps and refusals", () => {
    const done = [...tally.keys()].filter((key) => / 20[014]$/.test(key));
    expect(done.length).toBeGreaterThan(10);
    expect([...tally.keys()].some((key) => / 409 /.test(key))).toBe(true);
    // The fixed seed has them; one seed alone may not.
    if (asked === undefined) expect(done).toEqual(expect.arrayContaining(OPENINGS));
  });

  for (const [tool, is_there] of Object.entries(judges)) {
    it.skipIf(isSkippedWithout(is_there))(`had its journal checked (needs ${tool})`, () => {
      expect(is_there).toBe(true);
    });
  }
});
