/** What the palette shows for what was typed, and which of it is chosen. Pure: the palette itself only draws it and asks. */
import { beginsIn, type Way } from "../parts/found.ts";

type Section = "opened" | "go" | "do" | "found";

export interface Known {
  /** The last that were opened, the newest first. */
  readonly opened: readonly Way[];
  readonly go: readonly Way[];
  readonly begin: readonly Way[];
}

interface Shown {
  readonly typed: string;
  /** What was found for what is typed, or for what was before, as long as the answer is on its way. */
  readonly found: readonly Way[];
  /** The address of what is chosen; the first where it is none of those shown. */
  readonly chosen: string | null;
}

export const NOTHING: Shown = { typed: "", found: [], chosen: null };

export type Event =
  | { readonly typed: string }
  | { readonly found: readonly Way[]; readonly to: string }
  | { readonly step: 1 | -1 };

/** What is shown after something has happened. An answer to what is not asked any more is passed over. */
export function after(shown: Shown, event: Event, known: Known): Shown {
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

/** What stands there by section, none of them empty and no address twice: without a text what was opened and all places. */
export function sectionsOf(
  { typed, found }: Shown,
  { opened, go, begin }: Known,
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

/** What Enter opens. */
export function chosenOf(shown: Shown, known: Known): Way | undefined {
  const ways = sectionsOf(shown, known).flatMap((section) => section.ways);
  return ways.find(({ href }) => href === shown.chosen) ?? ways[0];
}
