/** Deficit round robin between accounts whose names are letters: what each search finds, and the debt of each account. */
import { describe, expect, it } from "vitest";
import { RoundRobin } from "./round-robin.ts";

interface Work {
  readonly account_id: string;
  readonly cost: number;
}

/** Work of accounts by cost, found as a query finds it: of each account up to a turn and at least one, in all up to a limit. */
function waitingIn(
  costs: Readonly<Record<string, readonly number[]>>,
  quantum: number,
  most = 100,
) {
  const left = new Map(Object.entries(costs).map(([account, own]) => [account, [...own]]));
  const turnOf = (account_id: string): Work[] => {
    const own = left.get(account_id) ?? [];
    let had = 0;
    const count = own.findIndex((cost) => {
      had += cost;
      return had >= quantum;
    });
    return own.slice(0, count < 0 ? own.length : count + 1).map((cost) => ({ account_id, cost }));
  };
  return async (after: string, owing: readonly string[]): Promise<Work[]> => {
    const accounts = [...left.keys()].filter((one) => one > after && !owing.includes(one)).sort();
    const found = accounts.flatMap(turnOf).slice(0, most);
    for (const { account_id } of found) left.get(account_id)?.shift();
    return found;
  };
}

/** The results of the searches until one finds nothing: `a10 b5 | a20`. */
async function served(turns: RoundRobin, find: ReturnType<typeof waitingIn>): Promise<string> {
  const searches: string[] = [];
  for (let found = await turns.next(find); found.length > 0; found = await turns.next(find)) {
    searches.push(found.map(({ account_id, cost }) => `${account_id}${cost}`).join(" "));
  }
  return searches.join(" | ");
}

describe("turns", () => {
  it.each<[string, Record<string, number[]>, number, string]>([
    ["end if nothing waits", {}, 9, ""],
    [
      "serve the first work of each account before the second of any",
      { a: [4, 5], b: [1] },
      9,
      "a4 b1 a5",
    ],
    ["are worth a quantum", { a: [5, 5, 5], b: [9, 1] }, 9, "a5 b9 a5 | a5 b1"],
    [
      "resume after the last account of the last search",
      { a: [9, 8], b: [9, 7], c: [9] },
      2,
      "a9 b9 | c9 | a8 b7",
    ],
    [
      "are skipped while the account owes one",
      { a: [29, 3], b: [9, 9, 9] },
      9,
      "a29 b9 | b9 | a3 b9",
    ],
    [
      "are skipped once for each quantum in the debt of the account",
      { a: [50, 50], b: [9, 9, 9, 9, 9, 9, 9] },
      9,
      "a50 b9 | b9 | b9 | b9 | a50 b9 | b9 | b9",
    ],
    [
      "are not owed if no other account waits",
      { a: [50, 40, 30], b: [1] },
      9,
      "a50 b1 | a40 | a30",
    ],
    ["are not skipped for a smaller debt", { a: [12, 12], b: [9, 9] }, 9, "a12 b9 | a12 b9"],
  ])("%s", async (_what, costs, most, expected) => {
    expect(await served(new RoundRobin(9), waitingIn(costs, 9, most))).toBe(expected);
  });

  it("have no cost if the query limits them", async () => {
    const found = [{ account_id: "a" }, { account_id: "a" }, { account_id: "b" }];
    const turns = new RoundRobin();
    expect((await turns.next(async () => found)).map(({ account_id }) => account_id)).toEqual([
      "a",
      "b",
      "a",
    ]);
    expect(turns.left("a")).toBe(1);
  });
});

it("charges the excess of a turn to later turns and does not save an unused rest", () => {
  const turns = new RoundRobin(10);
  const seen = [25, 0, 8, 2, 4].map((cost) => {
    turns.charge("a", cost);
    return turns.left("a");
  });
  expect(seen).toEqual([-5, 5, 7, 10, 10]);
  expect(turns.left("b")).toBe(10);
});
