/** Turns of accounts and endpoints, with all the places that they may take. */
import { expect, it } from "vitest";
import { nextTurn, type Sending } from "./turns.ts";

interface Named extends Sending {
  readonly name: string;
}

const endpoint = (name: string, more: Partial<Sending> = {}): Named => ({
  name,
  account_id: name.slice(0, 1),
  is_slow: false,
  busy: 0,
  has_due: true,
  last_turn: 0,
  ...more,
});

/** Gives turns until no endpoint has one; returns how many attempts each then has in progress. */
function filled(endpoints: readonly Named[]): Record<string, number> {
  let all = [...endpoints];
  for (let turn = 1; ; turn += 1) {
    const next = nextTurn(all);
    if (next === undefined) return Object.fromEntries(all.map(({ name, busy }) => [name, busy]));
    all = all.map((one) => (one === next ? { ...one, busy: one.busy + 1, last_turn: turn } : one));
  }
}

const named = (count: number, letter: string, more: Partial<Sending> = {}) =>
  Array.from({ length: count }, (_, at) => endpoint(`${letter}${at}`, more));
const sum = (counts: Record<string, number>, of = "") =>
  Object.entries(counts).reduce((total, [name, n]) => total + (name.startsWith(of) ? n : 0), 0);

it("an endpoint sends five at once", () => {
  expect(filled([endpoint("a1"), endpoint("b1")])).toEqual({ a1: 5, b1: 5 });
});

it("an account sends twenty at once, shared by its endpoints", () => {
  const counts = filled(named(10, "a"));
  expect(sum(counts)).toBe(20);
  expect(new Set(Object.values(counts))).toEqual(new Set([2]));
});

it("a process sends a hundred at once, shared by the accounts", () => {
  const counts = filled("abcdefghij".split("").flatMap((letter) => named(4, letter)));
  expect(sum(counts)).toBe(100);
  expect("abcdefghij".split("").map((letter) => sum(counts, letter))).toEqual(Array(10).fill(10));
});

it("slow endpoints take a quarter of an account's and of all places, and others take the rest", () => {
  expect(sum(filled(named(4, "a", { is_slow: true })))).toBe(5);
  const slow = "abcdefghij".split("").flatMap((letter) => named(2, letter, { is_slow: true }));
  const counts = filled([...slow, ...named(5, "z")]);
  expect(sum(counts) - sum(counts, "z")).toBe(25);
  expect(sum(counts, "z")).toBe(20);
});

it("an account that had no turn comes before one that had, however many endpoints that has", () => {
  const had = named(8, "a", { last_turn: 3 });
  expect(nextTurn([...had, endpoint("a9"), endpoint("b1", { last_turn: 2 })])?.name).toBe("b1");
  expect(nextTurn([endpoint("a1", { last_turn: 4 }), endpoint("a2", { last_turn: 3 })])?.name).toBe(
    "a2",
  );
});

it("an endpoint without due events has no turn", () => {
  expect(nextTurn([endpoint("a1", { has_due: false })])).toBeUndefined();
  expect(nextTurn([])).toBeUndefined();
});
