/** The icons: each name has a symbol, and each symbol is used. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "../../platform/runtime/paths.ts";
import { ICONS } from "./icon.tsx";

it("the file of icons contains exactly the named symbols", () => {
  const file = readFileSync(join(packageRoot, "assets", "icons.svg"), "utf8");
  expect([...file.matchAll(/<symbol id="([^"]+)"/g)].map(([, name]) => name)).toEqual([...ICONS]);
});
