/** `npm run test:quick` and `npm run test:group -- NAME`: checks types and runs a part of the tests, both at the same time. */
import { spawn } from "node:child_process";

const [scope = "quick"] = process.argv.slice(2);

/** Runs a program of node_modules; resolves to its exit code. Its output appears when it has ended, unless it is inherited. */
function run(script, args, { is_shown, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", is_shown ? "inherit" : "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    let output = "";
    child.stdout?.on("data", (text) => {
      output += text;
    });
    child.once("close", (code) => {
      process.stdout.write(output);
      resolve(code ?? 1);
    });
  });
}

const types = run(
  "node_modules/typescript/bin/tsc",
  [
    "-p",
    "tsconfig.json",
    "--incremental",
    "--tsBuildInfoFile",
    "node_modules/.cache/quick.tsbuildinfo",
  ],
  { is_shown: false },
);
const tests = run("node_modules/vitest/vitest.mjs", ["run", "--passWithNoTests"], {
  is_shown: true,
  env: { TEST_SCOPE: scope },
});
const codes = await Promise.all([types, tests]);
process.exit(Math.max(...codes));
