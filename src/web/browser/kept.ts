/** Stores values in this browser between pages. If it refuses, a reload loses values that are not stored elsewhere. */

export function keptAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/** Stores a text under a key; null removes the text. */
export function keepAt(place: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  } catch {
    // Full, or not allowed.
  }
}

/** Returns the stored value, parsed as JSON; null where there is none or it is not JSON. */
export function keptValueAt(place: string): unknown {
  try {
    return JSON.parse(keptAt(place) ?? "null");
  } catch {
    return null;
  }
}

/** Returns the keys that begin with `prefix`, sorted, without the prefix. */
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
