/** The map of README.md contains exactly the folders of the top level, of `src`, and of the groups of features. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { GROUPS } from "./layers.ts";

const FEATURES = "src/features";
/** Folders of tools begin with a dot; one of them is in the map. */
const DOT_FOLDERS = [".ci"];

const page = readFileSync(join(packageRoot, "README.md"), "utf8");

/** The folders of the map in order, as paths: two more spaces are one folder deeper. */
function foldersIn(text: string): string[] {
  const [, map = ""] = /^## Map of the code\n+```\n([\s\S]*?)^```/m.exec(text) ?? [];
  const above: string[] = [];
  return [...map.matchAll(/^( *)(\S+)\/ +\S/gm)].map(([, spaces = "", name = ""]) => {
    above.splice(spaces.length / 2, above.length, name);
    return above.join("/");
  });
}

/** The folders of the repository without those that git ignores. */
function foldersOf(folder: string): string[] {
  const ignored = readFileSync(join(packageRoot, ".gitignore"), "utf8").split("\n");
  return readdirSync(join(packageRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith(".") || DOT_FOLDERS.includes(name))
    .filter((name) => ![`${name}/`, `/${name}/`].some((pattern) => ignored.includes(pattern)))
    .filter((name) => !name.startsWith("dist."))
    .map((name) => (folder === "" ? name : `${folder}/${name}`));
}

const groups = Object.keys(GROUPS).map((group) => `${FEATURES}/${group}`);
const expected = ["", "src", FEATURES, ...groups].flatMap(foldersOf).sort();

describe("the map of README.md", () => {
  it("contains every folder once", () => {
    expect(foldersIn(page).sort()).toEqual(expected);
  });

  it("lists groups and features in order", () => {
    const ordered = Object.entries(GROUPS).flatMap(([group, features]) => [
      `${FEATURES}/${group}`,
      ...features.map((feature) => `${FEATURES}/${group}/${feature}`),
    ]);
    const below = foldersIn(page).filter((path) => path.startsWith(`${FEATURES}/`));
    expect(below).toEqual(ordered);
  });

  it.each([
    ["without a folder", /^bench\/.*\n/m, ""],
    ["with a folder that does not exist", "bench/ ", "benches/ "],
    [
      "with a feature in another group",
      /^( {6}hours\/.*\n)([\s\S]*?)^( {4}recurring\/.*\n)/m,
      "$2$3$1",
    ],
  ])("is refused %s", (_, from, to) => {
    const changed = page.replace(from, to);
    expect(changed).not.toBe(page);
    expect(foldersIn(changed).sort()).not.toEqual(expected);
  });
});
