/** Every citation in code and documents exists: files and folders by their paths, decisions by their numbers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { paths, textsOf } from "./words/texts.ts";

/** Paths begin at the root or below `src`. The characters after a path distinguish a pattern, such as `docs/mcp-tools.*.json`. */
const PATH =
  /(?<![\w./@-])((?:src|test|docs|bench|bin|migrations|domain|features|platform|assistant|web|ledger)\/[\w./-]*\w)(?![\w/-]|[.]?[*<…])/g;
const DECISION = /\bdecisions? (\d+)/gi;
/** Patterns, examples and words that resemble paths. */
const NO_PATHS = new Set(["migrations/NNNN_what.sql", "docs/decisions/NNNN-title.md"]);

const known = new Set(
  paths().flatMap((path) =>
    path.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/")),
  ),
);

function exists(path: string): boolean {
  // A migration or a decision cited only by its number.
  if (/\/\d{4}$/.test(path))
    return [...known].some((one) => one.startsWith(`${path}-`) || one.startsWith(`${path}_`));
  return ["", "src/"].some((folder) =>
    ["", ".ts", ".tsx", ".test.ts"].some((extension) => known.has(folder + path + extension)),
  );
}

const decisions = new Set(
  [...known].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []),
);

/** The whole text of pages; the comments and sentences of programs. */
function citing(): { readonly path: string; readonly text: string }[] {
  return paths()
    .filter((path) => !path.startsWith("test/house/") && path !== "docs/internals/renames.md")
    .flatMap((path) => {
      const text = () => readFileSync(join(packageRoot, path), "utf8");
      if (path.endsWith(".md")) return [{ path, text: text() }];
      const prose = textsOf(path, text)?.filter(({ kind }) => kind === "prose") ?? [];
      return [{ path, text: prose.map((one) => one.text).join("\n") }];
    });
}

/** The citations in a text whose target does not exist. */
function absent(text: string): string[] {
  const cited = [...text.matchAll(PATH)].map(([, path = ""]) => path);
  const numbers = [...text.matchAll(DECISION)].map(([, number = ""]) => number);
  return [
    ...cited.filter((path) => !exists(path) && !NO_PATHS.has(path)),
    ...numbers
      .filter((number) => !decisions.has(number.padStart(4, "0")))
      .map((number) => `decision ${number}`),
  ];
}

describe("citations", () => {
  it("name only existing files, folders and decisions", () => {
    const faults = citing().flatMap(({ path, text }) =>
      absent(text).map((cited) => `${path}: ${cited}`),
    );
    expect(faults).toEqual([]);
  });

  it.each(["see src/domain/base/purse.ts", "as `features/unheard-of` does", "decision 9999"])(
    "are refused: %s",
    (text) => expect(absent(text)).toHaveLength(1),
  );

  it("are recognised with and without `src`", () => {
    expect(
      absent("src/domain/base/money.ts, domain/base/money.ts, `web/frame`, decision 2"),
    ).toEqual([]);
  });
});
