/** Tests that need a missing program: skipped on a developer's machine, failed if CI=true. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { isSkippedWithout, lacks } from "../support/run/needs.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  ["", false, true],
  ["", true, false],
  ["true", false, false],
  ["true", true, false],
])(
  "with CI=%j and the program installed: %j, a test is skipped: %j",
  (ci, is_installed, expected) => {
    vi.stubEnv("CI", ci);
    expect(isSkippedWithout(is_installed)).toBe(expected);
  },
);

describe.skipIf(lacks("bash"))("a run that cannot install packages (needs bash)", () => {
  /** Runs `.ci/run` with the few programs that its shell needs, and with stubs of all others that record each call. */
  function run(ci: string): { readonly status: number | null; readonly written: string } {
    const folder = mkdtempSync(join(tmpdir(), "matchbook-ci-"));
    try {
      for (const name of ["bash", "dirname", "mktemp", "rm", "tail"]) {
        const found = spawnSync("bash", ["-c", `command -v ${name}`], { encoding: "utf8" });
        symlinkSync(found.stdout.trim(), join(folder, name));
      }
      const standIns = {
        id: "echo 1000",
        sleep: "exit 0",
        timeout: 'shift; "$@"',
        node: "echo linux-x64",
        python3: "exit 1",
        npm: `echo "npm $1"; case "$*" in *--prefix*) exit 1;; esac`,
      };
      for (const [name, script] of Object.entries(standIns)) {
        writeFileSync(join(folder, name), `#!${join(folder, "bash")}\n${script}\n`);
        chmodSync(join(folder, name), 0o755);
      }
      const { status, stdout, stderr } = spawnSync("bash", [join(packageRoot, ".ci", "run")], {
        env: { PATH: folder, CI: ci, TMPDIR: folder },
        encoding: "utf8",
      });
      return { status, written: stdout + stderr };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  it("ends before the tests and lists the missing programs if CI=true", () => {
    const { status, written } = run("true");
    expect(status).toBe(1);
    expect(written).toMatch(
      /Only root installs packages\.\nNot installed: hledger .*chromium-headless-shell\n$/s,
    );
    expect(written).not.toContain("npm");
  });

  it("continues without CI and lists the missing programs", () => {
    const { status, written } = run("");
    expect(status).toBe(0);
    expect(written).toMatch(/the run continues without: hledger .*chromium-headless-shell\n/);
    expect(written.endsWith("npm ci\nnpm test\nnpm run\nnpm run\n")).toBe(true);
  });
});
