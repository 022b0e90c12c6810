import pg from "pg";
import { describe, expect, it } from "vitest";
import { Problem } from "../../domain/base/problem.ts";
import { problemFromDatabase } from "../http/problems.ts";
import { DatabaseAway, isUnavailable, NoConnection } from "./unavailable.ts";

function fromServer(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError("message of the server", 0, "error");
  error.code = code;
  return error;
}

const fromSystem = (code: string, syscall?: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall ? { syscall } : {}) });

describe("an unavailable database", () => {
  it.each<[string, unknown]>([
    ["no longer leads its cluster", fromServer("25006")],
    ["is shutting down", fromServer("57P01")],
    ["has crashed", fromServer("57P02")],
    ["is starting or stopping", fromServer("57P03")],
    ["has no more connections", fromServer("53300")],
    ["has a full disk", fromServer("53100")],
    ["has no memory", fromServer("53200")],
    ["has lost the connection", fromServer("08006")],
    ["accepts no connection", fromServer("08001")],
    ["is not listening", fromSystem("ECONNREFUSED", "connect")],
    ["has no socket", fromSystem("ENOENT", "connect")],
    ["closes the connection during a read", fromSystem("ECONNRESET", "read")],
    ["closes the connection during a write", fromSystem("EPIPE", "write")],
    ["is not found", fromSystem("ENOTFOUND", "getaddrinfo")],
    ["refuses at every address", new AggregateError([fromSystem("ECONNREFUSED", "connect")])],
    ["terminates the connection", new Error("Connection terminated unexpectedly")],
    ["takes too long to connect", new Error("timeout expired")],
    ["is known to be unavailable", new DatabaseAway()],
  ])("that %s causes SERVICE_UNAVAILABLE with a time to wait", (_what, error) => {
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
    ["an invalid statement", fromServer("42601")],
    ["a violated constraint", fromServer("23505")],
    ["a deadlock", fromServer("40P01")],
    ["a wrong password", fromServer("28P01")],
    ["a missing file", fromSystem("ENOENT", "open")],
    ["a fault of the program", new TypeError("x is not a function")],
    ["a transaction that PostgreSQL rolled back", new Error("the transaction was rolled back")],
    ["no error", undefined],
  ])("is not reported for %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
    expect(problemFromDatabase(error)).toBe(error);
  });
});

describe("a busy database", () => {
  it.each<[string, unknown, object]>([
    [
      "a lock that is not free in time",
      fromServer("55P03"),
      { code: "RESOURCE_BUSY", kind: "conflict", extras: { retry_after_seconds: 2 } },
    ],
    [
      "a statement that takes too long",
      fromServer("57014"),
      { code: "RATE_LIMITED", kind: "limited", extras: { retry_after_seconds: 5 } },
    ],
    [
      "no connection that is free in time",
      new NoConnection(),
      { code: "RATE_LIMITED", kind: "limited", extras: { retry_after_seconds: 5 } },
    ],
  ])(
    "causes a refusal with a time to wait, and is not unavailable: %s",
    (_what, error, expected) => {
      expect(isUnavailable(error)).toBe(false);
      expect(problemFromDatabase(error)).toMatchObject(expected);
    },
  );
});
