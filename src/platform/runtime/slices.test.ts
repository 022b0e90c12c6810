/** Computations in slices: other work runs in between, and no computation continues without a client. */
import { expect, it } from "vitest";
import { Slices, withinTime, withoutInterruption } from "./slices.ts";

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

  const slices = new Slices(new AbortController().signal);
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

it("ends a computation at the end of the slice in which its signal aborts", async () => {
  const controller = new AbortController();
  const slices = new Slices(controller.signal);
  await slices.next();
  controller.abort(new Error("nobody waits"));
  await expect(slices.next()).rejects.toThrow("nobody waits");
});

it("aborts work when its time is over", async () => {
  const never = new AbortController().signal;
  const slow = withinTime(never, 1, async (signal) => {
    for (const slices = new Slices(signal); ; ) await slices.next();
  });
  await expect(slow).rejects.toThrow("aborted");
  expect(await withinTime(never, 60_000, async (signal) => signal.aborted)).toBe(false);
});

it("aborts work with the reason of the signal around it", async () => {
  const outer = new AbortController();
  const asked = withinTime(outer.signal, 60_000, async (signal) => {
    outer.abort(new Error("the client has left"));
    signal.throwIfAborted();
  });
  await expect(asked).rejects.toThrow("the client has left");
  const late = withinTime(outer.signal, 60_000, async (signal) => signal.throwIfAborted());
  await expect(late).rejects.toThrow("the client has left");
});

it("runs pieces one at a time, and leaves others as much time after each", async () => {
  const done: string[] = [];
  const slice = (name: string) => () => {
    compute(30);
    done.push(name);
    // This timer starts before the next work does, so it fires first.
    setTimeout(() => done.push(`after ${name}`), 10);
  };
  const refused = withoutInterruption(() => {
    done.push("refused");
    throw new Error("no");
  });
  const asked = [withoutInterruption(slice("first")), withoutInterruption(slice("second"))];
  await expect(refused).rejects.toThrow("no");
  await Promise.all(asked);
  expect(done).toEqual(["refused", "first", "after first", "second"]);
});
