/** The lock after kills that leave files, and with many simultaneous callers. */
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

test("has one holder at a time and leaves no files", async () => {
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

test("is released if the work fails", async () => {
  const failing = withFileLock(lock, async () => {
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect(existsSync(lock)).toBe(false);
});

test("is taken over from a dead process", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, JSON.stringify({ pid, born: "1" }));
  expect(await withFileLock(lock, async () => "done")).toBe("done");
});

test.runIf(process.platform !== "win32")(
  "is taken over from a dead process with the same process id (needs another system than Windows)",
  async () => {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, born: "1" }));
    expect(await withFileLock(lock, async () => "done")).toBe("done");
  },
);

test("is taken over if its file is incomplete, but only after a while", async () => {
  writeFileSync(lock, '{"pid":');
  const waiting = withFileLock(lock, async () => "done");
  expect(await Promise.race([waiting, delay(100, "waits")])).toBe("waits");
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  expect(await waiting).toBe("done");
  expect(readdirSync(folder)).toEqual([]);
});
