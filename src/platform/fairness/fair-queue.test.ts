/** Round robin of places between accounts: each case is a text of steps and the order of the assigned places. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type Holder } from "./fair-queue.ts";

/** All continuations of promises that are settled now. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Executes steps such as `a1 B1 -a1 xa2`: work of account a requests a place, releases it (`-`), or withdraws (`x`). Work of an
 * account in capitals is heavy, work of `_` has no account. Returns the names in the order in which they received a place.
 */
async function played(queue: FairQueue, story: string): Promise<string> {
  const got: string[] = [];
  const waiting = new Map<string, AbortController>();
  for (const step of story.split(" ")) {
    const name = step.replace(/^[-x]/, "");
    const letter = name.slice(0, 1);
    const account: Holder = letter === "_" ? null : letter.toLowerCase();
    const is_heavy = letter !== letter.toLowerCase();
    if (step.startsWith("-")) queue.leave(account, is_heavy);
    else if (step.startsWith("x")) waiting.get(name)?.abort();
    else if (queue.take(account, is_heavy)) got.push(name);
    else {
      const left = new AbortController();
      waiting.set(name, left);
      const wait = { is_heavy, most_ms: 60_000, signal: left.signal, refusal: () => new Error() };
      queue.wait(account, wait).then(
        () => got.push(name),
        () => undefined,
      );
    }
    await settled();
  }
  for (const left of waiting.values()) left.abort();
  return got.join(" ");
}

describe("places", () => {
  it.each<[string, number, number, string, string]>([
    ["are assigned without waiting while some are free", 3, 2, "a1 b1 a2", "a1 b1 a2"],
    ["are limited to the share of an account, even if others are free", 3, 2, "a1 a2 a3", "a1 a2"],
    ["beyond the share of one account are assigned to others", 3, 2, "a1 a2 a3 b1", "a1 a2 b1"],
    ["pass to the next request of an account at its share", 3, 2, "a1 a2 a3 -a1", "a1 a2 a3"],
    [
      "are assigned to accounts round robin, however many requests of one wait",
      2,
      2,
      "a1 a2 a3 a4 b1 c1 -a1 -a2 -a3 -b1",
      "a1 a2 a3 b1 c1 a4",
    ],
    [
      "are assigned within an account in the order of requests",
      1,
      1,
      "a1 a2 a3 -a1 -a2",
      "a1 a2 a3",
    ],
    ["skip an account at its share", 3, 2, "a1 a2 b1 a3 c1 -b1 -a1", "a1 a2 b1 c1 a3"],
    [
      "stay free if all waiting accounts are at their share",
      3,
      2,
      "a1 a2 b1 a3 -b1 b2",
      "a1 a2 b1 b2",
    ],
    ["skip a withdrawn request", 1, 1, "a1 a2 a3 xa2 -a1", "a1 a3"],
    [
      "pass to the next account if all requests of one are withdrawn",
      1,
      1,
      "a1 b1 c1 xb1 -a1",
      "a1 c1",
    ],
    [
      "have no share for requests without an account",
      3,
      1,
      "_1 _2 _3 _4 a1 -_1 -_2",
      "_1 _2 _3 _4 a1",
    ],
  ])("%s", async (_what, places, share, story, expected) => {
    expect(await played(new FairQueue(places, share), story)).toBe(expected);
  });

  it("never exceed their number or a share, and are never free while a waiting account may have one", async () => {
    const steps = fc.array(
      fc.record({ account: fc.constantFrom("a", "b", "c"), asks: fc.boolean() }),
      { maxLength: 200 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        steps,
        async (most, share, story) => {
          const queue = new FairQueue(most, share);
          const held = new Map<string, number>();
          const waits = new Map<string, number>();
          const over = new AbortController();
          const wait = { most_ms: 60_000, signal: over.signal, refusal: () => new Error() };
          const add = (to: Map<string, number>, account: string, n: number) =>
            to.set(account, (to.get(account) ?? 0) + n);
          for (const { account, asks } of story) {
            if (asks && queue.take(account)) add(held, account, 1);
            else if (asks) {
              add(waits, account, 1);
              const admitted = () => {
                add(held, account, 1);
                add(waits, account, -1);
              };
              queue.wait(account, wait).then(admitted, () => undefined);
            } else if ((held.get(account) ?? 0) > 0) {
              add(held, account, -1);
              queue.leave(account);
              await Promise.resolve();
            }
            const all = [...held.values()].reduce((sum, n) => sum + n, 0);
            expect(all).toBeLessThanOrEqual(most);
            for (const [of, n] of held) {
              expect(n).toBeLessThanOrEqual(share);
              if ((waits.get(of) ?? 0) > 0 && n < share) expect(all).toBe(most);
              expect(queue.loadOf(of).waiting).toBe(waits.get(of) ?? 0);
            }
          }
          over.abort();
        },
      ),
    );
  });
});

describe("heavy work", () => {
  it.each<[string, number, number, string, string]>([
    ["has fewer places of its account", 3, 1, "A1 A2 b1 B2", "A1 b1 B2"],
    ["is overtaken by light work", 3, 1, "A1 A2 a3 -A1", "A1 a3 A2"],
    ["is overtaken by light work that waits behind it", 2, 1, "A1 a2 A3 a4 -a2 -A1", "A1 a2 a4 A3"],
    [
      "is served first if it was first and has a free place",
      2,
      2,
      "a1 a2 A3 a4 -a1 -a2",
      "a1 a2 A3 a4",
    ],
    ["waits for a place like any other", 1, 1, "a1 A2 -a1", "a1 A2"],
    ["releases both its places", 2, 1, "A1 a2 A3 A4 -A1 -A3", "A1 a2 A3 A4"],
  ])("%s", async (_what, share, heavy, story, expected) => {
    expect(await played(new FairQueue(Infinity, share, heavy), story)).toBe(expected);
  });
});

describe("a waiting request", () => {
  const refusal = () => new Error("no place");

  it.each<[string, number, AbortSignal | undefined]>([
    ["its time limit is over", 1, undefined],
    ["its client has left", 60_000, AbortSignal.timeout(1)],
    ["its client left before", 60_000, AbortSignal.abort()],
  ])("is refused if %s, and leaves the queue", async (_what, most_ms, signal) => {
    const queue = new FairQueue(1, 1);
    queue.take("a");
    const wait = signal === undefined ? { most_ms, refusal } : { most_ms, signal, refusal };

    await expect(queue.wait("b", wait)).rejects.toThrow("no place");

    expect(queue.loadOf("b")).toEqual({ waiting: 0, heavy: 0 });
    expect(queue.leave("a")).toBe(true);
    expect(queue.take("c")).toBe(true);
  });

  it("keeps its account in the queue until the last place is released", async () => {
    const queue = new FairQueue(1, 1, 1);
    queue.take("a", true);
    const waits = queue.wait("a", { most_ms: 60_000, refusal });
    expect(queue.loadOf("a")).toEqual({ waiting: 1, heavy: 1 });
    expect(queue.leave("a", true)).toBe(false);
    await waits;
    expect(queue.loadOf("a")).toEqual({ waiting: 0, heavy: 0 });
    expect(queue.leave("a")).toBe(true);
  });
});
