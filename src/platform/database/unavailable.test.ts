import pg from "pg";
import { describe, expect, it } from "vitest";
import { Problem } from "../../domain/base/problem.ts";
import { problemFromDatabase } from "../http/problems.ts";
import { DatabaseAway, isUnavailable, NoConnection } from "./unavailable.ts";

function fromServer(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError("words of the server", 0, "error");
  error.code = code;
  return error;
}

const fromSystem = (code: string, syscall?: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall ? { syscall } : {}) });

describe("a database that is away", () => {
  it.each<[string, unknown]>([
    ["ends", fromServer("57P01")],
    ["crashed", fromServer("57P02")],
    ["starts or stops", fromServer("57P03")],
    ["has no more connections", fromServer("53300")],
    ["has a full disk", fromServer("53100")],
    ["has no memory", fromServer("53200")],
    ["lost the connection", fromServer("08006")],
    ["takes no connection", fromServer("08001")],
    ["is not listening", fromSystem("ECONNREFUSED", "connect")],
    ["has no socket", fromSystem("ENOENT", "connect")],
    ["hung up while it was read", fromSystem("ECONNRESET", "read")],
    ["hung up while it was written to", fromSystem("EPIPE", "write")],
    ["is not found", fromSystem("ENOTFOUND", "getaddrinfo")],
    ["refuses at every address", new AggregateError([fromSystem("ECONNREFUSED", "connect")])],
    ["ended the connection", new Error("Connection terminated unexpectedly")],
    ["takes too long to connect", new Error("timeout expired")],
    ["is known to be away", new DatabaseAway()],
  ])("that %s is SERVICE_UNAVAILABLE, with a time to wait", (_what, error) => {
    expect(isUnavailable(error)).toBe(true);
    const problem = problemFromDatabase(error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      kind: "unavailable",
      extras: { retry_after_seconds: 5 },
    });
  });

  it.each<[string, unknown]>([
    ["a statement that is wrong", fromServer("42601")],
    ["a constraint", fromServer("23505")],
    ["a deadlock", fromServer("40P01")],
    ["a wrong password", fromServer("28P01")],
    ["a file that is not there", fromSystem("ENOENT", "open")],
    ["a fault of ours", new TypeError("x is not a function")],
    ["a transaction that PostgreSQL took back", new Error("the transaction was rolled back")],
    ["nothing", undefined],
  ])("is not %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(problemFromDatabase(error)).toBe(error);
  });
});

describe("a database that has no time", () => {
  it.each<[string, unknown, object]>([
    [
      "a lock that was not free in time",
      fromServer("55P03"),
      { code: "RESOURCE_BUSY", kind: "conflict", extras: { retry_after_seconds: 2 } },
    ],
    [
      "a statement that took too long",
      fromServer("57014"),
      { code: "RATE_LIMITED", kind: "limited", extras: { retry_after_seconds: 5 } },
    ],
    [
      "no connection that was free in time",
      new NoConnection(),
      { code: "RATE_LIMITED", kind: "limited", extras: { retry_after_seconds: 5 } },
    ],
  ])("is refused with a time to wait, and is not away: %s", (_what, error, expected) => {
    expect(isUnavailable(error)).toBe(false);
    expect(problemFromDatabase(error)).toMatchObject(expected);
  });
});
