/**
 * What this browser keeps between pages. A browser may keep nothing for anybody, or have no room: then only a reload loses what was not
 * stored elsewhere.
 */

export function keptAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Keeps a text; null forgets what was kept. */
export function keepAt(place: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    // Full, or not allowed.
  }
}

/** What is kept as JSON; null where nothing is, or no JSON. */
export function keptValueAt(place: string): unknown {
  try {
    return JSON.parse(keptAt(place) ?? "null");
  } catch {
    return null;
  }
}

/** The places that begin so, in order, without what they begin with. */
export function placesKept(prefix: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((place) => place.startsWith(prefix))
      .map((place) => place.slice(prefix.length))
      .sort();
  } catch {
    return [];
  }
}
