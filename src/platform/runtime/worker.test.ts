import { describe, expect, it } from "vitest";
import { openLog } from "./log.ts";
import { startWorker } from "./worker.ts";

const log = openLog("silent");
/** Longer than any test, so that an idle loop does not run its task again. */
const REST_MS = 600_000;

describe("startWorker", () => {
  it("repeats a task while it finds work, independently of a slow task", async () => {
    let left = 5;
    let finish: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let release: () => void = () => {};
    const hangs = () =>
      new Promise<boolean>((resolve) => {
        release = () => resolve(false);
      });
    const works = async () => {
      left -= 1;
      if (left === 0) finish();
      return left > 0;
    };
    const worker = startWorker(
      [
        { name: "hangs", run: hangs },
        { name: "works", run: works },
      ],
      log,
      { rest_ms: REST_MS },
    );

    await done;
    const stopped = worker.stop();
    release();
    await stopped;

    expect(left).toBe(0);
  });

  it("notifies a task of the stop and waits for it", async () => {
    let rounds = 0;
    let begin: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const run = async (isStopped: () => boolean) => {
      begin();
      while (!isStopped()) await new Promise(setImmediate);
      rounds += 1;
      return true;
    };
    const worker = startWorker([{ name: "long", run }], log, { rest_ms: REST_MS });

    await begun;
    await worker.stop();

    expect(rounds).toBe(1);
  });

  it("continues with other tasks after a failure, and runs none while work is not permitted", async () => {
    const asked: string[] = [];
    let may_work = true;
    let both: () => void = () => {};
    const seen = new Promise<void>((resolve) => {
      both = resolve;
    });
    const task = (name: string, answer: () => Promise<boolean>) => ({
      name,
      run: () => {
        asked.push(name);
        if (asked.length === 2) both();
        return answer();
      },
    });
    const tasks = [
      task("fails", () => Promise.reject(new Error("no"))),
      task("works", async () => false),
    ];
    const worker = startWorker(tasks, log, { rest_ms: REST_MS, mayWork: async () => may_work });
    await seen;
    await worker.stop();
    expect(asked.sort()).toEqual(["fails", "works"]);

    may_work = false;
    await startWorker(tasks, log, { rest_ms: REST_MS, mayWork: async () => may_work }).stop();
    expect(asked).toHaveLength(2);
  });
});
