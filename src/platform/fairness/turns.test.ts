/** Which account gets a connection, and which is next: each case is a line of steps, and which account has what afterwards. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Holder, shareOf, Turns } from "./turns.ts";

describe("the share of one account", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 2],
    [6, 3],
    [8, 4],
    [10, 6],
    [20, 12],
    [200, 120],
  ])("of %i connections is %i", (connections, share) => {
    expect(shareOf(connections)).toBe(share);
  });
});

/**
 * Plays `a1 b1 -a1 xa2 …` on the given number of connections with a share: a request of account a asks for a connection, gives it
 * back, or withdraws. Returns the names in the order in which they got a connection.
 */
function played(connections: number, share: number, story: string): string {
  const turns = new Turns<string>(connections, share);
  const got: string[] = [];
  for (const step of story.split(" ")) {
    const name = step.replace(/^[-x]/, "");
    const account: Holder = name.startsWith("_") ? null : name.slice(0, 1);
    if (step.startsWith("-")) {
      const next = turns.leave(account);
      if (next !== undefined) got.push(next);
    } else if (step.startsWith("x")) turns.withdraw(account, name);
    else if (turns.take(account)) got.push(name);
    else turns.wait(account, name);
  }
  return got.join(" ");
}

describe("connections", () => {
  it.each<[string, number, number, string, string]>([
    ["are had at once while there are any", 3, 2, "a1 b1 a2", "a1 b1 a2"],
    ["are had up to the share, also when others are free", 3, 2, "a1 a2 a3", "a1 a2"],
    ["are had by others beyond it", 3, 2, "a1 a2 a3 b1", "a1 a2 b1"],
    ["go on within the account that has its share", 3, 2, "a1 a2 a3 -a1", "a1 a2 a3"],
    [
      "go to accounts in turn, however many of one wait",
      2,
      2,
      "a1 a2 a3 a4 b1 c1 -a1 -a2 -a3 -b1",
      "a1 a2 a3 b1 c1 a4",
    ],
    ["go within an account to who asked first", 1, 1, "a1 a2 a3 -a1 -a2", "a1 a2 a3"],
    ["pass over an account that has its share", 3, 2, "a1 a2 b1 a3 c1 -b1 -a1", "a1 a2 b1 c1 a3"],
    ["stay free where all who wait have their share", 3, 2, "a1 a2 b1 a3 -b1 b2", "a1 a2 b1 b2"],
    ["go past who waits no longer", 1, 1, "a1 a2 a3 xa2 -a1", "a1 a3"],
    ["go to the next account when nobody of one waits any more", 1, 1, "a1 b1 c1 xb1 -a1", "a1 c1"],
    ["without an account are not shared out", 3, 1, "_1 _2 _3 _4 a1 -_1 -_2", "_1 _2 _3 _4 a1"],
  ])("%s", (_what, connections, share, story, expected) => {
    expect(played(connections, share, story)).toBe(expected);
  });

  it("are never more than there are, never beyond a share, and never idle while somebody may have one", () => {
    const steps = fc.array(
      fc.record({ account: fc.constantFrom("a", "b", "c"), asks: fc.boolean() }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        steps,
        (most, share, story) => {
          const turns = new Turns<string>(most, share);
          const held = new Map<string, number>();
          const waits = new Map<string, number>();
          const add = (to: Map<string, number>, account: string, n: number) =>
            to.set(account, (to.get(account) ?? 0) + n);
          for (const { account, asks } of story) {
            if (asks && turns.take(account)) add(held, account, 1);
            else if (asks) {
              turns.wait(account, account);
              add(waits, account, 1);
            } else if ((held.get(account) ?? 0) > 0) {
              add(held, account, -1);
              const next = turns.leave(account);
              if (next !== undefined) {
                add(held, next, 1);
                add(waits, next, -1);
              }
            }
            const all = [...held.values()].reduce((sum, n) => sum + n, 0);
            expect(all).toBeLessThanOrEqual(most);
            for (const [of, n] of held) {
              expect(n).toBeLessThanOrEqual(share);
              if ((waits.get(of) ?? 0) > 0 && n < share) expect(all).toBe(most);
            }
            expect(turns.waiting).toBe([...waits.values()].reduce((sum, n) => sum + n, 0));
          }
        },
      ),
    );
  });
});
