/**
 * Starts the server program, waits until it is ready, and stops it. The server gets its own session, so that Ctrl-C in a terminal
 * reaches only this process, whose current requests then still have a database.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPrivate } from "../../runtime/private-file.ts";
import type { Address } from "./connection.ts";
import type { EmbeddedPaths } from "./paths.ts";
import { identifyProcess, isStillRunning, runsInDirectory } from "./process-identity.ts";
import { readServerFile } from "./server-file.ts";
import { asUser, nameForServer, type ServerUser, serverEnvironment } from "./server-user.ts";

const SOCKET_PORT = 5432;
/** The longest path that is used for a socket. The system's limit is 104 to 108 bytes, including the terminating byte. */
const LONGEST_SOCKET_PATH = 100;
const LARGEST_LOG_BYTES = 10_000_000;
const STARTING_MS = 600_000;
const FAST_STOP_MS = 10_000;

/** The input for starting a server. */
export interface ServerProgram {
  readonly paths: EmbeddedPaths;
  readonly native: string;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (message: string) => void;
}

/** A server that ended before it was ready; the message has the last lines of its log. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

/** Returns the ways to reach a server, best first: a socket in the cluster's private folder, a loopback port. */
export function transports(paths: EmbeddedPaths): ("socket" | "port")[] {
  const socket = join(paths.cluster, `.s.PGSQL.${SOCKET_PORT}`);
  const fits = Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH;
  return process.platform !== "win32" && fits ? ["socket", "port"] : ["port"];
}

/**
 * Starts a server and returns its address once it accepts connections, on the given port or any free one (0). Throws
 * `StartFailure` if it ends before. The caller may retry, because a predecessor's processes may be the cause.
 */
export async function startServer(
  program: ServerProgram,
  transport: "socket" | "port",
  wanted_port = 0,
): Promise<Address> {
  const { paths } = program;
  const port = transport === "socket" ? SOCKET_PORT : wanted_port || (await findFreePort());
  const settings = {
    listen_addresses: transport === "socket" ? "" : "127.0.0.1",
    // Relative to the cluster: its folder is private, and root's server user cannot traverse the whole path.
    unix_socket_directories: transport === "socket" ? "." : "",
    port: String(port),
    max_connections: "100",
    shared_buffers: "128MB",
    wal_compression: "on",
    // Statistics then follow a growing database within seconds instead of a minute.
    autovacuum_naptime: "10s",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    ...program.settings,
  };
  const offset = openLog(paths.server_log);
  const pid = await launch(program, settings, offset);
  program.log(`started the bundled PostgreSQL (process ${pid})`);
  return { host: transport === "socket" ? paths.cluster : "127.0.0.1", port };
}

/** Stops the server and waits: fast, after 10 seconds immediate, then a kill. Ignores a process of another cluster. */
export async function stopServer(paths: EmbeddedPaths, native: string, pid: number): Promise<void> {
  const identity = identifyProcess(pid);
  if (identity === undefined || runsInDirectory(pid, paths.cluster) === "no") {
    return;
  }
  for (const signal of ["INT", "QUIT", "KILL"] as const) {
    sendSignal(native, pid, signal);
    const deadline = Date.now() + FAST_STOP_MS;
    while (isStillRunning(identity) && Date.now() < deadline) {
      await delay(10);
    }
    if (!isStillRunning(identity)) {
      return;
    }
  }
}

async function launch(
  program: ServerProgram,
  settings: Readonly<Record<string, string>>,
  log_offset: number,
): Promise<number> {
  const { paths } = program;
  const began = Date.now();
  const child = spawnProgram(program, settings);
  let end: string | undefined;
  child.once("error", (error) => {
    end = error.message;
  });
  child.once("exit", (code, signal) => {
    end = String(signal ?? code);
  });
  child.unref();
  for (let reported_at = began; ; await delay(10)) {
    const file = readServerFile(paths.cluster);
    const isFresh =
      process.platform === "win32"
        ? end === "0" && (file?.started_at ?? 0) * 1000 > began - 2000
        : file?.pid === child.pid;
    if (end !== undefined && !(process.platform === "win32" && end === "0")) {
      throw new StartFailure(
        `The bundled PostgreSQL ended while it started (${end}); the end of ${paths.server_log}:\n${logTail(paths.server_log, log_offset)}`,
      );
    }
    if (file !== undefined && isFresh && file.is_ready) {
      return file.pid;
    }
    if (Date.now() - began > STARTING_MS) {
      throw new Error(
        `The bundled PostgreSQL is not ready after ten minutes; the end of ${paths.server_log}:\n${logTail(paths.server_log, log_offset)}`,
      );
    }
    if (Date.now() - reported_at > 10_000) {
      reported_at = Date.now();
      program.log("the bundled PostgreSQL is still starting (it recovers after a crash)");
    }
  }
}

/** Starts the program. On Windows `pg_ctl` drops administrator's rights, with which PostgreSQL refuses to run. */
function spawnProgram(
  program: ServerProgram,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const { paths, native, user } = program;
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  if (process.platform === "win32") {
    const quoted = options.map((option) => `"${option}"`).join(" ");
    const start = ["start", "-w", "-t", "600", "-D", paths.cluster, "-l", paths.server_log];
    return spawn(join(native, "bin", "pg_ctl.exe"), [...start, "-o", quoted], {
      env: serverEnvironment(),
      stdio: "ignore",
      windowsHide: true,
    });
  }
  const log = openPrivate(paths.server_log, "a");
  try {
    const directory = nameForServer(paths.cluster, user);
    return spawn(join(native, "bin", "postgres"), ["-D", directory, ...options], {
      ...asUser(user),
      cwd: paths.cluster,
      env: serverEnvironment(),
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

function sendSignal(native: string, pid: number, signal: "INT" | "QUIT" | "KILL"): void {
  if (process.platform === "win32") {
    spawnSync(join(native, "bin", "pg_ctl.exe"), ["kill", signal, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") {
      throw error;
    }
  }
}

/** Moves a large log aside and returns where the new lines will begin, in bytes. */
function openLog(file: string): number {
  if (!existsSync(file)) {
    return 0;
  }
  const { size } = statSync(file);
  if (size < LARGEST_LOG_BYTES) {
    return size;
  }
  renameSync(file, `${file}.1`);
  return 0;
}

function logTail(file: string, offset: number): string {
  if (!existsSync(file)) {
    return "(empty)";
  }
  return readFileSync(file)
    .subarray(offset)
    .toString("utf8")
    .trim()
    .split("\n")
    .slice(-12)
    .join("\n");
}

async function findFreePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(0, "127.0.0.1", resolve);
  });
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  if (address === null || typeof address === "string") {
    throw new Error("The system gave no free port on 127.0.0.1.");
  }
  return address.port;
}
