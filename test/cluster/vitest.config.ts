/** `npm run test:cluster`: one file that is no part of the suite, and needs no database of it. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const root = join(import.meta.dirname, "..", "..");

export default defineConfig({
  test: {
    root,
    include: ["test/cluster/check-cluster.ts"],
    reporters: [join(root, "test", "support", "run", "reporter.ts")],
    pool: "forks",
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A step that failed leaves a cluster that the next one cannot begin with.
    bail: 1,
    provide: {
      template_url: "",
      template_serving_url: "",
      program_folder: join(root, "node_modules", ".cache", `matchbook-cluster-${process.pid}`),
    },
  },
});
