import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { KINDS, positionOf, type TestFiles, testFilesByKind } from "./test/support/run/kinds.ts";
import { namedIn, scopedTo } from "./test/support/run/scope.ts";

/** The longest files first, and those of rules last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rules = new Set(chosen.rules);
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = relative(import.meta.dirname, moduleId).replaceAll("\\", "/");
      return positionOf(path) + (rules.has(path) ? 1 : 0);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The test files of this run. When a scope limits them, the first line of the output says how many are left out. */
function chosenFiles(): TestFiles {
  const all = testFilesByKind(import.meta.dirname);
  const scope = process.env.TEST_SCOPE;
  if (scope === undefined) return namedIn(process.argv.slice(2), all);
  const { files, left_out } = scopedTo(scope, all, import.meta.dirname);
  const counts = KINDS.map((name) => `${left_out[name]} of ${name}`).join(", ");
  process.stdout.write(`Not run: test files ${counts}. \`npm test\` runs all.\n`);
  return files;
}

const chosen = chosenFiles();
const needs_service = chosen.service.length + chosen.slow.length > 0;

export default defineConfig({
  test: {
    reporters: ["./test/support/run/reporter.ts"],
    // Generous, because a slow machine is no fault: tests wait for what they need and fail by what they see.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // One more than the two cores of the smallest machine: tests wait for browsers, mail and pauses much of their time.
    maxWorkers: 3,
    // Modules are read once for a worker, not for each file: nothing in them is changed by a test.
    isolate: false,
    // Room for the new objects of several requests: with the 16 MB of Node, collecting them took a tenth of the time.
    execArgv: ["--max-semi-space-size=64"],
    // A shuffled run needs the sequencer of Vitest, which names the seed.
    ...(process.argv.some((argument) => argument.includes("shuffle"))
      ? {}
      : { sequence: { sequencer: LongestFirst } }),
    passWithNoTests: false,
    // A later run reads what an earlier one compiled. Continuous integration starts without it.
    experimental: { fsModuleCache: process.env.CI !== "true" },
    include: KINDS.flatMap((name) => chosen[name]),
    globalSetup: needs_service ? ["test/support/run/global-setup.ts"] : [],
    setupFiles: needs_service ? ["test/support/run/watch-statements.ts"] : [],
  },
});
