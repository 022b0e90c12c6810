/** Decides which entries the palette shows for a text, and which is chosen. Pure: it renders and sends nothing. */
import { beginsIn, type Way } from "../parts/found.ts";

type Section = "opened" | "go" | "do" | "found";

export interface PaletteEntries {
  /** The pages that were opened last, the newest first. */
  readonly opened: readonly Way[];
  readonly go: readonly Way[];
  readonly begin: readonly Way[];
}

interface Shown {
  readonly typed: string;
  /** The results for the typed text; until its response arrives, those for the previous text. */
  readonly found: readonly Way[];
  /** The address of the chosen entry; the first entry applies where the address is not among those shown. */
  readonly chosen: string | null;
}

export const NOTHING: Shown = { typed: "", found: [], chosen: null };

export type Event =
  | { readonly typed: string }
  | { readonly found: readonly Way[]; readonly to: string }
  | { readonly step: 1 | -1 };

/** Returns the state after an event. A response to an outdated request is ignored. */
export function after(shown: Shown, event: Event, known: PaletteEntries): Shown {
  if ("typed" in event) {
    const found = event.typed.trim() === "" ? [] : shown.found;
    return { typed: event.typed, found, chosen: null };
  }
  if ("found" in event) return event.to === shown.typed ? { ...shown, found: event.found } : shown;
  const ways = sectionsOf(shown, known).flatMap((section) => section.ways);
  if (ways.length === 0) return shown;
  const at = ways.findIndex(({ href }) => href === chosenOf(shown, known)?.href);
  return { ...shown, chosen: ways[(at + event.step + ways.length) % ways.length]?.href ?? null };
}

/** Returns non-empty sections of entries with unique addresses; without a text, the opened pages and the navigation. */
export function sectionsOf(
  { typed, found }: Shown,
  { opened, go, begin }: PaletteEntries,
): { readonly section: Section; readonly ways: readonly Way[] }[] {
  const is_blank = typed.trim() === "";
  const named = (ways: readonly Way[]) => ways.filter(({ text }) => beginsIn(typed, text));
  const all: readonly (readonly [Section, readonly Way[]])[] = is_blank
    ? [
        ["opened", opened],
        ["go", go],
        ["do", begin],
      ]
    : [
        ["found", found],
        ["go", named(go)],
        ["do", named(begin)],
      ];
  const seen = new Set<string>();
  return all
    .map(([section, ways]) => ({
      section,
      ways: ways.filter(({ href }) => !seen.has(href) && seen.add(href)),
    }))
    .filter(({ ways }) => ways.length > 0);
}

/** Returns the entry that Enter opens. */
export function chosenOf(shown: Shown, known: PaletteEntries): Way | undefined {
  const ways = sectionsOf(shown, known).flatMap((section) => section.ways);
  return ways.find(({ href }) => href === shown.chosen) ?? ways[0];
}
