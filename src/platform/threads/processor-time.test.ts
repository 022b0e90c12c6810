import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processorTimeOf, systemThread } from "./processor-time.ts";

describe("the processor time of a thread", () => {
  it.runIf(existsSync("/proc/thread-self"))("grows with its computations (needs /proc)", () => {
    const own = systemThread() ?? 0;
    const before = processorTimeOf(own);
    let sum = 0;
    // Longer than a tick of the system's clock on any machine.
    for (let n = 0; n < 200_000_000; n += 1) sum += n % 7;
    expect(sum).toBeGreaterThan(0);
    expect(processorTimeOf(own)).toBeGreaterThan(before);
  });

  it("is 0 for a thread that has ended", () => {
    expect(processorTimeOf(0)).toBe(0);
  });
});
