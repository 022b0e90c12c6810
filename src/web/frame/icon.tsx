/** An icon beside a word; never alone. */
import { assetUrl } from "./assets.ts";

/** The icons that the pages use: the symbols of `assets/icons.svg`, of Tabler Icons in outline, in alphabetical order. */
export const ICONS = [
  "building-store",
  "clock-hour-4",
  "code",
  "file-invoice",
  "history",
  "package",
  "search",
  "sparkles",
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
