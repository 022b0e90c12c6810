/** Runs the cases of a client in its own process, against an account of a world and over a wire that loses answers. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import cases from "../../clients/cases.json" with { type: "json" };
import { openFaultProxy } from "../ledger/fault-proxy.ts";
import type { World } from "../world/world.ts";

export const run = promisify(execFile);

/** One answer of seven is lost: 14.3 %, in every order of the requests. */
const LOST = 7;

interface Program {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The number of invoices that are issued over the wire. */
  readonly invoices: number;
}

/** Runs the cases of `program` with a key; returns what went wrong in each, null for nothing. */
export async function runCases(
  { origin }: World,
  key: string,
  { command: [program, ...given], folder, environment, invoices }: Program,
): Promise<Map<string, string | null>> {
  const wire = await openFaultProxy(origin);
  let count = 0;
  wire.each(() => {
    count += 1;
    return count % LOST === 0 ? { type: "drop_after" } : undefined;
  });
  try {
    const { stdout } = await run(program, given, {
      cwd: folder,
      maxBuffer: 1 << 24,
      env: {
        PATH: process.env.PATH,
        MATCHBOOK_URL: origin,
        FAULTY_URL: wire.origin,
        MATCHBOOK_KEY: key,
        CASES: join(packageRoot, "test/clients/cases.json"),
        FAULTY_INVOICES: String(invoices),
        ...environment,
      },
    });
    const lines = stdout.trim().split("\n");
    return new Map(lines.map((line) => JSON.parse(line)).map(({ does, fault }) => [does, fault]));
  } finally {
    await wire.close();
  }
}

/** Declares the tests that a client has passed its cases; `results` returns what `runCases` found. */
export function itPassesCases(results: () => ReadonlyMap<string, string | null>): void {
  it("runs at least 60 cases", () => {
    expect(results().size).toBeGreaterThanOrEqual(60);
  });

  it.each(cases.map(({ does }) => does))("%s", (does) => {
    expect(results().get(does)).toBeNull();
  });

  it("does what only code can express", () => {
    const shared = new Set(cases.map(({ does }) => does));
    const others = [...results()].filter(([does]) => !shared.has(does));
    expect(others.filter(([, fault]) => fault !== null)).toEqual([]);
  });
}
