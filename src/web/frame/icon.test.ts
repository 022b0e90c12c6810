/** The icons: each name has a symbol, and each symbol is used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../platform/runtime/paths.ts";
import { ICONS } from "./icon.tsx";

it("each is a symbol of the file, and the file has no other", () => {
  const file = readFileSync(join(packageRoot, "assets", "icons.svg"), "utf8");
  expect([...file.matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name)).toEqual([...ICONS]);
});
