/** The command line as a separate process: its output and its exit code. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import type { World } from "../world/world.ts";

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** After this time the command is killed, which is an error; a minute unless given. */
  readonly timeout_ms?: number;
}

/** On the machine of a service: with its database, its outbox, and the keys that seal secrets. */
interface OnMachine extends RunOptions {
  readonly world: Pick<World, "serving_url" | "database_url" | "outbox_dir">;
}

/** In a folder, with the given environment alone. */
interface InFolder extends RunOptions {
  /** The working directory, which is also the home folder. */
  readonly folder: string;
}

/** Runs one command to its end. The first call builds the program if it has not been built. */
export function runMatchbook(run: OnMachine | InFolder, ...args: string[]): Promise<Ended> {
  const { input = "", timeout_ms = 60_000 } = run;
  const folder = "world" in run ? dirname(run.world.outbox_dir) : run.folder;
  const environment = { ...("world" in run ? machineOf(run.world) : {}), ...run.environment };
  const env = { PATH: process.env.PATH, HOME: folder, ...environment };
  const options = { cwd: folder, env, timeout: timeout_ms, killSignal: "SIGKILL" } as const;
  const bin = join(packageRoot, "bin", "matchbook");
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [bin, ...args], options, (error, out, err) => {
      if (error !== null && typeof error.code !== "number") return reject(error);
      resolve({ exit: (error?.code as number | undefined) ?? 0, out, err });
    });
    // A program that reads no input may have ended before.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** The only JSON object on standard output; throws when there is any other output. */
export function answerOf({ exit, out, err }: Ended): Record<string, unknown> {
  expect({ exit, err, lines: out.split("\n").length }).toEqual({ exit: 0, err: "", lines: 2 });
  return JSON.parse(out);
}

function machineOf({ serving_url, database_url, outbox_dir }: OnMachine["world"]) {
  return {
    DATABASE_URL: serving_url,
    MATCHBOOK_MIGRATION_DATABASE_URL: database_url,
    MATCHBOOK_OUTBOX_DIR: outbox_dir,
    MATCHBOOK_DATA_DIR: dirname(outbox_dir),
  };
}
