/** The state of an import after each possible answer. */
import { describe, expect, it } from "vitest";
import { tableFrom } from "./import-file.ts";
import { fileOf } from "./import-rows.ts";
import {
  CHOOSING,
  type ImportEvent,
  type ImportState,
  after as next,
  nextOf,
  progressOf,
  statusOf,
} from "./import-state.ts";

const names = Array.from({ length: 150 }, (_, n) => `P${n};1`);
const table = tableFrom(`Name;Price\n${names.join("\n")}\nBad;x\nP0;1`);
if (typeof table === "string") throw new Error(table);
const file = fileOf("products", table, { language: "en", functional_currency: "DKK" });

const made = (...events: readonly ImportEvent[]): ImportState => events.reduce(next, CHOOSING);
const fresh = (count: number) => Array.from({ length: count }, () => ({ state: "new" }) as const);
const looked = (portion: number, count: number): ImportEvent => ({
  portion,
  looked: { outcomes: fresh(count), agreed: `seen ${portion}` },
});
const shown = [{ read: file }, looked(0, 100), looked(1, 50)] as const;

describe("an import", () => {
  it("looks at each portion, and then waits for the person", () => {
    expect(nextOf(made({ read: file }))).toEqual({ does: "look", portion: 0 });
    expect(nextOf(made({ read: file }, looked(0, 100)))).toEqual({ does: "look", portion: 1 });
    const state = made(...shown);
    expect([state.phase, nextOf(state)]).toEqual(["shown", null]);
    expect([0, 149, 150, 151].map((row) => statusOf(state, row))).toEqual([
      "new",
      "new",
      "refused",
      "same",
    ]);
  });

  it("makes each portion that has something new, and counts it", () => {
    const begun = made(...shown, { agree: true });
    expect(nextOf(begun)).toEqual({ does: "make", portion: 0 });
    const half = next(begun, { made: 100, portion: 0 });
    expect([nextOf(half), progressOf(half)]).toEqual([
      { does: "make", portion: 1 },
      { done: 1, all: 2 },
    ]);
    const done = next(half, { made: 50, portion: 1 });
    expect([done.phase, done.made, nextOf(done)]).toEqual(["done", 150, null]);
  });

  it("passes over a portion with nothing new", () => {
    const exists = { outcomes: [{ state: "exists", id: "x" }], agreed: "seen" } as const;
    const state = made({ read: file }, { looked: exists, portion: 0 }, looked(1, 50), {
      agree: true,
    });
    expect(nextOf(state)).toEqual({ does: "make", portion: 1 });
  });

  it("shows everything again where something changed, and keeps what was made in mind", () => {
    const state = made(...shown, { agree: true }, { made: 100, portion: 0 }, { changed: true });
    expect([state.phase, state.note, state.made]).toEqual(["looking", "changed", 100]);
    expect(nextOf(state)).toEqual({ does: "look", portion: 0 });
    const again = [looked(0, 100), looked(1, 50)].reduce(next, state);
    expect([again.phase, again.note]).toEqual(["shown", "changed"]);
  });

  it("waits for the person without an answer, and looks again", () => {
    for (const event of [
      { lost: true },
      { refused: { code: "RATE_LIMITED", message: "" } },
    ] as const) {
      const state = made(...shown, { agree: true }, event);
      expect([state.phase, nextOf(state)]).toEqual(["stopped", null]);
      expect(next(state, { again: true })).toMatchObject({ phase: "looking", note: null });
    }
  });

  it("has nothing to ask of a file in which no row can be read", () => {
    const none = tableFrom("Name;Price\nA;x");
    if (typeof none === "string") throw new Error(none);
    const state = made({
      read: fileOf("products", none, { language: "en", functional_currency: "DKK" }),
    });
    expect(state.phase).toBe("shown");
    expect(made({ read: file }, { choose: true })).toEqual(CHOOSING);
  });
});
