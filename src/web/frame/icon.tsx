/** An icon beside a word; never alone. */
import { assetUrl } from "./assets.ts";

/** The names of the icons: the symbols of `assets/icons.svg`, from Tabler Icons in outline, in alphabetical order. */
export const ICONS = [
  "alert-triangle",
  "book-2",
  "building-store",
  "calendar-x",
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

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${assetUrl("icons.svg")}#${name}`} />
    </svg>
  );
}
