/** Values kept in the browser: a browser that stores nothing, or holds foreign values, stops nothing. */
import { afterEach, describe, expect, it } from "vitest";
import { keepAt, keptAt, keptValueAt, placesKept } from "./kept.ts";
import { openedBy } from "./opened.ts";

const ID = "01900000-0000-7000-8000-000000000001";

/** A substitute for a browser's store: its entries are its own fields. */
class Store {
  [place: string]: unknown;
  getItem(place: string): string | null {
    return Object.hasOwn(this, place) ? String(this[place]) : null;
  }
  setItem(place: string, text: string): void {
    this[place] = text;
  }
  removeItem(place: string): void {
    delete this[place];
  }
}

function useStore(store: object | undefined): void {
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      if (store === undefined) throw new Error("storage is not allowed here");
      return store;
    },
  });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, "localStorage");
});

describe("what a browser keeps", () => {
  it("is there again, by its place, until it is forgotten", () => {
    useStore(new Store());
    keepAt("week 1", "[1]");
    keepAt("week 2", "x");
    keepAt("other", "y");
    expect([keptAt("week 2"), keptValueAt("week 1"), keptAt("none")]).toEqual(["x", [1], null]);
    expect(placesKept("week ")).toEqual(["1", "2"]);
    keepAt("week 1", null);
    expect(placesKept("week ")).toEqual(["2"]);
  });

  it("is nothing where it is no JSON", () => {
    useStore(new Store());
    for (const text of ["{", "", "undefined"]) {
      keepAt("draft", text);
      expect(keptValueAt("draft")).toBeNull();
    }
  });

  it("is nothing where the browser keeps nothing, and nobody hears of it", () => {
    useStore(undefined);
    keepAt("week 1", "x");
    expect([keptAt("week 1"), keptValueAt("week 1"), placesKept("week")]).toEqual([null, null, []]);
  });

  it.each([
    '{"a": 1}',
    "[null, 1]",
    '[{"href": 7, "text": "x"}]',
    '[{"href": "https://evil.example/", "text": "x"}]',
    `[{"href": "/customers/${ID}"}]`,
  ])("of pages that were opened is only what leads to one: not %s", (text) => {
    useStore(new Store());
    keepAt("matchbook.opened.me", text);
    expect(openedBy("me")).toEqual([]);
  });
});
