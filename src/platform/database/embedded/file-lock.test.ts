/** The lock after kills that leave files behind, and with many processes that want it simultaneously. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withFileLock } from "./file-lock.ts";

let folder: string;
let lock: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  lock = join(folder, "lock");
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("one at a time, and nothing is left behind", async () => {
  let inside = 0;
  let most = 0;
  const turns = Array.from({ length: 8 }, () =>
    withFileLock(lock, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await delay(2);
      inside -= 1;
    }),
  );
  await Promise.all(turns);
  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("is released when the work fails", async () => {
  const failing = withFileLock(lock, async () => {
    throw new Error("no luck");
  });
  await expect(failing).rejects.toThrow("no luck");
  expect(existsSync(lock)).toBe(false);
});

test("is taken over from a process that is dead", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, JSON.stringify({ pid, born: "1" }));
  expect(await withFileLock(lock, async () => "done")).toBe("done");
});

test.runIf(process.platform !== "win32")(
  "is taken over from a process whose number this one has got (needs another system than Windows)",
  async () => {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, born: "1" }));
    expect(await withFileLock(lock, async () => "done")).toBe("done");
  },
);

test("is taken over when it was never completed, but not while it may be", async () => {
  writeFileSync(lock, '{"pid":');
  const waiting = withFileLock(lock, async () => "done");
  expect(await Promise.race([waiting, delay(100, "waits")])).toBe("waits");
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  expect(await waiting).toBe("done");
  expect(readdirSync(folder)).toEqual([]);
});
