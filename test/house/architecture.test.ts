/** ARCHITECTURE.md is short, and its picture shows the layers and groups of the other rules of the house. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { GROUPS, LAYERS, layerOf } from "./layers.ts";

const WORDS_AT_MOST = 2_000;

const page = readFileSync(join(packageRoot, "ARCHITECTURE.md"), "utf8");

interface Row {
  readonly layer: string;
  readonly content: string;
}

/** The rows of the first picture of a page, from the top; a row may have several lines. */
function rowsOf(text: string): Row[] {
  const [, picture = ""] = /^```text\n([\s\S]*?)^```/m.exec(text) ?? [];
  const rows: Row[] = [];
  for (const [, layer = "", content = ""] of picture.matchAll(/^│ (\S*) *│ (.*?) *│$/gm)) {
    const last = rows.at(-1);
    if (layer === "" && last !== undefined) {
      rows.splice(-1, 1, { ...last, content: `${last.content} ${content}` });
    } else rows.push({ layer, content });
  }
  return rows;
}

const pathsIn = ({ content }: Row) => content.match(/\bsrc\/[\w./-]*\w/g) ?? [];

function groupsIn(rows: readonly Row[]): string[] {
  const { content = "" } = rows.find(({ layer }) => layer === "features") ?? {};
  return content.match(/[a-z-]+(?= +←)|(?<=← +)[a-z-]+/g) ?? [];
}

/** The differences between a page and the lists of the house. */
function faults(text: string): string[] {
  const rows = rowsOf(text);
  const found: string[] = [];
  const layers = rows.map(({ layer }) => layer).toReversed();
  if (layers.join() !== LAYERS.join()) found.push(`the layers are ${layers}`);
  const groups = groupsIn(rows);
  if (groups.join() !== Object.keys(GROUPS).join()) found.push(`the groups are ${groups}`);
  for (const row of rows) {
    const others = pathsIn(row).filter((path) => layerOf(path) !== row.layer);
    found.push(...others.map((path) => `${path} does not belong to ${row.layer}`));
  }
  const named = new Set(rows.flatMap(pathsIn));
  const absent = partsOfSource().filter((path) => !named.has(path));
  found.push(...absent.map((path) => `${path} is in no row`));
  return found;
}

/** The files and folders directly in `src`, and the two layers inside `src/ledger` and `src/einvoice`. */
function partsOfSource(): string[] {
  const parts = readdirSync(join(packageRoot, "src")).map((name) => `src/${name}`);
  const inside = ["ledger", "einvoice"].flatMap((port) => [
    `src/${port}/transport`,
    `src/${port}/connectors`,
  ]);
  return [...parts, ...inside];
}

describe("ARCHITECTURE.md", () => {
  it(`has at most ${WORDS_AT_MOST} words`, () => {
    const count = page.split(/\s+/).filter((word) => word !== "").length;
    expect(count).toBeLessThanOrEqual(WORDS_AT_MOST);
  });

  it("shows every layer and every group of features, in order", () => {
    expect(faults(page)).toEqual([]);
  });

  it.each([
    ["without a layer", /^│ transport .*$/m, ""],
    [
      "with two layers in another order",
      /^│ platform( .*\n[\s\S]*?)│ ledger {2}/m,
      "│ ledger  $1│ platform",
    ],
    ["with two groups in another order", "recurring ← work", "work ← recurring"],
    ["without a group", "work ← ", ""],
    ["with a file in the wrong row", "src/routes.ts", "src/routes.ts  src/main.ts"],
    ["without a file", "src/thread.ts", ""],
  ])("is refused %s", (_, from, to) => {
    const changed = page.replace(from, to);
    expect(changed).not.toBe(page);
    expect(faults(changed)).not.toEqual([]);
  });
});
