import { describe, expect, it } from "vitest";
import { openLog, readableLine } from "./log.ts";

const at = new Date(2026, 2, 10, 9, 30, 1).getTime();

describe("a line for a person at a terminal", () => {
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
  ])("%j", (line, words) => {
    expect(readableLine(JSON.stringify({ time: at, ...line }))).toBe(words);
  });

  it("hides what is secret, as the JSON does", () => {
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
