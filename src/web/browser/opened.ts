/** What a person opened last, kept in their browser until they sign out. */
import type { Way } from "../parts/found.ts";
import { PAGES_OF } from "../parts/found.ts";

const MOST = 10;
const ONE = /^(\/[a-z-]+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The newest first; none where the browser keeps nothing. */
export function openedBy(person: string): readonly Way[] {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(person)) ?? "[]") as readonly Way[];
    return kept.filter(({ href, text }) => ONE.test(href) && typeof text === "string");
  } catch {
    return [];
  }
}

/** Keeps the page that is open, where it is that of one thing, under its heading. */
export function keepOpened(person: string): void {
  const { pathname } = location;
  const folder = ONE.exec(pathname)?.[1];
  const text = document.querySelector("h1")?.textContent?.trim();
  const page = Object.values(PAGES_OF).find(([of]) => of === folder);
  if (page === undefined || !text) return;
  const now: Way = { href: pathname, text, end: "", icon: page[1] };
  const before = openedBy(person).filter(({ href }) => href !== pathname);
  keep(person, [now, ...before].slice(0, MOST));
}

/** Nobody who comes after them reads what it was. */
export function forgetOpened(person: string): void {
  keep(person, []);
}

function keep(person: string, ways: readonly Way[]): void {
  try {
    localStorage.setItem(placeOf(person), JSON.stringify(ways));
  } catch {
    // A browser that keeps nothing, or has no room.
  }
}

function placeOf(person: string): string {
  return `matchbook.opened.${person}`;
}
