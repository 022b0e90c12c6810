/**
 * The specification in docs/spec and its citations: each number has exactly one section, a reference such as "spec 4.10" names an
 * existing section, and no file cites a page outside the repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";

const CITING = ["src", "test", "docs", "bench", "bin"];
const TOP = readdirSync(packageRoot).filter((name) => name.endsWith(".md"));
const HEADING = /^#{1,3} (\d+(?:\.\d+)?) /gm;
/** `spec 4.10`, `spec 2.3 to 2.5`, `spec 4.2, 4.5 and 7`. */
const CITED = /\bspec (\d+(?:\.\d+)?(?:(?:,| and| to| or) (?:to )?\d+(?:\.\d+)?)*)/g;
/** Pages outside of the repository, and numbers of cases in such pages. */
const OUTSIDE = [
  /\b(?:domain|decisions|ledger|documents|oauth-mcp|reliability|architecture|house)\.md (?:section )?\d/,
  /\binterface (?:section )?\d/i,
  /\binterface-spec\b/,
  /\bedge cases? \d/,
  /\.\.\/shared\//,
];

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsIn(folder: string): Text[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:ttf|png|svg|gz)$/.test(entry.name))
    .map((entry) => {
      const path = posix.join(entry.parentPath.slice(packageRoot.length), entry.name);
      return { path, text: readFileSync(join(entry.parentPath, entry.name), "utf8") };
    });
}

function headingsOf({ text }: Text): string[] {
  return [...text.matchAll(HEADING)].map(([, number = ""]) => number);
}

/** Joins the lines of a text: a comment may break a reference at the end of a line. */
function flowing(text: string): string {
  return text.replace(/\n\s*(?:\*|\/\/|--)?\s*/g, " ");
}

/** The numbers that a text cites, including the ends of ranges. */
function citedIn(text: string): string[] {
  return [...flowing(text).matchAll(CITED)].flatMap(
    ([, numbers = ""]) => numbers.match(/[\d.]+\d|\d/g) ?? [],
  );
}

const chapters = textsIn("docs/spec").filter(({ path }) => path.endsWith(".md"));
const headings = chapters.flatMap(headingsOf);
const citing = [
  ...CITING.flatMap(textsIn),
  ...TOP.map((path) => ({ path, text: readFileSync(join(packageRoot, path), "utf8") })),
].filter(({ path }) => !path.endsWith("test/house/spec.test.ts"));

describe("the specification", () => {
  it("has sections with unique numbers", () => {
    expect(headings.length).toBeGreaterThan(60);
    expect(headings.filter((number, place) => headings.indexOf(number) !== place)).toEqual([]);
  });

  it("lists each of its files in its README", () => {
    const readme = chapters.find(({ path }) => path.endsWith("README.md"))?.text ?? "";
    const names = chapters.map(({ path }) => posix.basename(path));
    expect(names.filter((name) => name !== "README.md" && !readme.includes(`(${name})`))).toEqual(
      [],
    );
  });

  it("contains every cited section", () => {
    const known = new Set(headings);
    const missing = citing.flatMap(({ path, text }) =>
      citedIn(text)
        .filter((number) => !known.has(number))
        .map((number) => `${path}: spec ${number}`),
    );
    expect(missing).toEqual([]);
  });

  it("contains every section cited by its own pages", () => {
    const known = new Set(headings);
    const missing = chapters.flatMap(({ path, text }) =>
      [...text.matchAll(/\((\d+\.\d+)\)/g)]
        .map(([, number = ""]) => number)
        // In paragraphs of the standards, the number before the point is that of the standard.
        .filter((number) => Number.parseInt(number, 10) <= 12 && !known.has(number))
        .map((number) => `${path}: ${number}`),
    );
    expect(missing).toEqual([]);
  });

  it("is the only cited specification", () => {
    const outside = citing.flatMap(({ path, text }) => {
      const found = OUTSIDE.map((pattern) => pattern.exec(flowing(text))?.[0]);
      return found.filter((words) => words !== undefined).map((words) => `${path}: ${words}`);
    });
    expect(outside).toEqual([]);
  });

  it.each([
    "What is booked (domain.md 3.8).",
    "Rows (domain.md\n * 3.3).",
    "The list (interface 2.1), issued (interface section 3).",
    "edge case 34: leaves what is booked",
    'new URL("../../../shared/data/x.json")',
  ])("does not contain the citation of %j", (text) => {
    expect(OUTSIDE.some((pattern) => pattern.test(flowing(text)))).toBe(true);
  });

  it.each([
    ["Late changes (spec 3.6).", ["3.6"]],
    ["Lines (spec 2.1, 2.2 and 4.10).", ["2.1", "2.2", "4.10"]],
    ["Periods (spec 4.2 to 4.4).", ["4.2", "4.4"]],
    ["Cancelling (spec\n * 4.10), series (spec 4).", ["4.10", "4"]],
    ["The spec of 4 things, and specs 3.1.", []],
  ])("is cited in %s", (text, numbers) => {
    expect(citedIn(text)).toEqual(numbers);
  });
});

describe("the documentation", () => {
  it("links only to existing files and headings", () => {
    const pages = citing.filter(({ path }) => path.endsWith(".md"));
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, file = "", anchor]) => !leadsSomewhere(path, file, anchor))
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

function leadsSomewhere(from: string, file: string, anchor: string | undefined): boolean {
  const target = join(packageRoot, file === "" ? from : posix.join(posix.dirname(from), file));
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const titles = readFileSync(target, "utf8").matchAll(/^#+ (.+)$/gm);
  return [...titles].some(([, title = ""]) => anchorOf(title) === anchor);
}

/** The anchor of a heading in a link. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
