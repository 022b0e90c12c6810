/** What opens for a visitor whose password was right and whose second factor is missing: its page, and signing out. */

export const FACTOR_PATH = "/sign-in/factor";
const OPEN: readonly string[] = [FACTOR_PATH, "/sign-out"];

/**
 * Returns the address to which a request of such a visitor leads; null for what opens. `path` is the page's registered path, and
 * `url` the address that was asked for, to which the visitor returns after the answer.
 */
export function leadToFactor(method: "GET" | "POST", path: string, url: string): string | null {
  if (OPEN.includes(path)) return null;
  return method === "GET" ? `${FACTOR_PATH}?next=${encodeURIComponent(url)}` : FACTOR_PATH;
}
