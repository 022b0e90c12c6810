import { describe, expect, it } from "vitest";
import { gatheringLines, openLog, readableLine } from "./log.ts";

const at = new Date(2026, 2, 10, 9, 30, 1).getTime();

describe("buffered lines of the log", () => {
  const info = '{"level":30,"msg":"request"}\n';
  const error = '{"level":50,"msg":"it failed"}\n';

  it("are written together in their order before a more severe line", () => {
    const writes: string[] = [];
    const { write } = gatheringLines((lines) => writes.push(lines));

    write(info);
    write(info);
    expect(writes).toEqual([]);
    write(error);

    expect(writes).toEqual([info + info + error]);
  });

  it("are written after a while, if there are many, and on flush", async () => {
    const writes: string[] = [];
    const { write, flush } = gatheringLines((lines) => writes.push(lines));

    write(info);
    await expect.poll(() => writes).toEqual([info]);
    for (let count = 0; count < 2_000; count += 1) write(info);
    expect(writes.length).toBeGreaterThan(3);
    flush();

    expect(writes.join("")).toBe(info.repeat(2_001));
  });
});

describe("a line for a terminal", () => {
  it.each([
    [{ level: 30, msg: "started" }, "09:30:01  started\n"],
    [{ level: 40, msg: "careful" }, "09:30:01  warning: careful\n"],
    [
      { level: 50, msg: "it failed", err: { message: "no", stack: "Error: no\n    at x" } },
      "09:30:01  error: it failed\nError: no\n    at x\n",
    ],
    [
      { level: 30, msg: "request", request_id: "r-1", method: "GET", path: "/x", status: 200 },
      "09:30:01  request  method=GET  path=/x  status=200\n",
    ],
    [
      { level: 30, msg: "migrated", migrations: ["0001.sql"] },
      '09:30:01  migrated  migrations=["0001.sql"]\n',
    ],
  ])("has readable text: %j", (line, words) => {
    expect(readableLine(JSON.stringify({ time: at, ...line }))).toBe(words);
  });

  it("redacts the same secrets as the JSON", () => {
    let written = "";
    const log = openLog("info", {
      write: (line) => {
        written += line;
      },
    });
    log.info({ password: "secret", authorization: "Bearer secret" }, "tried");
    log.debug("not at this level");
    expect(written).toMatch(
      /^\d\d:\d\d:\d\d {2}tried {2}password=\[redacted\] {2}authorization=\[redacted\]\n$/,
    );
  });
});
