/** Colours as `#rrggbb`, and their contrast on white paper. */

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The least contrast that the accessibility guidelines require for text (WCAG 2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

/** Returns the colour, or its lightest shade that is readable on white, with the same hue and saturation. */
export function readableOnWhite(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  for (let share = 255; share > 0; share -= 1) {
    const dimmed = channels.map((channel) => Math.round((channel * share) / 255));
    if (contrastWithWhite(dimmed) >= LEAST_CONTRAST) {
      return `#${dimmed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    }
  }
  return "#000000";
}

/** The contrast, from 1 for white itself to 21 for black. */
export function contrastWithWhite(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
