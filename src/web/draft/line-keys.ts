/** The keys in the fields of a draft line: the next line, and moving and copying the line. */

export type LineKey = "next" | "up" | "down" | "copy";

interface Pressed {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  /** Whether another handler has used the key. */
  readonly defaultPrevented: boolean;
}

/**
 * Returns what a key means in a line; null for a key that has no effect on lines. `place` is where the key was pressed: arrows
 * alone move a line by its handle, and Enter means the next line only in a simple field.
 */
export function keyOfLine(pressed: Pressed, place: "field" | "handle" | "other"): LineKey | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = pressed;
  if (defaultPrevented || shiftKey) return null;
  const commands = ctrlKey || metaKey;
  if (key.toLowerCase() === "d" && commands && !altKey) return "copy";
  if (commands) return null;
  const is_moved = altKey || place === "handle";
  if (key === "ArrowUp" && is_moved) return "up";
  if (key === "ArrowDown" && is_moved) return "down";
  return key === "Enter" && !altKey && place === "field" ? "next" : null;
}
