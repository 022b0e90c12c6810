import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/run/global-setup.ts"],
    reporters: ["./test/support/run/reporter.ts"],
    // Generous, because a slow machine is no fault: tests wait for what they need and fail by what they see.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Modules are read once for a worker, not for each file: nothing in them is changed by a test.
    isolate: false,
    passWithNoTests: false,
  },
});
