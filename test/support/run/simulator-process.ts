/**
 * A simulation as a separate process with its books in a temporary file, so that a test can kill it and start it again on the same
 * books and port. What each simulates is described in its own program.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";

export interface SimulatorProcess {
  /** `http://127.0.0.1:port`, the same after a restart. */
  readonly origin: string;
  /** Calls the control address; throws when the simulation refuses. */
  ask(method: string, name: string, input?: unknown): Promise<unknown>;
  /** Ends it without a chance to clean up. */
  kill(): Promise<void>;
  /** Starts it again on the same books and the same port. */
  restart(): Promise<void>;
  /** Ends it and removes its books. */
  close(): Promise<void>;
}

/** Starts a simulator, a path below the root of the repository, with its own books. */
export async function openSimulator(path: string): Promise<SimulatorProcess> {
  const program = join(packageRoot, path);
  const folder = mkdtempSync(join(tmpdir(), "matchbook-simulation-"));
  const file = join(folder, "books.jsonl");
  let { child, origin } = await start(program, file, "0");
  const kill = () => ended(child);
  return {
    origin,
    async ask(method, name, input) {
      const body = input === undefined ? {} : { body: JSON.stringify(input) };
      const answer = await fetch(`${origin}/_control/${name}`, { method, ...body });
      if (!answer.ok) throw new Error(`the simulation answered ${answer.status} to ${name}`);
      return answer.json();
    },
    kill,
    async restart() {
      await kill();
      ({ child, origin } = await start(program, file, new URL(origin).port));
    },
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function start(
  program: string,
  file: string,
  port: string,
): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, [program, file, port], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let written = "";
    const onText = (chunk: Buffer): void => {
      written += chunk.toString();
      const origin = /listens on (\S+)/.exec(written)?.[1];
      if (origin !== undefined) resolve({ child, origin });
    };
    child.stdout.on("data", onText);
    child.stderr.on("data", onText);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the simulation did not start\n${written}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
