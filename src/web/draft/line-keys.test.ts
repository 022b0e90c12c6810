/** The keys in a draft line. */
import { expect, it } from "vitest";
import { keyOfLine, type LineKey } from "./line-keys.ts";

const PLAIN = {
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  defaultPrevented: false,
};

it.each<[object, Parameters<typeof keyOfLine>[1], LineKey | null]>([
  [{ key: "Enter" }, "field", "next"],
  [{ key: "Enter" }, "other", null],
  [{ key: "Enter" }, "handle", null],
  [{ key: "Enter", ctrlKey: true }, "field", null],
  [{ key: "Enter", defaultPrevented: true }, "field", null],
  [{ key: "ArrowUp", altKey: true }, "field", "up"],
  [{ key: "ArrowDown", altKey: true }, "other", "down"],
  [{ key: "ArrowDown" }, "field", null],
  [{ key: "ArrowDown" }, "handle", "down"],
  [{ key: "ArrowUp" }, "handle", "up"],
  [{ key: "d", metaKey: true }, "field", "copy"],
  [{ key: "D", ctrlKey: true }, "other", "copy"],
  [{ key: "d" }, "field", null],
  [{ key: "d", ctrlKey: true, shiftKey: true }, "field", null],
])("%j in a %s means %s", (pressed, place, meaning) => {
  expect(keyOfLine({ ...PLAIN, ...pressed } as Parameters<typeof keyOfLine>[0], place)).toBe(
    meaning,
  );
});
