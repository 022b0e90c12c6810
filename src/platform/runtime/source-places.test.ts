import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "rolldown/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLog } from "./log.ts";
import { packageRoot } from "./paths.ts";
import { stackInSources } from "./source-places.ts";

const SOURCE = `type Unneeded = { readonly name: string };
interface AlsoUnneeded extends Unneeded {}

export function fail(given: AlsoUnneeded): never {
  throw new Error(given.name);
}
`;

let folder: string;
let url: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "matchbook-places-"));
  const { code, map } = transformSync("fail.ts", SOURCE, { sourcemap: true });
  writeFileSync(join(folder, "fail.js"), code);
  writeFileSync(join(folder, "fail.js.map"), JSON.stringify(map));
  url = pathToFileURL(join(folder, "fail.js")).href;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The place of `new Error` in the compiled code: its second line. */
const compiled = () => `Error: no\n    at fail (${url}:2:8)\n    at node:internal/process:9:1`;
const inSource = () =>
  `Error: no\n    at fail (${relative(packageRoot, folder)}/fail.ts:5:9)\n    at node:internal/process:9:1`;

describe("a stack of compiled code", () => {
  it("leads to the sources, again and again", () => {
    expect([stackInSources(compiled()), stackInSources(compiled())]).toEqual([
      inSource(),
      inSource(),
    ]);
  });

  it("is unchanged where there is no map", () => {
    const stack = `Error: no\n    at fail (${url}.other.js:2:8)\n    at ${url}.other.js:2:8`;

    expect(stackInSources(stack)).toBe(stack);
  });

  it("leads to the sources in the log", () => {
    let written = "";
    const log = openLog("info", {
      write: (line) => {
        written += line;
      },
    });

    log.error({ err: Object.assign(new Error("no"), { stack: compiled() }) }, "it failed");
    log.error({ err: "no error" }, "it failed too");

    expect(written).toContain(`it failed\n${inSource()}\n`);
    expect(written).toContain("it failed too");
  });
});
