/** Values stored in the browser: missing storage and invalid values cause no errors. */
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

describe("the browser's storage", () => {
  it("returns a value by its key until the value is removed", () => {
    useStore(new Store());
    keepAt("week 1", "[1]");
    keepAt("week 2", "x");
    keepAt("other", "y");
    expect([keptAt("week 2"), keptValueAt("week 1"), keptAt("none")]).toEqual(["x", [1], null]);
    expect(placesKept("week ")).toEqual(["1", "2"]);
    keepAt("week 1", null);
    expect(placesKept("week ")).toEqual(["2"]);
  });

  it("returns null for a value that is not JSON", () => {
    useStore(new Store());
    for (const text of ["{", "", "undefined"]) {
      keepAt("draft", text);
      expect(keptValueAt("draft")).toBeNull();
    }
  });

  it("returns null, without an error, in a browser that refuses storage", () => {
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
  ])("returns no opened pages from the invalid value %s", (text) => {
    useStore(new Store());
    keepAt("matchbook.opened.me", text);
    expect(openedBy("me")).toEqual([]);
  });
});
