/**
 * The real Tryton, as Debian packages it: `trytond` on loopback, a separate process on the PostgreSQL of the tests. The caller
 * that starts one ends it; none outlives the run.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TestContext } from "vitest";
import { whyWithout } from "../../run/needs.ts";
import { freePort } from "../../world/world.ts";

export const ADMIN_PASSWORD = "Pristine-books-4711";

/** Why tests of Tryton are skipped; undefined when they run. */
export function whyNoTryton(): string | undefined {
  return whyWithout("trytond");
}

/** Skips the test when Tryton cannot run. */
export function requireTryton(test: TestContext): void {
  const missing = whyNoTryton();
  test.skip(missing !== undefined, missing);
}

interface TrytonServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** How often a password was checked successfully, by Tryton's own log; undefined unless it counts. */
  sign_ins(): number | undefined;
  stop(): Promise<void>;
}

/**
 * Serves the databases of a PostgreSQL server; a database is opened at its first request. With Debian's settings, passwords are
 * hashed by bcrypt, and their checks are counted; otherwise checks cost nothing.
 */
export async function startTryton(
  postgres_url: string,
  as_debian_has_it = false,
): Promise<TrytonServer> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-tryton-"));
  const port = await freePort();
  const config = await configIn(folder, postgres_url, port, as_debian_has_it);
  const child = spawn("trytond", ["-c", config, ...(as_debian_has_it ? ["-vv"] : [])], {
    env: environmentIn(folder),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let written = "";
  let sign_ins = 0;
  let line = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    written = `${written}${chunk}`.slice(-4000);
    const lines = `${line}${chunk}`.split("\n");
    line = lines.pop() ?? "";
    sign_ins += lines.filter((one) => one.includes("login succeeded for")).length;
  });
  let failed: Error | undefined;
  child.once("error", (error) => {
    failed = error;
  });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await ended(child);
    process.off("exit", end);
    await rm(folder, { recursive: true, force: true });
  };
  while (!(await answers(url))) {
    if (child.exitCode !== null || failed !== undefined) {
      await stop();
      throw new Error(`trytond ended before it listened\n${failed ?? written}`);
    }
    await delay(50);
  }
  return { url, sign_ins: () => (as_debian_has_it ? sign_ins : undefined), stop };
}

/** Runs `trytond-admin` with arguments, such as `-d`, a database, `-u` and a module. Throws with its message. */
export async function administerTryton(
  postgres_url: string,
  args: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-tryton-"));
  try {
    const config = await configIn(folder, postgres_url, 0);
    const child = spawn("trytond-admin", ["-c", config, ...args], {
      env: environmentIn(folder),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const written: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => written.push(chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (code !== 0) throw new Error(`trytond-admin failed\n${Buffer.concat(written)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With Tryton's default hashes, or with one that costs nothing to check. */
async function configIn(
  folder: string,
  postgres_url: string,
  port: number,
  as_debian_has_it = false,
): Promise<string> {
  const passlib = join(folder, "passlib.ini");
  const hashing = ["[passlib]", "schemes = pbkdf2_sha512", "pbkdf2_sha512__default_rounds = 1"];
  await writeFile(passlib, hashing.join("\n"));
  await writeFile(join(folder, "password"), ADMIN_PASSWORD);
  const config = join(folder, "trytond.conf");
  const uri = postgres_url
    .replace(/^postgres:/, "postgresql:")
    .replace(/^([^:]+:\/\/[^/]*\/)[^?]*/, "$1");
  await writeFile(
    config,
    [
      ...["[database]", `uri = ${uri}`, "language = en"],
      ...["[web]", `listen = 127.0.0.1:${port}`],
      ...(as_debian_has_it ? [] : ["[password]", `passlib = ${passlib}`]),
    ].join("\n"),
    { mode: 0o600 },
  );
  return config;
}

function environmentIn(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TRYTONPASSFILE: join(folder, "password"),
    LANG: "C.UTF-8",
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: 1, method: "common.server.version", params: [] }),
    });
    return response.ok;
  } catch {
    return false;
  }
}

function ended(child: ChildProcess): Promise<void> {
  const is_gone = child.exitCode !== null || child.signalCode !== null;
  if (is_gone || child.pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
