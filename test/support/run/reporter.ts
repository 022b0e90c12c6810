/** The default report, with one more line at its end that counts the tests and names the skipped ones with the reasons. */
import { DefaultReporter, type TestModule } from "vitest/node";

/** The need of a test, in its title or that of a `describe` around it. */
const NEEDS = /\((needs [^)]+)\)/;

export default class CountingReporter extends DefaultReporter {
  override onTestRunEnd(...report: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    super.onTestRunEnd(...report);
    const [modules] = report;
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Map<string, number>();
    for (const test of testsOf(modules)) {
      const { state } = test.result();
      if (state === "passed") counts.passed += 1;
      else if (state === "failed") counts.failed += 1;
      else {
        counts.skipped += 1;
        const result = test.result();
        const why =
          ("note" in result && result.note) ||
          NEEDS.exec(test.fullName)?.[1] ||
          "it was not selected";
        const line = `${test.fullName}: ${why}`;
        skipped.set(line, (skipped.get(line) ?? 0) + 1);
      }
    }
    for (const line of skipped.keys()) process.stdout.write(`skipped: ${line}\n`);
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  }
}

function* testsOf(modules: readonly TestModule[]) {
  for (const module of modules) yield* module.children.allTests();
}
