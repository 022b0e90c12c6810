/** Computations in slices: other work runs in between, and no computation continues without a client. */
import { expect, it } from "vitest";
import { Slices, withinTime, withoutInterruption } from "./slices.ts";

/** Computes for some milliseconds. */
function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it("lets other work run at the end of each slice", async () => {
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
  controller.abort(new Error("the client has left"));
  await expect(slices.next()).rejects.toThrow("the client has left");
});

it("aborts work after its time limit", async () => {
  const never = new AbortController().signal;
  const slow = withinTime(never, 1, async (signal) => {
    for (const slices = new Slices(signal); ; ) await slices.next();
  });
  await expect(slow).rejects.toThrow("aborted");
  expect(await withinTime(never, 60_000, async (signal) => signal.aborted)).toBe(false);
});

it("aborts work with the reason of the outer signal", async () => {
  const outer = new AbortController();
  const asked = withinTime(outer.signal, 60_000, async (signal) => {
    outer.abort(new Error("the client has left"));
    signal.throwIfAborted();
  });
  await expect(asked).rejects.toThrow("the client has left");
  const late = withinTime(outer.signal, 60_000, async (signal) => signal.throwIfAborted());
  await expect(late).rejects.toThrow("the client has left");
});

it("runs uninterrupted computations one at a time, with a pause of the same length after each", async () => {
  const done: string[] = [];
  const slice = (name: string) => () => {
    compute(30);
    done.push(name);
    // This timer starts before the next computation, so it fires first.
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
