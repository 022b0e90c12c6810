/** Stores the pages that a person opened last, in their browser until they sign out. */
import type { Way } from "../parts/found.ts";
import { PAGES_OF } from "../parts/found.ts";
import { keepAt, keptValueAt } from "./kept.ts";

const MOST = 10;
const ONE = /^(\/[a-z-]+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the opened pages, the newest first; empty where the browser stores nothing. */
export function openedBy(person: string): readonly Way[] {
  const kept = keptValueAt(placeOf(person));
  return Array.isArray(kept) ? kept.filter(isWay) : [];
}

/** Stores the current page under its heading, if it is the page of a single resource. */
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

/** Removes the list, so that the next person at this browser cannot read it. */
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
