/** The entries that the palette shows and selects, step by step. */
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
      "shows the opened pages, then all places, with the first entry selected",
      [],
      ["> opened Acme", "go Customers", "go Products", "do New customer", "do New product"],
    ],
    [
      "finds places by the beginnings of their words",
      [{ typed: "PRO" }],
      ["> go Products", "do New product"],
    ],
    ["requires a match of every word", [{ typed: "new prod" }], ["> do New product"]],
    ["shows nothing without a match", [{ typed: "xyz" }], []],
    [
      "shows found entries first",
      [{ typed: "custom" }, { found: [way("/customers/2", "Custom ApS")], to: "custom" }],
      ["> found Custom ApS", "go Customers", "do New customer"],
    ],
    [
      "keeps the previous matches until the next answer",
      [{ typed: "a" }, { found: [ACME], to: "a" }, { typed: "ac" }],
      ["> found Acme"],
    ],
    [
      "ignores the answer to an earlier text",
      [{ typed: "a" }, { typed: "ab" }, { found: [ACME], to: "a" }],
      [],
    ],
    [
      "removes the matches when the text is empty",
      [{ typed: "b" }, { found: [way("/customers/2", "Beta")], to: "b" }, { typed: " " }],
      ["> opened Acme", "go Customers", "go Products", "do New customer", "do New product"],
    ],
    ["moves down", [{ typed: "pro" }, { step: 1 }], ["go Products", "> do New product"]],
    [
      "moves from the last entry to the first",
      [{ typed: "pro" }, { step: 1 }, { step: 1 }],
      ["> go Products", "do New product"],
    ],
    [
      "moves from the first entry to the last",
      [{ typed: "pro" }, { step: -1 }],
      ["go Products", "> do New product"],
    ],
    [
      "keeps the selection when an answer arrives",
      [{ typed: "pro" }, { step: 1 }, { found: [ACME], to: "pro" }],
      ["found Acme", "go Products", "> do New product"],
    ],
    [
      "selects the first entry when the text changes",
      [{ typed: "pro" }, { step: 1 }, { typed: "prod" }],
      ["> go Products", "do New product"],
    ],
  ])("%s", (_what, events, shown) => {
    expect(shownIn(...events)).toEqual(shown);
  });

  it("selects no entry if none is shown", () => {
    const shown = shownAfter({ typed: "xyz" }, { step: 1 });
    expect(chosenOf(shown, KNOWN)).toBeUndefined();
  });

  it("shows each address once", () => {
    const known = { ...KNOWN, opened: [way("/products", "Products")] };
    const hrefs = sectionsOf(NOTHING, known).flatMap(({ ways }) => ways.map(({ href }) => href));
    expect(new Set(hrefs).size).toBe(hrefs.length);
  });
});
