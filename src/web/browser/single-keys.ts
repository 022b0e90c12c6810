/** Handles single keys outside of fields: `/` and `?`, and sequences of two, such as G and the letter of a page. */
import type { Jump, PaletteProps } from "../frame/finder.tsx";

/** The second key of a sequence, by the address that the sequence opens: after G for pages, after C for new resources. */
export const LETTERS: Readonly<Record<string, string>> = {
  "/today": "t",
  "/hours": "w",
  "/customers": "k",
  "/invoices": "i",
  "/products": "p",
  "/revenue": "r",
  "/close": "c",
  "/assistants": "a",
  "/customers/new": "c",
  "/products/new": "p",
  "/invoices/new": "i",
};

/** The first of two keys, and when it was pressed, in milliseconds. */
export type PendingKey = { readonly first: "g" | "c"; readonly at: number } | null;

/** The longest permitted pause between the two keys of a sequence, in milliseconds. */
const MOST_PAUSE = 1500;

interface Step {
  readonly does: "palette" | "keys" | Jump | null;
  readonly waits: PendingKey;
}

/** Returns the effect of a key pressed outside of fields, with or without a first key before it. */
export function afterKey(
  key: string,
  before: PendingKey,
  at: number,
  { go, begin }: Pick<PaletteProps, "go" | "begin">,
): Step {
  const letter = key.toLowerCase();
  if (before !== null && at - before.at <= MOST_PAUSE) {
    const jumps = before.first === "g" ? go : begin;
    const jump = jumps.find(({ href }) => LETTERS[href] === letter);
    if (jump !== undefined) return { does: jump, waits: null };
  }
  if (key === "/") return { does: "palette", waits: null };
  if (key === "?") return { does: "keys", waits: null };
  if (letter === "g" || letter === "c") return { does: null, waits: { first: letter, at } };
  return { does: null, waits: null };
}

const PLACE = "matchbook.single-keys";

/** Whether single keys are on, as chosen in this browser. */
export function usesSingleKeys(): boolean {
  try {
    return localStorage.getItem(PLACE) !== "off";
  } catch {
    return true;
  }
}

export function chooseSingleKeys(are_on: boolean): void {
  try {
    localStorage.setItem(PLACE, are_on ? "on" : "off");
  } catch {
    // A browser that keeps nothing: they are on again on the next page.
  }
}
