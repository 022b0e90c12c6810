import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import {
  PROJECTS,
  positionOf,
  type TestFiles,
  testFilesByProject,
} from "./test/support/run/projects.ts";
import { namedIn, scopedTo } from "./test/support/run/scope.ts";

/** The longest files first, then the other projects one after the other: a worker keeps its modules within one project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const position = ({ moduleId }: TestSpecification): number =>
      positionOf(relative(import.meta.dirname, moduleId).replaceAll("\\", "/"));
    const isRule = ({ project }: TestSpecification): number => (project.name === "rules" ? 1 : 0);
    return (await super.sort(files)).toSorted(
      (a, b) => position(a) - position(b) || isRule(a) - isRule(b),
    );
  }
}

/** The test files of this run. When a scope limits them, the first line of the output says how many are left out. */
function chosenFiles(): TestFiles {
  const all = testFilesByProject(import.meta.dirname);
  const scope = process.env.TEST_SCOPE;
  if (scope === undefined) return namedIn(process.argv.slice(2), all);
  const { files, left_out } = scopedTo(scope, all, import.meta.dirname);
  const counts = PROJECTS.map((name) => `${left_out[name]} of ${name}`).join(", ");
  process.stdout.write(`Not run: test files ${counts}. \`npm test\` runs all.\n`);
  return files;
}

// Each project evaluates this file again: the files are read once.
const run = globalThis as typeof globalThis & { matchbook_test_files?: TestFiles };
run.matchbook_test_files ??= chosenFiles();
const files = run.matchbook_test_files;

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
    // A shuffled run needs the sequencer of Vitest, which names the seed.
    ...(process.argv.some((argument) => argument.includes("shuffle"))
      ? {}
      : { sequence: { sequencer: LongestFirst } }),
    passWithNoTests: false,
    // A later run reads what an earlier one compiled. Continuous integration starts without it.
    experimental: { fsModuleCache: process.env.CI !== "true" },
    projects: PROJECTS.filter((name) => files[name].length > 0).map((name) => ({
      extends: true,
      test: {
        name,
        include: [...files[name]],
        globalSetup: name === "rules" ? [] : ["test/support/run/global-setup.ts"],
        setupFiles: name === "rules" ? [] : ["test/support/run/watch-statements.ts"],
      },
    })),
  },
});
