/**
 * An icon beside a word; never alone. Its drawing is in the page: a reference to the file of icons costs the browser a document
 * of its own, and a second layout when that has loaded.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../platform/runtime/paths.ts";

/** The names of the icons: the symbols of `assets/icons.svg`, from Tabler Icons in outline, in alphabetical order. */
export const ICONS = [
  "alert-triangle",
  "book-2",
  "building-bank",
  "building-store",
  "calendar-x",
  "cash",
  "chart-bar",
  "chevron-left",
  "chevron-right",
  "circle-check",
  "circle-dashed",
  "clock-hour-4",
  "coins",
  "download",
  "file-invoice",
  "flag",
  "history",
  "hourglass-high",
  "lock-check",
  "mail-x",
  "menu-2",
  "package",
  "plus",
  "repeat",
  "search",
  "settings",
  "sparkles",
  "sun-high",
  "users",
] as const;

export type IconName = (typeof ICONS)[number];

let drawings: ReadonlyMap<string, string> | undefined;

/** Returns the path of an icon: the strokes of its symbol as one. Each of them begins at an absolute point. */
function drawingOf(name: IconName): string {
  drawings ??= drawingsIn(readFileSync(join(packageRoot, "assets", "icons.svg"), "utf8"));
  return drawings.get(name) ?? "";
}

function drawingsIn(file: string): ReadonlyMap<string, string> {
  const symbols = file.matchAll(/<symbol id="([^"]+)"[^>]*>(.*)<\/symbol>/g);
  return new Map(
    [...symbols].map(([, name = "", drawn = ""]) => {
      const strokes = [...drawn.matchAll(/ d="([^"]+)"/g)].map(([, stroke = ""]) => stroke);
      return [name, strokes.join("")];
    }),
  );
}

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawingOf(name)} />
    </svg>
  );
}
