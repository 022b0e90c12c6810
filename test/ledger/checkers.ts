/**
 * The independent checkers of the books: hledger and beancount, run as a person would run them. They are
 * not part of the program; tests that need them are skipped where they are not installed. A check alone proves
 * little, because both infer a missing amount: balances are always compared too.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { whyWithout } from "../support/run/needs.ts";
import type { Json } from "../support/world/world.ts";

type Tool = "hledger" | "bean-check";

interface CheckResult {
  readonly passed: boolean;
  readonly output: string;
}

/** Skips the test where the tool is not installed; fails it there where CI=true. */
export function requireTool(test: TestContext, tool: Tool): void {
  const missing = whyWithout(tool);
  test.skip(missing !== undefined, missing);
}

/** Balanced, accounts and units declared, assertions right, dates in order. */
export function checkHledger(text: string): Promise<CheckResult> {
  return withFile("books.journal", text, (file) =>
    resultOf("hledger", ["-f", file, "check", "--strict", "ordereddates"]),
  );
}

export function checkBeancount(text: string): Promise<CheckResult> {
  return withFile("books.beancount", text, (file) => resultOf("bean-check", [file]));
}

/**
 * Balances by account number as hledger sums them, without those of 0. The period is from one
 * day up to, but not including, another.
 */
export function hledgerBalances(
  text: string,
  period?: { readonly from: string; readonly before: string },
): Promise<Map<number, bigint>> {
  return withFile("books.journal", text, async (file) => {
    const between = period ? ["-b", period.from, "-e", period.before] : [];
    const { passed, output } = await resultOf("hledger", [
      ...["-f", file, "balance", "--flat", "-O", "json"],
      ...between,
    ]);
    if (!passed) throw new Error(output);
    const [rows] = JSON.parse(output) as [[string, string, number, Json[]][], unknown];
    return new Map(
      rows.map(([name, , , amounts]) => {
        const quantity = amounts[0]?.aquantity;
        if (amounts.length !== 1 || quantity.decimalPlaces !== 0) throw new Error(output);
        return [numberOf(name), BigInt(quantity.decimalMantissa)];
      }),
    );
  });
}

function numberOf(account: string): number {
  const number = /^[a-z]+:(\d+)(-|$)/.exec(account)?.[1];
  if (number === undefined) throw new Error(`${account} is no account of ours`);
  return Number(number);
}

async function withFile<Result>(
  name: string,
  text: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-journal-"));
  try {
    const file = join(folder, name);
    await writeFile(file, text);
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Both read the file in the encoding of the locale; the journal is UTF-8. */
const UTF8 = {
  LC_ALL: "C.UTF-8",
  PYTHONUTF8: "1",
  PYTHONDONTWRITEBYTECODE: "1",
  BEANCOUNT_DISABLE_LOAD_CACHE: "1",
};

function resultOf(program: string, parameters: readonly string[]): Promise<CheckResult> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...UTF8 }, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, parameters, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ passed: error === null, output: error ? stdout + stderr : stdout });
    });
  });
}
