import { expect, it } from "vitest";
import { Slices } from "./slices.ts";

/** Computes for some milliseconds. */
function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it("lets others have their turn each time that a slice is over", async () => {
  let turns = 0;
  let is_done = false;
  const others = () => {
    turns += 1;
    if (!is_done) setImmediate(others);
  };
  setImmediate(others);

  const slices = new Slices();
  let ends = 0;
  while (ends < 3) {
    compute(4);
    if (!slices.isOver) continue;
    ends += 1;
    const before = turns;
    await slices.next();
    expect(turns).toBeGreaterThan(before);
    expect(slices.isOver).toBe(false);
  }
  is_done = true;
});
