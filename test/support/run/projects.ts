/**
 * The projects of the test run, derived from what each test file imports. `rules` needs no PostgreSQL and starts immediately,
 * `service` runs the service or one of its parts, and `slow` has the files that take the longest.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const PROJECTS = ["rules", "service", "slow"] as const;
type Project = (typeof PROJECTS)[number];

/** Paths of test files by project, from the root of the repository. */
export type TestFiles = Readonly<Record<Project, readonly string[]>>;

/** Modules that need the values of the global setup, or that run their own server. */
const NEEDS_SERVICE =
  /\binject\(|from "pg"|\bstartEmbedded\b|\bprogram_folder\b|node:child_process|node:worker_threads|"dist", "assets"/;

/**
 * Files that take more than about fifteen seconds, the longest first: they start first, so that the last file does not occupy one
 * worker alone. Files that mostly wait are between files that mostly compute.
 */
const LONGEST = [
  "test/revenue/histories",
  "test/contract/schemathesis",
  "test/access/every-page",
  "test/ledger/tryton-faults",
  "test/ledger/tryton",
  "test/crash/killed",
  "test/fairness/ended-work",
  "test/ledger/tryton-rows",
  "test/fairness/heavy-pages",
  "src/cli/cli",
  "src/cli/cli-ledger",
  "test/crash/lost-connection-credits",
  "test/crash/connected-killed",
  "test/fairness/light-requests",
  "src/cli/cli-refusals",
  "test/crash/scheduler",
  "test/fairness/pipelined",
  "test/ledger/tryton-slow",
  "test/fairness/long-documents",
  "test/access/draft-editor",
  "test/crash/killed-with-keys",
  "test/access/hours",
  "test/upgrade/upgrade",
  "test/hostile/tools",
  "test/access/palette",
  "test/assistant/answer-size",
  "test/assistant/reading",
  "test/fairness/shares",
  "test/ledger/dinero-readings",
  "test/fairness/slow-readers",
  "test/crash/database-away",
  "test/fairness/ended-pages",
  "src/features/overview/studio/studio",
  "src/platform/database/embedded",
  "src/features/revenue/closes/book-in-batches",
  "src/features/documents/printing/pdf-fonts",
  "src/cli/cli-people",
  "test/access/browser",
  "test/fairness/my-work",
  "test/contract/refusals",
  "test/crash/restored-copy",
  "test/fairness/week-page",
  "test/access/standard-user",
  "test/hostile/pages",
  "test/assistant/planning",
  "test/house/walks",
  "test/crash/lost-connection",
  "test/hostile/queries",
  "test/crash/backup",
  "src/web/today/large-account",
  "test/contract/docs-page",
  "src/features/sales/invoices/race",
].map((path) => `${path}.test.ts`);

/** The position of a test file among the longest ones, from 0; all other files share the last position. */
export function positionOf(path: string): number {
  const position = LONGEST.indexOf(path);
  return position < 0 ? LONGEST.length : position;
}

/** All test files by the project that they run in. */
export function testFilesByProject(root: string): TestFiles {
  const read = readingFrom(root);
  const files: Record<Project, string[]> = { rules: [], service: [], slow: [] };
  for (const path of testFilesIn(root)) files[projectOf(path, read)].push(path);
  return files;
}

/** The names of the longest files that do not exist. */
export function absentFrom(root: string): readonly string[] {
  return LONGEST.filter((path) => !existsSync(join(root, path)));
}

/** All test files below `src` and `test`, in order. */
function testFilesIn(root: string): string[] {
  return ["src", "test"].flatMap((folder) =>
    pathsBelow(root, folder)
      .filter((path) => path.endsWith(".test.ts"))
      .sort(),
  );
}

/** The paths of all files and folders below a folder, from the root of the repository, with `/` on every system. */
export function pathsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (path) => `${folder}/${path.replaceAll("\\", "/")}`,
  );
}

/** The text of a file of the project; undefined for one that does not exist. */
type Read = (path: string) => string | undefined;

function readingFrom(root: string): Read {
  const texts = new Map<string, string | undefined>();
  return (path) => {
    if (!texts.has(path)) {
      const file = join(root, path);
      texts.set(path, existsSync(file) ? readFileSync(file, "utf8") : undefined);
    }
    return texts.get(path);
  };
}

/** The project of a test file: `rules` when neither it nor any module that it imports needs a service. */
export function projectOf(path: string, read: Read): Project {
  if (LONGEST.includes(path)) return "slow";
  return needsService(path, read, new Set()) ? "service" : "rules";
}

function needsService(path: string, read: Read, seen: Set<string>): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = read(path);
  if (text === undefined) return false;
  if (NEEDS_SERVICE.test(text)) return true;
  return importsOf(path, text).some((imported) => needsService(imported, read, seen));
}

/** The modules of the project that a file imports at run time. */
export function importsOf(path: string, text: string): string[] {
  const imports = text.matchAll(
    /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"|^import "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
  );
  return [...imports].map(([, from, alone, later]) =>
    join(dirname(path), from ?? alone ?? later ?? "").replaceAll("\\", "/"),
  );
}
