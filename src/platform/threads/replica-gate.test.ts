/** Which reads the replica answers, and how a replica that does not answer is left alone for a while. */
import { beforeEach, describe, expect, it } from "vitest";
import type { AnyAsked, Heavy } from "../http/asked.ts";
import { openLog } from "../runtime/log.ts";
import { openReplicaGate, type ReadSource, type ReplicaGate } from "./replica-gate.ts";
import { ANYTHING, READING } from "./takes-long.ts";

const read = { operation: "recognition.list", is_read: true, input: { query: {} } };
const poll = { ...read, input: { query: { updated_since: "2026-03-01T00:00:00Z" } } };
const tool = { tool: "get_revenue", is_read: true, input: { from: "2026-01" } };

let now: number;
let counted: ReadSource[];
let gate: ReplicaGate;
beforeEach(() => {
  now = 0;
  counted = [];
  const count = (source: ReadSource) => counted.push(source);
  gate = openReplicaGate({ count, log: openLog("silent"), now: () => now });
});

const choose = (asked: object = read, heavy: Heavy = READING) =>
  gate.choose(asked as AnyAsked, heavy);
const WAITS = { waits: true };

describe("the reads of the replica", () => {
  it.each([
    ["a report", read, READING, WAITS, []],
    ["a tool that reads", tool, READING, WAITS, []],
    ["a list without parameters", { ...read, input: { query: undefined } }, READING, WAITS, []],
    ["a poll with updated_since", poll, READING, null, ["primary_only"]],
    ["a dry run", read, ANYTHING, null, ["primary_only"]],
    ["a change, which is not counted", { ...read, is_read: false }, READING, null, []],
  ])("%s", (_, asked, heavy, use, count) => {
    expect(choose(asked, heavy)).toEqual(use);
    expect(counted).toEqual(count);
  });
});

describe("a replica that is away", () => {
  it("is asked again by one read after each pause, which doubles until half a minute", () => {
    const asked_at: number[] = [];
    gate.note("away");
    for (; now < 100_000; now += 100) {
      if (choose() === null) continue;
      asked_at.push(now);
      expect(choose()).toBeNull();
      gate.note("away");
    }
    expect(asked_at).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
  });

  it("answers all reads as soon as one has been answered", () => {
    gate.note("away");
    now = 1_000;
    expect(choose()).toEqual(WAITS);
    expect(choose()).toBeNull();
    gate.note("replica");
    expect(choose()).toEqual(WAITS);
    expect(counted).toEqual(["away", "away", "replica"]);
  });

  it("counts as unfit while it is no standby of the primary", () => {
    gate.note("unfit");
    expect(choose()).toBeNull();
    expect(counted).toEqual(["unfit", "unfit"]);
  });
});

describe("a replica that is behind", () => {
  it("is asked without a wait for two seconds", () => {
    gate.note("behind");
    now = 1_999;
    expect(choose()).toEqual({ waits: false });
    now = 2_000;
    expect(choose()).toEqual(WAITS);
  });
});

it.each(["cancelled", "busy", "failed", "writes"] as const)(
  "asks the replica again at once after a read with the reason %s",
  (source) => {
    gate.note(source);
    expect(choose()).toEqual(WAITS);
    expect(counted).toEqual([source]);
  },
);
