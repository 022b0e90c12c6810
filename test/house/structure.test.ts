/**
 * Rules about all files together (docs/internals/layers.md): no cycle of files, no long function, no export that no other
 * file imports. Each rule has an example that it must refuse.
 */
import { describe, expect, it } from "vitest";
import { circles, type ReadFile, readFiles, readSource } from "./source-tree.ts";

const LINES_OF_A_FUNCTION = 70;

/** Exports called by a file that is not TypeScript. */
const CALLED_FROM_OUTSIDE = [
  "src/cli/cli.ts runCli",
  "src/thread.ts answerTask",
  "test/support/run/kinds.ts positionOf",
  "test/support/run/scope.ts scopedTo",
];

/** The domain with its dependencies, and the files of the pages that import nothing from the server. */
const IN_BROWSERS = /^(src\/(domain|web)\/|preact(\/|$)|temporal-polyfill|stdnum|papaparse)/;

const isTest = (path: string) => path.includes(".test.");
const product = () => readFiles().filter(({ path }) => path.startsWith("src/") && !isTest(path));
const parsed = (path: string, text: string) => readSource({ path, text });

describe("files of the product", () => {
  it("have no import cycles", () => {
    expect(product().length).toBeGreaterThan(100);
    expect(circles(importsBetween(product()))).toEqual([]);
  });

  it("are refused in a cycle, also of types", () => {
    const files = [
      parsed("src/a.ts", 'import type { B } from "./b.ts";\nexport interface A { b: B }'),
      parsed("src/b.ts", 'export { c } from "./c.ts";\nexport interface B {}'),
      parsed("src/c.ts", 'import { d } from "./d.ts";\nexport const c = () => import("./a.ts");'),
      parsed("src/d.ts", "export const d = 1;"),
    ];
    expect(circles(importsBetween(files))).toEqual([["src/a.ts", "src/b.ts", "src/c.ts"]]);
  });
});

describe("the code of browsers", () => {
  it("consists of the domain and the files of pages without the server", () => {
    const reached = reachedFrom(readFiles(), "src/web/browser/main.tsx");
    expect(reached).toContain("src/web/products/product-list.tsx");
    expect(reached.filter((path) => !IN_BROWSERS.test(path))).toEqual([]);
  });

  it("contains every island by its name", () => {
    const islands = product().filter(({ exports }) => exports.includes("island"));
    const main = product().find(({ path }) => path === "src/web/browser/main.tsx");
    for (const { path, text } of islands) {
      const [, screen, name] = /^src\/web\/([a-z-]+)\/([a-z-]+)\.tsx$/.exec(path) ?? [];
      expect(text).toContain(`name: "${name}"`);
      expect(main?.text).toContain(`"${name}": () => import("../${screen}/${name}.tsx")`);
    }
  });

  it("is found through all imports that exist at run time", () => {
    const files = [
      parsed("src/a.ts", 'import type { x } from "./t.ts";\nimport { y } from "./b.ts";'),
      parsed("src/b.ts", 'const c = () => import("./c.ts");\nimport { type z } from "./t.ts";'),
      parsed("src/c.ts", 'import "node:fs";'),
    ];
    expect(reachedFrom(files, "src/a.ts")).toEqual(["src/a.ts", "src/b.ts", "src/c.ts", "node:fs"]);
  });
});

describe("functions", () => {
  it(`have at most ${LINES_OF_A_FUNCTION} lines`, () => {
    expect(product().flatMap(longFunctions)).toEqual([]);
  });

  it("are refused with one more line", () => {
    const body = "\n".repeat(LINES_OF_A_FUNCTION);
    expect(longFunctions(parsed("src/a.ts", `const f = () => {${body}};`))).toEqual([
      `src/a.ts:1 has a function of ${LINES_OF_A_FUNCTION + 1} lines`,
    ]);
    expect(longFunctions(parsed("src/a.ts", `function f() {${body.slice(1)}}`))).toEqual([]);
  });
});

describe("an export", () => {
  it("is imported by another file", () => {
    const found = unusedExports(readFiles());
    expect(found.filter((one) => !CALLED_FROM_OUTSIDE.includes(one))).toEqual([]);
    expect(CALLED_FROM_OUTSIDE.filter((one) => !found.includes(one))).toEqual([]);
  });

  it("is refused if no other file imports it", () => {
    const files = [
      parsed("src/a.ts", "export const used = 1, lost = 2;\nexport interface Gone {}"),
      parsed("src/b.ts", 'import { used } from "./a.ts";\nconst own = used;\nexport { own };'),
      parsed("src/c.ts", 'import * as b from "./b.ts";\nb.own;'),
    ];
    expect(unusedExports(files)).toEqual(["src/a.ts lost", "src/a.ts Gone"]);
  });
});

function importsBetween(files: readonly ReadFile[]): Map<string, string[]> {
  return new Map(files.map(({ path, imports }) => [path, imports.map(({ from }) => from)]));
}

function longFunctions({ path, functions }: ReadFile): string[] {
  return functions
    .filter(({ lines }) => lines > LINES_OF_A_FUNCTION)
    .map(({ line, lines }) => `${path}:${line} has a function of ${lines} lines`);
}

function unusedExports(files: readonly ReadFile[]): string[] {
  const used = new Map<string, Set<string>>();
  for (const { imports } of files) {
    for (const { from, names } of imports) {
      used.set(from, new Set([...(used.get(from) ?? []), ...names]));
    }
  }
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, exports }) => {
      const names = used.get(path);
      if (names?.has("*")) return [];
      return exports.filter((name) => !names?.has(name)).map((name) => `${path} ${name}`);
    });
}

/** The files and packages that a file loads at run time, including itself. */
function reachedFrom(files: readonly ReadFile[], start: string): string[] {
  const known = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([start]);
  for (const path of reached) {
    for (const { from, is_of_types } of known.get(path)?.imports ?? []) {
      if (!is_of_types) reached.add(from);
    }
  }
  return [...reached];
}
