/**
 * An access point's own reader of envelopes and rules for e-invoices, in Java. They are the work of others and no part of the
 * project; EINVOICE_PHIVE_DIR names a folder with its `check.sh`, prepared with its `build.sh`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSkippedWithout } from "../run/needs.ts";

const folder = process.env.EINVOICE_PHIVE_DIR;

/** Whether the tests that need it are skipped. A checkout may stand alone, so a folder that is not named is skipped anywhere. */
export const lacksPhive =
  folder === undefined || isSkippedWithout(existsSync(join(folder, "build", "done")));

interface PhiveResult {
  readonly file: string;
  readonly valid: boolean;
  readonly errors: readonly string[];
  /** Of an envelope: its instance id and its receiver. */
  readonly instance?: string;
  readonly receiver?: string;
}

/** Returns the result of each file, in their order. One start of Java reads all of them. */
export function checkByPhive(files: readonly string[]): PhiveResult[] {
  const { stdout, stderr, error } = spawnSync(join(folder ?? "", "check.sh"), files, {
    encoding: "utf8",
    env: { ...process.env, EINVOICE_BUILD: join(folder ?? "", "build") },
  });
  const lines = (stdout ?? "").split("\n").filter((line) => line.startsWith("{"));
  if (error || lines.length !== files.length) throw error ?? new Error(`${stdout}${stderr}`);
  return lines.map((line) => JSON.parse(line));
}
