import { describe, expect, it } from "vitest";
import { WindowCounter } from "./window-counter.ts";

describe("a window counter of 2 events in 60 seconds", () => {
  it("allows two events of a key, and states the wait until the window ends", () => {
    const counter = new WindowCounter(2, 60);
    expect(counter.wait("a", 0)).toBe(0);
    counter.count("a", 0);
    counter.count("a", 30_000);
    expect(counter.wait("a", 30_000)).toBe(30);
    expect(counter.wait("a", 59_999)).toBe(1);
    expect(counter.wait("b", 30_000)).toBe(0);
  });

  it("begins a new window after the end of the last one", () => {
    const counter = new WindowCounter(1, 60);
    counter.count("a", 0);
    expect(counter.wait("a", 60_000)).toBe(0);
    counter.count("a", 60_000);
    expect(counter.wait("a", 60_000)).toBe(60);
  });

  it("forgets the oldest keys when there are too many", () => {
    const counter = new WindowCounter(1, 60);
    for (let key = 0; key <= 20_000; key += 1) counter.count(String(key), 0);
    expect([counter.wait("0", 0), counter.wait("1", 0)]).toEqual([0, 60]);
  });
});
