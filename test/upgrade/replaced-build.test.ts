/** A build that replaces another while a process runs: `bin/matchbook` with a compiler that writes two small files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";

/** Its program says that it runs, and loads the rest when its input ends, from a file whose name changes with its content. */
const COMPILER = `
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
export async function build(folder) {
  const name = readFileSync(join(import.meta.dirname, "..", "src", "name.txt"), "utf8");
  mkdirSync(join(folder, "cli"), { recursive: true });
  writeFileSync(join(folder, name + ".js"), "export const name = " + JSON.stringify(name));
  writeFileSync(join(folder, "cli", "cli.js"), \`
    export async function runCli() {
      console.error("runs");
      for await (const _ of process.stdin);
      console.log((await import("../\${name}.js")).name);
      return 0;
    }\`);
}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "matchbook-build-"));
  for (const name of ["bin", "src", "assets"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(packageRoot, "bin", "matchbook"), join(folder, "bin", "matchbook"));
  writeFileSync(join(folder, "bin", "build.mjs"), COMPILER);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the program on the sources as they are. Returns a function that lets it load the rest and returns its output. */
async function start(source: string): Promise<() => Promise<string>> {
  const file = join(folder, "src", "name.txt");
  writeFileSync(file, source);
  // Newer than every build, also where the clock of the machine is set back meanwhile.
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(file, later, later);
  const child = spawn(process.execPath, [join(folder, "bin", "matchbook")]);
  await once(child.stderr, "data");
  return () => {
    child.stdin.end();
    return text(child.stdout);
  };
}

it("leaves a running process the files that it has not loaded yet", async () => {
  const finishFirst = await start("first");
  const finishSecond = await start("second");

  expect(await finishSecond()).toBe("second\n");
  expect(await finishFirst()).toBe("first\n");
});

it("removes the files of the build before the last one", async () => {
  const finishThird = await start("third");

  expect(await finishThird()).toBe("third\n");
  expect(readdirSync(join(folder, "dist")).toSorted()).toEqual([
    ".built",
    "cli",
    "second.js",
    "third.js",
  ]);
});
