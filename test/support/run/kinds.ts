/**
 * The kinds of test files, derived from what each file imports. `rules` needs no PostgreSQL, `service` runs the service or one of
 * its parts, and `slow` has the files that take the longest. All kinds are one project of Vitest: its workers end where the next
 * file is of another project, and the next worker would read all modules again.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const KINDS = ["rules", "service", "slow"] as const;
type Kind = (typeof KINDS)[number];

/** Paths of test files by kind, from the root of the repository. */
export type TestFiles = Readonly<Record<Kind, readonly string[]>>;

/** Modules that need the values of the global setup, or that run their own server. */
const NEEDS_SERVICE =
  /\binject\(|from "pg"|\bstartEmbedded\b|\bprogram_folder\b|node:child_process|node:worker_threads|"dist", "assets"/;

/**
 * Files that take more than about fifteen seconds, the longest first: they start first, so that the last file does not occupy one
 * worker alone. Files that mostly wait are between files that mostly compute.
 */
const LONGEST = [
  "test/access/every-page",
  "test/contract/schemathesis",
  "test/clients/python",
  "test/einvoice/second-engine",
  "test/einvoice/oioubl",
  "test/revenue/histories",
  "test/ledger/tryton-faults",
  "test/crash/killed",
  "test/fairness/ended-work",
  "src/cli/cli",
  "test/clients/typescript",
  "test/clients/examples",
  "test/clients/n8n",
  "test/crash/read-replica",
  "test/access/draft-editor",
  "test/ledger/tryton-slow",
  "test/crash/connected-killed",
  "test/crash/einvoices-killed",
  "test/crash/webhooks-killed",
  "test/crash/restored-webhooks",
  "test/crash/killed-bank",
  "test/crash/killed-database",
  "test/crash/lost-connection-payments",
  "test/crash/lost-connection-reminders",
  "test/ledger/tryton",
  "test/fairness/heavy-pages",
  "src/cli/cli-ledger",
  "test/ledger/dinero-readings",
  "test/contract/feed",
  "test/fairness/light-requests",
  "test/access/first-minutes",
  "test/crash/lost-connection-credits",
  "src/cli/cli-refusals",
  "test/hostile/tools",
  "test/crash/database-away",
  "test/access/hours",
  "test/fairness/long-documents",
  "src/cli/cli-people",
  "test/access/palette",
  "test/fairness/ended-pages",
  "test/hostile/pages",
  "test/upgrade/upgrade",
  "test/crash/scheduler",
  "src/features/overview/studio/studio",
  "src/features/revenue/closes/book-in-batches",
  "test/assistant/reading",
  "test/fairness/pipelined",
  "test/assistant/planning",
  "test/access/retainer",
  "test/crash/killed-with-keys",
  "test/crash/moving-killed",
  "test/fairness/slow-readers",
  "test/assistant/answer-size",
  "test/contract/refusals",
  "test/crash/restored-copy",
  "test/crash/restored-einvoices",
  "test/access/page-budget",
  "test/access/browser",
  "src/platform/database/embedded",
  "src/features/sales/invoices/race",
  "test/fairness/shares",
  "test/access/standard-user",
  "test/crash/backup",
  "test/crash/database-silent",
  "test/fairness/idle",
  "test/fairness/my-work",
  "test/crash/lost-connection",
  "test/ledger/tryton-rows",
  "test/ledger/tryton-page",
  "test/hostile/queries",
  "test/house/walks",
  "test/fairness/week-page",
  "src/features/documents/printing/pdf-fonts",
  "src/web/today/large-account",
].map((path) => `${path}.test.ts`);

/** The position of a test file among the longest ones, from 0; all other files share the last position. */
export function positionOf(path: string): number {
  const position = LONGEST.indexOf(path);
  return position < 0 ? LONGEST.length : position;
}

/** All test files by their kind. */
export function testFilesByKind(root: string): TestFiles {
  const read = readingFrom(root);
  const files: Record<Kind, string[]> = { rules: [], service: [], slow: [] };
  for (const path of testFilesIn(root)) files[kindOf(path, read)].push(path);
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

/** The kind of a test file: `rules` when neither it nor any module that it imports needs a service. */
export function kindOf(path: string, read: Read): Kind {
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
