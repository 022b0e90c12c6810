/** No installed package requires a newer Node than the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
}

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot, name), "utf8"));

it("every package runs on the oldest supported Node", () => {
  const { engines } = read("package.json");
  const oldest = semver.minVersion(engines.node)?.version ?? "";
  expect(oldest).toBe("20.19.0");
  const { packages } = read("package-lock.json") as Lock;
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  const newer = Object.entries(packages)
    .filter(([, one]) => one.engines?.node && !semver.satisfies(oldest, one.engines.node))
    .map(([path, one]) => `${path} needs ${one.engines?.node}`);
  expect(newer).toEqual([]);
});
