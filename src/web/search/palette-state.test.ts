/** What the palette shows and chooses, step by step. */
import { describe, expect, it } from "vitest";
import type { Way } from "../parts/found.ts";
import {
  after,
  chosenOf,
  type Event,
  NOTHING,
  type PaletteEntries,
  sectionsOf,
} from "./palette-state.ts";

const way = (href: string, text: string): Way => ({ href, text, end: "", icon: "package" });
const ACME = way("/customers/1", "Acme");
const KNOWN: PaletteEntries = {
  opened: [ACME],
  go: [way("/customers", "Customers"), way("/products", "Products")],
  begin: [way("/customers/new", "New customer"), way("/products/new", "New product")],
};

const shownAfter = (...events: readonly Event[]) =>
  events.reduce<typeof NOTHING>((shown, event) => after(shown, event, KNOWN), NOTHING);

function shownIn(...events: readonly Event[]): string[] {
  const shown = shownAfter(...events);
  const chosen = chosenOf(shown, KNOWN);
  return sectionsOf(shown, KNOWN).flatMap(({ section, ways }) =>
    ways.map((one) => `${one === chosen ? "> " : ""}${section} ${one.text}`),
  );
}

describe("the palette", () => {
  it.each<[string, readonly Event[], readonly string[]]>([
    [
      "shows what was opened, then all places, the first one chosen",
      [],
      ["> opened Acme", "go Customers", "go Products", "do New customer", "do New product"],
    ],
    [
      "shows places by the beginnings of their words",
      [{ typed: "PRO" }],
      ["> go Products", "do New product"],
    ],
    ["wants every word", [{ typed: "new prod" }], ["> do New product"]],
    ["shows nothing that nobody called so", [{ typed: "xyz" }], []],
    [
      "puts what was found first",
      [{ typed: "custom" }, { found: [way("/customers/2", "Custom ApS")], to: "custom" }],
      ["> found Custom ApS", "go Customers", "do New customer"],
    ],
    [
      "keeps what was found before until the next answer",
      [{ typed: "a" }, { found: [ACME], to: "a" }, { typed: "ac" }],
      ["> found Acme"],
    ],
    [
      "passes over an answer to what is not asked any more",
      [{ typed: "a" }, { typed: "ab" }, { found: [ACME], to: "a" }],
      [],
    ],
    [
      "forgets what was found when nothing is typed",
      [{ typed: "b" }, { found: [way("/customers/2", "Beta")], to: "b" }, { typed: " " }],
      ["> opened Acme", "go Customers", "go Products", "do New customer", "do New product"],
    ],
    ["steps down", [{ typed: "pro" }, { step: 1 }], ["go Products", "> do New product"]],
    [
      "steps around the end",
      [{ typed: "pro" }, { step: 1 }, { step: 1 }],
      ["> go Products", "do New product"],
    ],
    [
      "steps around the beginning",
      [{ typed: "pro" }, { step: -1 }],
      ["go Products", "> do New product"],
    ],
    [
      "keeps what is chosen when an answer comes",
      [{ typed: "pro" }, { step: 1 }, { found: [ACME], to: "pro" }],
      ["found Acme", "go Products", "> do New product"],
    ],
    [
      "chooses the first again when something else is typed",
      [{ typed: "pro" }, { step: 1 }, { typed: "prod" }],
      ["> go Products", "do New product"],
    ],
  ])("%s", (_what, events, shown) => {
    expect(shownIn(...events)).toEqual(shown);
  });

  it("has nothing to choose where nothing is shown", () => {
    const shown = shownAfter({ typed: "xyz" }, { step: 1 });
    expect(chosenOf(shown, KNOWN)).toBeUndefined();
  });

  it("shows no address twice", () => {
    const known = { ...KNOWN, opened: [way("/products", "Products")] };
    const hrefs = sectionsOf(NOTHING, known).flatMap(({ ways }) => ways.map(({ href }) => href));
    expect(new Set(hrefs).size).toBe(hrefs.length);
  });
});
