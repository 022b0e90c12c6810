/** Size limits for the files that browsers load: compressed, and uncompressed for all files of a page. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../platform/runtime/paths.ts";
import { da } from "../words/da.ts";
import { en } from "../words/en.ts";
import { scriptsOf } from "./assets.ts";

const FOLDER = join(packageRoot, "dist", "assets");
const MOST_STYLE = 15_000;
const MOST_SCRIPT = 60_000;
/** For all files of a page, in bytes, uncompressed, without its fonts and its own text. */
const MOST_IN_ALL = 240_000;
/** More for islands on a short page: 300 kB are the limit of a whole page. */
const MOST_OF_ISLANDS: Readonly<Record<string, number>> = {
  // It has the check digits of the VAT numbers of all countries.
  "company-form": 280_000,
  // It edits lines of every recognition method.
  "draft-editor": 255_000,
};

const manifest = JSON.parse(readFileSync(`${FOLDER}.json`, "utf8")) as Record<string, string>;
const sent = (file: string) => statSync(join(FOLDER, `${file}.br`)).size;
const whole = (file: string) => statSync(join(FOLDER, file)).size;

/** A file and all its static imports, without its dynamic ones. */
function withImports(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  const text = readFileSync(join(FOLDER, file), "utf8");
  for (const [, next = ""] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    withImports(next, reached);
  return reached;
}

/** The chunks that a script imports dynamically. */
function loadedBy(file: string): string[] {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return [...text.matchAll(/import\([`"']\.\/([^`"']+\.js)[`"']\)/g)].map(([, next = ""]) => next);
}

const main = manifest["main.js"] ?? "";
/** All files that the script may ever load: the folder may still have files of an earlier build. */
const reachable = new Set(withImports(main));
for (const file of reachable)
  for (const next of loadedBy(file)) for (const one of withImports(next)) reachable.add(one);
const of_language = (language: string) => manifest[`${language}.js`] ?? "";
const islands = [...new Set([...withImports(main)].flatMap(loadedBy))];

it("limits the size of the stylesheet", () => {
  expect(sent(manifest["matchbook.css"] ?? "")).toBeLessThan(MOST_STYLE);
});

it.each(islands.map((file) => [file.split(".")[0], file]))(
  "limits the size of the scripts for %s",
  (name, file) => {
    for (const language of ["en", "da"]) {
      const words = of_language(language);
      expect(words).not.toBe("");
      const files = new Set([main, words, file].flatMap((one) => [...withImports(one)]));
      const sum = (size: (one: string) => number) =>
        [...files].reduce((total, one) => total + size(one), 0);
      expect(sum(sent)).toBeLessThan(MOST_SCRIPT);
      expect(sum(whole) + whole(manifest["matchbook.css"] ?? "")).toBeLessThan(
        MOST_OF_ISLANDS[name ?? ""] ?? MOST_IN_ALL,
      );
    }
  },
);

it.each([
  ["en", en],
  ["da", da],
] as const)("loads the texts in %s whose name occurs in a script", async (language, all) => {
  const code = [...reachable].map((file) => readFileSync(join(FOLDER, file), "utf8")).join("\n");
  const texts = (await import(join(FOLDER, of_language(language))))[language] as typeof all;
  const left_out = Object.keys(all).filter((name) => !Object.hasOwn(texts, name));
  expect(left_out).not.toEqual([]);
  const isRead = (name: string) => new RegExp(`\\.words\\.${name}\\b`).test(code);
  expect(left_out.filter(isRead)).toEqual([]);
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(["draft", "hours", "saving"]));
});

it("names for each island all files that it imports, except those of the main script", () => {
  const addresses = (names: readonly string[]) => {
    const { run, imported } = scriptsOf(names);
    expect(run).toHaveLength(names.length);
    return [...run, ...imported].map((address) => address.replace("/assets/", ""));
  };
  const of_main = withImports(main);
  expect(new Set([main, ...addresses([])])).toEqual(of_main);
  for (const file of islands) {
    const name = file.split(".")[0] ?? "";
    expect(scriptsOf([name]).run).toEqual([`/assets/${file}`]);
    const named = new Set([main, ...addresses([name])]);
    for (const one of withImports(file)) expect(named).toContain(one);
  }
});

it("builds a script for each island and every file of the manifest", () => {
  expect(islands.map((file) => file.split(".")[0])).toEqual(
    expect.arrayContaining(["credit-form", "draft-editor", "product-list", "week-grid"]),
  );
  const files = new Set(readdirSync(FOLDER));
  for (const file of Object.values(manifest)) expect(files.has(file)).toBe(true);
});
