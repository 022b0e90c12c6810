import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What takes longest comes first, so that the last file does not keep one worker busy alone: whatever takes more than some
 * fifteen seconds has its place here, and what waits much stands between what computes much.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longest = [
      "revenue/histories",
      "contract/schemathesis",
      "access/every-page",
      "ledger/tryton",
      "crash/connected-killed",
      "crash/killed",
      "fairness/ended-work",
      "crash/lost-connection-credits",
      "access/draft-editor",
      "cli/cli.test",
      "access/hours",
      "fairness/light-requests",
      "crash/database-away",
      "access/palette",
      "fairness/shares",
      "cli-refusals",
      "crash/scheduler",
      "fairness/pipelined",
      "access/browser",
      "fairness/slow-readers",
      "crash/restored-copy",
      "upgrade/upgrade",
      "fairness/long-documents",
      "assistant/reading",
      "hostile/tools",
      "today/large-account",
      "house/walks",
      "printing/pdf-fonts",
      "closes/book-in-batches",
      "database/embedded",
      "hostile/input",
      "crash/backup",
      "crash/database-silent",
    ];
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((name) => moduleId.includes(name)) + 1 || longest.length + 1;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/run/global-setup.ts"],
    reporters: ["./test/support/run/reporter.ts"],
    // Generous, because a slow machine is no fault: tests wait for what they need and fail by what they see.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // One more than the two cores of the smallest machine: tests wait for browsers, mail and pauses much of their time.
    maxWorkers: 3,
    // Modules are read once for a worker, not for each file: nothing in them is changed by a test.
    isolate: false,
    ...(process.argv.some((argument) => argument.includes("shuffle"))
      ? {}
      : { sequence: { sequencer: LongestFirst } }),
    passWithNoTests: false,
  },
});
