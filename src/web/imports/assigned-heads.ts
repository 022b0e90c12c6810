/** Remembers in this browser which columns a person has given to the heads of files. */
import type { Assigned, ImportKind } from "./import-columns.ts";

const placeOf = (kind: ImportKind) => `matchbook.import.${kind}`;

/** Returns what was given to heads before; nothing in a browser that keeps nothing. */
export function assignedBefore(kind: ImportKind): Assigned {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(kind)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter(([, field]) => typeof field === "string"),
    );
  } catch {
    return {};
  }
}

/** Remembers what is given now, with what was given to the heads of other files. */
export function keepAssigned(kind: ImportKind, given: Assigned): void {
  try {
    localStorage.setItem(placeOf(kind), JSON.stringify({ ...assignedBefore(kind), ...given }));
  } catch {
    // A browser that keeps nothing: the heads are given again next time.
  }
}
