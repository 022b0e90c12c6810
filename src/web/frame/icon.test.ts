/** The icons: each name has a symbol, each symbol is used, and a page has the drawing itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, it } from "vitest";
import { packageRoot } from "../../platform/runtime/paths.ts";
import { ICONS, Icon } from "./icon.tsx";

it("the file of icons contains exactly the named symbols", () => {
  const file = readFileSync(join(packageRoot, "assets", "icons.svg"), "utf8");
  expect([...file.matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name)).toEqual([...ICONS]);
});

it.each(ICONS)("draws %s in the page with all strokes of its symbol", (name) => {
  const file = readFileSync(join(packageRoot, "assets", "icons.svg"), "utf8");
  const [, symbol = ""] = new RegExp(`<symbol id="${name}"[^>]*>(.*)</symbol>`).exec(file) ?? [];
  const shapes = [...symbol.matchAll(/<(\w+)([^>]*)>/g)].filter(([, tag]) => tag !== undefined);
  expect(shapes.length).toBeGreaterThan(0);
  const drawn = renderToString(h(Icon, { name }));
  for (const [, tag, attributes = ""] of shapes) {
    // Each stroke is a path that begins at an absolute point, so one path can have them all.
    expect(tag).toBe("path");
    const [, stroke = ""] = / d="(M[^"]+)"/.exec(attributes) ?? [];
    expect(stroke).not.toBe("");
    expect(drawn).toContain(stroke);
  }
  expect(drawn).not.toContain("<use");
});
