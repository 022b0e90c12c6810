/**
 * The specification in docs/spec and what cites it: a number stands over one section and no other, and a
 * reference such as "spec 4.10" names a section that exists.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../src/platform/paths.ts";

const CITING = ["src", "test", "docs", "bench", "bin"];
const TOP = readdirSync(packageRoot).filter((name) => name.endsWith(".md"));
const HEADING = /^#{1,3} (\d+(?:\.\d+)?) /gm;
/** `spec 4.10`, `spec 2.3 to 2.5`, `spec 4.2, 4.5 and 7`. */
const CITED = /\bspec (\d+(?:\.\d+)?(?:(?:,| and| to| or) (?:to )?\d+(?:\.\d+)?)*)/g;

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

/** The numbers that a text cites, the ends of ranges too. */
function citedIn(text: string): string[] {
  // A reference may be broken at the end of a line of a comment.
  const flowing = text.replace(/\n\s*(?:\*|\/\/|--)?\s*/g, " ");
  return [...flowing.matchAll(CITED)].flatMap(
    ([, numbers = ""]) => numbers.match(/[\d.]+\d|\d/g) ?? [],
  );
}

const chapters = textsIn("docs/spec").filter(({ path }) => path.endsWith(".md"));
const headings = chapters.flatMap(headingsOf);
const citing = [
  ...CITING.flatMap(textsIn),
  ...TOP.map((path) => ({ path, text: readFileSync(join(packageRoot, path), "utf8") })),
].filter(({ path }) => !path.endsWith("test/spec.test.ts"));

describe("the specification", () => {
  it("has sections, and gives each a number of its own", () => {
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

  it("has every section that is cited", () => {
    const known = new Set(headings);
    const missing = citing.flatMap(({ path, text }) =>
      citedIn(text)
        .filter((number) => !known.has(number))
        .map((number) => `${path}: spec ${number}`),
    );
    expect(missing).toEqual([]);
  });

  it.each([
    ["Late changes (spec 3.6).", ["3.6"]],
    ["Lines (spec 2.1, 2.2 and 4.10).", ["2.1", "2.2", "4.10"]],
    ["Periods (spec 4.2 to 4.4).", ["4.2", "4.4"]],
    ["Cancelling (spec\n * 4.10), series (spec 4).", ["4.10", "4"]],
    ["The spec of 4 things, and specs 3.1.", []],
  ])("is read from %s", (text, numbers) => {
    expect(citedIn(text)).toEqual(numbers);
  });
});
