/** The command line as a separate process: its output and its exit code. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Run {
  /** The working directory, which is also the home folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string;
  /** After this time the command is killed, which is an error; a minute unless given. */
  readonly timeout_ms?: number;
}

/** Runs one command to its end. */
export function runMatchbook(
  { folder, environment, input = "", timeout_ms = 60_000 }: Run,
  ...args: string[]
): Promise<Ended> {
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
