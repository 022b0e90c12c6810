/**
 * Processes that are started for the cluster, each in a working directory below one temporary folder. What belongs to a node is
 * found by that directory: PostgreSQL leaves the process that has started it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The user whose rights the servers have: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = "postgres";
const IS_ROOT = process.getuid?.() === 0;

/** Makes a folder that the servers own. */
export function makeFolder(...parts: readonly string[]): string {
  const folder = join(...parts);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  give(folder);
  return folder;
}

/** Gives a file or folder to the user of the servers. */
export function give(path: string): void {
  if (IS_ROOT) chownSync(path, idOf("-u"), idOf("-g"));
}

function idOf(which: "-u" | "-g"): number {
  return Number(spawnSync("id", [which, UNPRIVILEGED], { encoding: "utf8" }).stdout);
}

interface Started {
  /** The working directory, which also has the log. */
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server without the rights of root. Its output is appended to `log` in its folder. */
export function startServer(
  [program, ...args]: readonly [string, ...string[]],
  { folder, environment = {} }: Started,
): ChildProcess {
  const log = openSync(join(folder, "log"), "a");
  const rights = IS_ROOT
    ? [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"]
    : [];
  // A run that dies takes its servers with it.
  const prefix = [...rights, "--pdeathsig=TERM", program];
  const child = spawn("setpriv", [...prefix, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8", ...environment },
    stdio: ["ignore", log, log],
  });
  child.once("error", () => {});
  return child;
}

/** The ids of all processes whose working directory is the folder or below it. */
function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const directory = readlinkSync(`/proc/${name}/cwd`);
        return directory === folder || directory.startsWith(folder + sep);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills all processes of a folder at once, as the loss of a machine does. Returns how many are left. */
export function killIn(folder: string): number {
  const found = processesIn(folder);
  for (const pid of found) sendSignal(pid, "SIGKILL");
  return found.length;
}

/** Kills all processes of a folder, also those that one of them starts meanwhile; resolves when none is left. */
export async function killAllIn(folder: string): Promise<void> {
  while (killIn(folder) > 0) await delay(20);
}

/** Sends a signal to a process, unless it has ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** The last lines that a server has written. */
export function logOf(folder: string): string {
  return readFileSync(join(folder, "log"), "utf8").split("\n").slice(-40).join("\n");
}

/** The messages of errors that a server has written, each once with how often. */
export function errorsOf(folder: string): string {
  const log = readFileSync(join(folder, "log"), "utf8");
  const counts = new Map<string, number>();
  for (const [, message = ""] of log.matchAll(/(?:ERROR|FATAL|PANIC): {2}(.*)/g))
    counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => `  ${count} ${message}`).join("\n");
}

/** Ports of the loopback address that were free at once. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Repeats the check until it is true. Throws after the given time, with what was waited for. */
export async function until(
  what: string,
  check: () => Promise<boolean>,
  most_ms: number,
): Promise<void> {
  const deadline = performance.now() + most_ms;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`not within ${most_ms / 1000} s: ${what}`);
    await delay(100);
  }
}
