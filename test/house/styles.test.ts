/** The stylesheets of screens: all of them are one file in the browser, so a class of one screen must not style another one. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { pathsBelow } from "../support/run/kinds.ts";

/** Folders whose classes are for all screens: they are one folder here. */
const SHARED = ["src/web/frame", "src/web/parts", "src/web/charts"];

/** Returns the classes that a stylesheet styles wherever they stand: those whose selector names nothing else. */
function ownClasses(css: string): string[] {
  const selectors = css.replace(/\/\*[\s\S]*?\*\//g, "").match(/[^{};]+(?=\{)/g) ?? [];
  return selectors
    .flatMap((list) => list.split(","))
    .flatMap((selector) => /^\s*(?:main )?\.([a-z-]+)\s*$/.exec(selector)?.[1] ?? []);
}

/** Returns the classes that the stylesheets of two screens style, with their folders. */
function sharedClasses(sheets: readonly { folder: string; css: string }[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const { folder, css } of sheets) {
    for (const name of ownClasses(css)) {
      folders.set(name, (folders.get(name) ?? new Set()).add(folder));
    }
  }
  return [...folders]
    .filter(([, of]) => of.size > 1)
    .map(([name, of]) => `.${name}: ${[...of].sort().join(", ")}`);
}

it("a class belongs to one screen", () => {
  const sheets = pathsBelow(packageRoot, "src/web")
    // A print hides parts of screens.
    .filter((path) => path.endsWith(".css") && !path.endsWith("/print.css"))
    .map((path) => ({
      folder: SHARED.includes(posix.dirname(path)) ? "all screens" : posix.dirname(path),
      css: readFileSync(join(packageRoot, path), "utf8"),
    }));
  expect(sheets.length).toBeGreaterThan(10);
  expect(sharedClasses(sheets)).toEqual([]);
});

it("a class of two screens is found", () => {
  const week = {
    folder: "src/web/week",
    css: "@layer screens { .scroll { top: 0 } .a .b { top: 0 } }",
  };
  const revenue = {
    folder: "src/web/revenue",
    css: ".x, main .scroll { top: 0 } .scroll > .b { top: 0 }",
  };
  expect(sharedClasses([week, revenue])).toEqual([".scroll: src/web/revenue, src/web/week"]);
  expect(sharedClasses([week, week])).toEqual([]);
});
