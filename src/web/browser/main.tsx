/** The only script that pages name: wakes the islands of a page. Everything else is loaded when a page has it. */
import { hydrate } from "preact";
import { type PageReader, ReaderOf } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";
import type { IslandOf } from "./island.ts";

/** Every island by its name, as `file-name` of `islands`. */
const ISLANDS: Readonly<Record<string, () => Promise<{ readonly island: IslandOf<never> }>>> = {
  "draft-editor": () => import("../islands/draft-editor.tsx"),
  "product-prices": () => import("../islands/product-prices.tsx"),
  "week-grid": () => import("../islands/week-grid.tsx"),
};

const WORDS = {
  en: async () => (await import("../words/en.ts")).en,
  da: async () => (await import("../words/da.ts")).da,
} as const;

/** Who reads the page, as its root element says. */
async function readerHere(): Promise<PageReader> {
  const { lang, dataset } = document.documentElement;
  const language: Language = lang === "da" ? "da" : "en";
  const { theme, zone } = dataset;
  return {
    language,
    words: await WORDS[language](),
    theme: theme === "dark" || theme === "light" ? theme : null,
    time_zone: zone ?? null,
  };
}

async function wake(place: HTMLElement, reader: PageReader): Promise<void> {
  const { island: name = "", props = "{}" } = place.dataset;
  const loaded = await ISLANDS[name]?.();
  if (loaded === undefined) return;
  const View = loaded.island.View as IslandOf<object>["View"];
  hydrate(
    <ReaderOf value={reader}>
      <View {...(JSON.parse(props) as object)} />
    </ReaderOf>,
    place,
  );
  place.dataset.alive = "";
}

const places = [...document.querySelectorAll<HTMLElement>("[data-island]")];
if (places.length > 0) {
  const reader = await readerHere();
  await Promise.all(places.map((place) => wake(place, reader)));
}
