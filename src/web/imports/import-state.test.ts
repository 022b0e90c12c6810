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
  it("previews each portion and then waits for the confirmation", () => {
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

  it("creates the rows of each portion with new rows and counts them", () => {
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

  it("skips a portion without new rows", () => {
    const exists = { outcomes: [{ state: "exists", id: "x" }], agreed: "seen" } as const;
    const state = made({ read: file }, { looked: exists, portion: 0 }, looked(1, 50), {
      agree: true,
    });
    expect(nextOf(state)).toEqual({ does: "make", portion: 1 });
  });

  it("repeats the preview after a change by another user and keeps the count of created rows", () => {
    const state = made(...shown, { agree: true }, { made: 100, portion: 0 }, { changed: true });
    expect([state.phase, state.note, state.made]).toEqual(["looking", "changed", 100]);
    expect(nextOf(state)).toEqual({ does: "look", portion: 0 });
    const again = [looked(0, 100), looked(1, 50)].reduce(next, state);
    expect([again.phase, again.note]).toEqual(["shown", "changed"]);
  });

  it("stops without an answer or after a refusal, and repeats the preview on request", () => {
    for (const event of [
      { lost: true },
      { refused: { code: "RATE_LIMITED", message: "" } },
    ] as const) {
      const state = made(...shown, { agree: true }, event);
      expect([state.phase, nextOf(state)]).toEqual(["stopped", null]);
      expect(next(state, { again: true })).toMatchObject({ phase: "looking", note: null });
    }
  });

  it("sends nothing for a file without a readable row", () => {
    const none = tableFrom("Name;Price\nA;x");
    if (typeof none === "string") throw new Error(none);
    const state = made({
      read: fileOf("products", none, { language: "en", functional_currency: "DKK" }),
    });
    expect(state.phase).toBe("shown");
    expect(made({ read: file }, { choose: true })).toEqual(CHOOSING);
  });
});
