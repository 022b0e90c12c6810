/** Round robin between accounts whose names are letters; a task is its account's letter with a number. */
import { describe, expect, it } from "vitest";
import { workInTurn } from "./in-turn.ts";
import { RoundRobin } from "./round-robin.ts";

interface Task {
  readonly account_id: string;
  readonly id: string;
}

/** The waiting tasks of accounts, as an index returns them: at most four of each account, ten in all. */
function waitingIn(counts: Record<string, number>) {
  const done = new Set<string>();
  const tasks = Object.entries(counts).flatMap(([account_id, count]) =>
    Array.from(
      { length: count },
      (_, index): Task => ({ account_id, id: `${account_id}${index}` }),
    ),
  );
  const begun: string[] = [];
  return {
    begun,
    async find(after: string, except: { accounts: readonly string[]; ids: readonly string[] }) {
      const left = tasks.filter(({ id }) => !done.has(id) && !except.ids.includes(id));
      const accounts = Object.keys(counts).filter(
        (account) => account > after && !except.accounts.includes(account),
      );
      return accounts
        .flatMap((account) => left.filter(({ account_id }) => account_id === account).slice(0, 4))
        .slice(0, 10);
    },
    async work({ id }: Task) {
      begun.push(id);
      await Promise.resolve();
      done.add(id);
    },
    isStopped: () => false,
  };
}

describe("workInTurn", () => {
  it("executes each task once", async () => {
    const waiting = waitingIn({ a: 25, b: 3, c: 1, d: 9 });

    expect(await workInTurn(waiting)).toBe(38);

    expect(new Set(waiting.begun).size).toBe(38);
    expect(waiting.begun).toHaveLength(38);
  });

  it("keeps the tasks of an account that has its share for later", async () => {
    const waiting = waitingIn({ a: 40, b: 40 });
    let looks = 0;
    const find: typeof waiting.find = (...given) => {
      looks += 1;
      return waiting.find(...given);
    };

    const work: typeof waiting.work = async (task) => {
      // The tasks of the accounts end at different moments.
      for (let turn = 0; turn < (task.account_id === "a" ? 1 : 2); turn += 1) {
        await new Promise(setImmediate);
      }
      await waiting.work(task);
    };

    expect(await workInTurn({ ...waiting, find, work })).toBe(80);

    // Each look finds four tasks of an account, and asks again from the first account where none comes after the last.
    expect(looks).toBeLessThan(80);
  });

  it("executes one task of each account before the second of any", async () => {
    const waiting = waitingIn({ a: 500, b: 1, c: 1 });

    await workInTurn(waiting);

    expect(waiting.begun.slice(0, 3).sort()).toEqual(["a0", "b0", "c0"]);
  });

  it("reaches accounts beyond the first page of found tasks", async () => {
    const waiting = waitingIn({ a: 40, b: 40, c: 40, d: 1 });

    await workInTurn(waiting);

    expect(waiting.begun.indexOf("d0")).toBeLessThan(16);
  });

  it("begins a round with the accounts that the previous round did not reach", async () => {
    const many = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
    const waiting = waitingIn(Object.fromEntries(many.map((account) => [account, 100])));
    const turn = new RoundRobin();

    expect(
      await workInTurn({ ...waiting, isStopped: () => waiting.begun.length >= 10 }, turn),
    ).toBe(10);
    const before = new Set(waiting.begun.map((id) => id.charAt(0)));
    await workInTurn({ ...waiting, isStopped: () => waiting.begun.length >= 20 }, turn);

    const after = waiting.begun.slice(10).map((id) => id.charAt(0));
    expect(after.filter((account) => before.has(account))).toEqual([]);
  });

  it("continues with other accounts while two tasks of one account hang", async () => {
    const waiting = waitingIn({ a: 8, b: 30 });
    let release: () => void = () => {};
    const hanging = new Promise<void>((resolve) => {
      release = resolve;
    });
    let others = 0;
    const work = async (task: Task) => {
      await waiting.work(task);
      if (task.account_id === "a") return hanging;
      others += 1;
      if (others === 30) {
        expect(waiting.begun.filter((id) => id.startsWith("a"))).toEqual(["a0", "a1"]);
        release();
      }
    };

    expect(await workInTurn({ ...waiting, work })).toBe(38);
  });

  it("begins no task after it is stopped, and waits for those in progress", async () => {
    const waiting = waitingIn({ a: 8 });
    let ended = 0;
    const work = async (task: Task) => {
      await waiting.work(task);
      await Promise.resolve();
      ended += 1;
    };
    const isStopped = () => waiting.begun.length > 0;

    expect(await workInTurn({ ...waiting, work, isStopped })).toBe(ended);
    expect(ended).toBeGreaterThan(0);
    expect(ended).toBeLessThan(3);
  });

  it("throws the error of a task after the others have ended", async () => {
    const waiting = waitingIn({ a: 1, b: 1, c: 1 });
    let ended = 0;
    const work = async (task: Task) => {
      if (task.account_id === "a") throw new Error("no");
      await waiting.work(task);
      ended += 1;
    };

    await expect(workInTurn({ ...waiting, work })).rejects.toThrow("no");

    expect(ended).toBe(waiting.begun.length);
  });

  it("executes a task once a round even if the task still waits", async () => {
    const waiting = waitingIn({ a: 1 });
    const begun: string[] = [];
    const work = async ({ id }: Task) => {
      begun.push(id);
    };

    expect(await workInTurn({ ...waiting, work })).toBe(1);
    expect(begun).toEqual(["a0"]);
  });
});
