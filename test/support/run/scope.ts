/**
 * The part of the tests that a run is limited to (`npm run test:quick`, `npm run test:group -- NAME`): the variable TEST_SCOPE
 * is `quick` or the name of a group of features.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { importsOf, KINDS, pathsBelow, type TestFiles } from "./kinds.ts";

/** What a scope leaves to run, and the number of files that it leaves out, by kind. */
interface Scoped {
  readonly files: TestFiles;
  readonly left_out: Readonly<Record<keyof TestFiles, number>>;
}

/** Limits the test files to a scope. Throws for a group that does not exist. */
export function scopedTo(scope: string, files: TestFiles, root: string): Scoped {
  const kept = scope === "quick" ? quickOf(files, changedIn(root)) : groupOf(scope, files, root);
  const left_out = KINDS.map((name) => [name, files[name].length - kept[name].length]);
  return { files: kept, left_out: Object.fromEntries(left_out) };
}

/** All rules, and the service tests in the folders of changed files. */
export function quickOf(files: TestFiles, changed: readonly string[]): TestFiles {
  const folders = new Set(changed.map((path) => dirname(path)));
  return {
    rules: files.rules,
    service: files.service.filter((path) => folders.has(dirname(path))),
    slow: [],
  };
}

/**
 * The test files of `vitest run PATH…`, each named by a part of its path with a slash; all files for other arguments, which Vitest
 * itself has to understand.
 */
export function namedIn([command, ...paths]: readonly string[], files: TestFiles): TestFiles {
  if (command !== "run" || !paths.every((path) => /^[^-].*\//.test(path))) return files;
  const isNamed = (file: string) => paths.some((path) => file.includes(path));
  const named = filesThat(isNamed, files);
  return KINDS.some((name) => named[name].length > 0) ? named : files;
}

/** Paths of files that differ from HEAD, untracked ones too. */
function changedIn(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  return [
    ...git("diff", "--name-only", "-z", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard", "-z"),
  ];
}

/** The tests of a group, and those in folders with a file that imports from it. */
function groupOf(group: string, files: TestFiles, root: string): TestFiles {
  const own = `src/features/${group}/`;
  const sources = pathsBelow(root, "src").filter((path) => /(?<!\.test)\.tsx?$/.test(path));
  if (!sources.some((path) => path.startsWith(own))) {
    const names = readdirSync(join(root, "src/features"));
    throw new Error(`There is no group ${group}. The groups are ${names.join(", ")}.`);
  }
  const users = sources.filter((path) =>
    importsOf(path, readFileSync(join(root, path), "utf8")).some((from) => from.startsWith(own)),
  );
  const folders = new Set(users.map((path) => dirname(path)));
  const isIn = (path: string) => path.startsWith(own) || folders.has(dirname(path));
  return filesThat(isIn, files);
}

function filesThat(isChosen: (path: string) => boolean, files: TestFiles): TestFiles {
  return {
    rules: files.rules.filter(isChosen),
    service: files.service.filter(isChosen),
    slow: files.slow.filter(isChosen),
  };
}
