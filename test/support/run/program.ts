/**
 * The real program as a separate process, built as it is shipped: compiled code without sources. It is built once for a run,
 * below node_modules, where its imports find the packages; the run removes it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import type { World } from "../world/world.ts";

export interface BuiltProgram {
  /** Shared by all tests that use the build: nothing in it may change. */
  readonly folder: string;
  /** The command line, to be run with Node. */
  readonly bin: string;
  /** The processes that this user of the build has started and that still run. */
  readonly processes: Set<ChildProcess>;
  /** Ends the processes that still run. */
  end(): Promise<void>;
}

/** The program, compiled unless another test file has compiled it. Throws with the compiler's messages. */
export async function buildProgram(): Promise<BuiltProgram> {
  const folder = inject("program_folder");
  if (!existsSync(folder)) await buildInto(folder);
  const processes = new Set<ChildProcess>();
  return {
    folder,
    bin: join(folder, "bin", "matchbook"),
    processes,
    async end() {
      await Promise.all([...processes].map(kill));
    },
  };
}

/** Moved to its place when it is complete; of two simultaneous builds, the first one is kept. */
async function buildInto(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    const built = spawnSync(
      process.execPath,
      [join(packageRoot, "bin", "build.mjs"), join(fresh, "dist")],
      { cwd: packageRoot, encoding: "utf8" },
    );
    if (built.status !== 0) throw new Error(`the build failed\n${built.stdout}${built.stderr}`);
    for (const name of ["bin", "package.json"]) {
      await cp(join(packageRoot, name), join(fresh, name), { recursive: true });
    }
    for (const name of ["migrations", "assets"]) {
      await symlink(join(packageRoot, name), join(fresh, name), "junction");
    }
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

export interface RunningProgram {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  readonly pid: number;
  /** What it had printed when it listened. */
  readonly greeting: string;
  /** Returns all that it has printed so far. */
  readonly output: () => string;
  /** Sends the process the signal to terminate, as a process manager does; resolves with its exit code when it has ended. */
  terminate(): Promise<number | null>;
  /** Ends the process without a chance to clean up; resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts `serve` and waits until it listens. Throws with its output when it ends before. */
export function startProgram(
  program: BuiltProgram,
  environment: Readonly<Record<string, string>>,
  options: readonly string[] = ["--no-demo"],
): Promise<RunningProgram> {
  const child = spawn(process.execPath, [program.bin, "serve", ...options], {
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  program.processes.add(child);
  child.once("exit", () => program.processes.delete(child));
  return new Promise((resolve, reject) => {
    let written = "";
    const onText = (chunk: Buffer): void => {
      written += chunk.toString();
      const port = /listens on http:\/\/[^:]+:(\d+)/.exec(written)?.[1];
      if (port !== undefined) {
        resolve({
          origin: `http://127.0.0.1:${port}`,
          pid: child.pid ?? 0,
          greeting: written,
          output: () => written,
          terminate: () => terminate(child),
          kill: () => kill(child),
        });
      }
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the program ended before it listened\n${written}`)));
  });
}

/** Starts the program on the database of a world, which both the world and the program then serve. */
export function startOnWorld(
  program: BuiltProgram,
  { serving_url, database_url, outbox_dir }: World,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> {
  return startProgram(program, {
    DATABASE_URL: serving_url,
    MATCHBOOK_MIGRATION_DATABASE_URL: database_url,
    MATCHBOOK_DATA_DIR: outbox_dir,
    MATCHBOOK_OUTBOX_DIR: outbox_dir,
    MATCHBOOK_RATE_LIMIT: "off",
    LOG_LEVEL: "silent",
    ...environment,
  });
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

function terminate(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill("SIGTERM");
  });
}
