/** How a page follows a close. */
import { describe, expect, it } from "vitest";
import { nextRequest, type Progress, progressAfter, progressFrom } from "./progress-state.ts";

const RUNNING: Progress = { is_running: true, done: 20, total: 1000, failed: 0 };
const ENDED: Progress = { is_running: false, done: 1000, total: 1000, failed: 2 };

describe("a page that follows a close", () => {
  it("asks after one second, then every three", () => {
    const first = progressFrom(RUNNING);
    const second = progressAfter(first, { kind: "answered", progress: { ...RUNNING, done: 300 } });
    const third = progressAfter(second, { kind: "answered", progress: { ...RUNNING, done: 600 } });
    expect([first, second, third].map(nextRequest)).toEqual([1_000, 3_000, 3_000]);
    expect(third.progress.done).toBe(600);
  });

  it("keeps the last progress when an answer is lost, and asks again", () => {
    const after = progressAfter(progressFrom(RUNNING), { kind: "lost" });
    expect(after.progress).toEqual(RUNNING);
    expect(nextRequest(after)).toBe(3_000);
  });

  it("asks no more when the close has ended", () => {
    const after = progressAfter(progressFrom(RUNNING), { kind: "answered", progress: ENDED });
    expect(nextRequest(after)).toBeNull();
  });
});
