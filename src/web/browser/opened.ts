/** What a person opened last, kept in their browser until they sign out. */
import type { Way } from "../parts/found.ts";
import { PAGES_OF } from "../parts/found.ts";
import { keepAt, keptValueAt } from "./kept.ts";

const MOST = 10;
const ONE = /^(\/[a-z-]+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The newest first; none where the browser keeps nothing. */
export function openedBy(person: string): readonly Way[] {
  const kept = keptValueAt(placeOf(person));
  return Array.isArray(kept) ? kept.filter(isWay) : [];
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
  keepAt(placeOf(person), JSON.stringify([now, ...before].slice(0, MOST)));
}

/** Nobody who comes after them reads what it was. */
export function forgetOpened(person: string): void {
  keepAt(placeOf(person), null);
}

function isWay(kept: unknown): kept is Way {
  const { href, text } = Object(kept) as Partial<Way>;
  return typeof text === "string" && typeof href === "string" && ONE.test(href);
}

function placeOf(person: string): string {
  return `matchbook.opened.${person}`;
}
