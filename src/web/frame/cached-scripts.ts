/**
 * Whether a browser has the present scripts in its cache: the main script says so in a cookie. A page then waits for them before
 * it is drawn first, because to draw it half, and again after they have run, takes longer. On a first visit the HTML is drawn at once.
 */
import { cookieIn } from "./page-cookie.ts";

const NAME = "matchbook-scripts";
const YEAR_MS = 31_536_000_000;

/** Returns the cookie of a browser that has run the main script of this path; `now` is in milliseconds since 1970. */
export function cachedScripts(main_path: string, now: number) {
  return { name: NAME, value: main_path, expires: now + YEAR_MS, sameSite: "lax" } as const;
}

/** Whether a Cookie header says that the main script of this path has run. */
export function areScriptsCached(header: string | undefined, main_path: string): boolean {
  return cookieIn(header, NAME) === main_path;
}
