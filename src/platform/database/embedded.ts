/**
 * Starts the bundled PostgreSQL in the data directory, or finds the server that another process started there. Processes share
 * the server, and the last one to stop stops it. The server may outlive a killed process; the next start then takes it over.
 */
import { existsSync, realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolder } from "../runtime/folder.ts";
import { findBinaries, locatePackage, placesForCopies } from "./embedded/binaries.ts";
import { ensureCluster, readPassword } from "./embedded/cluster.ts";
import {
  type Address,
  databaseUrl,
  knock,
  opens,
  prepareDatabase,
  servingUrl,
} from "./embedded/connection.ts";
import { withFileLock } from "./embedded/file-lock.ts";
import { addHolder, removeHolder } from "./embedded/holders.ts";
import { type EmbeddedPaths, embeddedPaths } from "./embedded/paths.ts";
import { runsInDirectory } from "./embedded/process-identity.ts";
import {
  type ServerProgram,
  StartFailure,
  startServer,
  stopServer,
  transports,
} from "./embedded/server.ts";
import { disownServerFile, readServerFile } from "./embedded/server-file.ts";
import { modeForDataDirectory, refuseUnreachable, serverUser } from "./embedded/server-user.ts";

/** A running bundled server. */
export interface EmbeddedDatabase {
  /** The connection string of the database `matchbook` for its owner, for node-postgres and libpq. It contains the password. */
  readonly url: string;
  /** The connection string for the serving role, which owns nothing. Its privileges are granted after a migration. */
  readonly serving_url: string;
  /** Whether this call started the server; false when the server ran already. */
  readonly started: boolean;
  /**
   * Restarts the server when its process is gone; the first of the sharing processes that calls it does so. Returns the address
   * for the serving role. A server that runs but does not answer, or that recovers, is left alone. Throws an Error when the
   * server does not start, for example because the disk is full; the caller tries again later.
   */
  revive(): Promise<string>;
  /** Releases the server. The last living process that uses it stops it and waits for its end. Safe to call twice. */
  stop(): Promise<void>;
}

/** Where and how to run the server. */
interface EmbeddedOptions {
  /** Folder of the data; created when missing. */
  readonly data_dir: string;
  /** Called with one sentence about each event: start, take-over, stop. */
  readonly log?: (message: string) => void;
  /** Further server settings, such as `{ fsync: "off" }` for tests; no effect on a server that already runs. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PREDECESSOR_MS = 30_000;
const UNRECOGNISED_MS = 5_000;

/**
 * Starts the server of the data directory, or joins a running one. The first start creates the directory (about a
 * second). Throws an Error with the remedy: no binaries, another user's folder, or the end of the server's log.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  const package_dir = locatePackage();
  makeDataFolder(options.data_dir);
  const paths = embeddedPaths(realpathSync(options.data_dir));
  const user = serverUser(paths.cluster);
  refuseUnreachable(paths.data_dir, user);
  return withFileLock(paths.lock, async () => {
    const native = findBinaries(package_dir, user, placesForCopies(paths.data_dir, user));
    const settings = options.settings ?? {};
    const program: ServerProgram = { paths, native, user, settings, log };
    let address = await findRunning(paths);
    const started = address === undefined;
    if (address === undefined) {
      await ensureCluster(paths, native, user, settings.fsync !== "off");
      // Read before the server starts: a cluster whose password is lost must not leave a server running.
      readPassword(paths);
      address = await startAfterPredecessor(program);
    } else {
      log("found the bundled PostgreSQL running");
    }
    const password = readPassword(paths);
    const holder = addHolder(paths.holders);
    try {
      await prepareDatabase(address, password);
    } catch (error) {
      await letGo(program, holder);
      throw error;
    }
    let stopping: Promise<void> | undefined;
    const revive = async (): Promise<string> => {
      if (stopping !== undefined) throw new Error("This process has let go of the server.");
      address = (await findLiving(paths)) ?? (await startAfterPredecessor(program, address));
      return servingUrl(address, password);
    };
    return {
      url: databaseUrl(address, password),
      serving_url: servingUrl(address, password),
      started,
      revive: () => withFileLock(paths.lock, revive),
      stop: () => {
        stopping ??= withFileLock(paths.lock, () => letGo(program, holder));
        return stopping;
      },
    };
  });
}

/** Whether the data directory has a database. Creates and starts nothing. */
export function holdsDatabase(data_dir: string): boolean {
  return existsSync(embeddedPaths(data_dir).cluster);
}

/**
 * Returns the server that runs on the data directory now, without starting one; undefined when none does. Its `stop` does
 * nothing: the caller may use the server only as long as its holders let it run.
 */
export async function findEmbedded(data_dir: string): Promise<EmbeddedDatabase | undefined> {
  if (!existsSync(data_dir)) {
    return undefined;
  }
  const paths = embeddedPaths(realpathSync(data_dir));
  const server = readServerFile(paths.cluster);
  if (server?.address === undefined || !server.is_ready) {
    return undefined;
  }
  if (!mayAnswer(server.address, server.pid, paths)) {
    return undefined;
  }
  const password = readPassword(paths);
  return (await opens(server.address, password)) ? borrowed(server.address, password) : undefined;
}

function borrowed(address: Address, password: string): EmbeddedDatabase {
  const serving_url = servingUrl(address, password);
  return {
    url: databaseUrl(address, password),
    serving_url,
    started: false,
    revive: async () => serving_url,
    stop: async () => {},
  };
}

/** Returns the address of the server whose process lives, whether it responds or not; undefined when none lives. */
async function findLiving(paths: EmbeddedPaths): Promise<Address | undefined> {
  const server = readServerFile(paths.cluster);
  if (server === undefined || runsInDirectory(server.pid, paths.cluster) === "no") return undefined;
  if (server.address !== undefined) return server.address;
  throw new Error(`A database server (process ${server.pid}) is starting on ${paths.cluster}.`);
}

function makeDataFolder(data_dir: string): void {
  try {
    makeFolder(data_dir, modeForDataDirectory());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The settings are not valid. MATCHBOOK_DATA_DIR: the folder ${data_dir} cannot be made (${code})`,
    );
  }
}

/** Returns the address of the running server; waits while the server starts or stops. Undefined when there is none (any more). */
async function findRunning(paths: EmbeddedPaths): Promise<Address | undefined> {
  for (const began = Date.now(); ; await delay(25)) {
    const server = readServerFile(paths.cluster);
    if (server === undefined) {
      return undefined;
    }
    const { address, pid } = server;
    const answers =
      address !== undefined &&
      mayAnswer(address, pid, paths) &&
      (await knock(address, readPassword(paths))) === "answers";
    if (answers) {
      return address;
    }
    const running = runsInDirectory(pid, paths.cluster);
    const waited = Date.now() - began;
    if (running === "no" || (running === "unknown" && waited > UNRECOGNISED_MS)) {
      return undefined;
    }
    if (waited > 2 * PREDECESSOR_MS) {
      throw new Error(
        `A database server (process ${pid}) runs on ${paths.cluster} but has not answered for a minute: see ${paths.server_log}, or end it.`,
      );
    }
  }
}

/**
 * Whether connecting may succeed. Another program may use a port by now, so its process has to be ours; a socket in the cluster's
 * folder is ours even when its process is not visible (another container on the same folder).
 */
function mayAnswer(address: Address, pid: number, paths: EmbeddedPaths): boolean {
  return address.host === paths.cluster || runsInDirectory(pid, paths.cluster) !== "no";
}

/**
 * Starts the server. Tries again while processes of a killed server are still ending, and with the next transport. A server that
 * listened on a port uses it again if possible, because other processes know the port.
 */
async function startAfterPredecessor(program: ServerProgram, former?: Address): Promise<Address> {
  const ways = transports(program.paths);
  let port = former === undefined || former.host === program.paths.cluster ? 0 : former.port;
  for (const began = Date.now(); ; await delay(200)) {
    disownServerFile(program.paths.cluster);
    try {
      return await startServer(program, ways[0] ?? "port", port);
    } catch (error) {
      if (!(error instanceof StartFailure)) {
        throw error;
      }
      const isSocketRefused = /could not create any Unix-domain sockets/.test(error.message);
      const isOccupied = /pre-existing shared memory|could not create any TCP/.test(error.message);
      if (isSocketRefused && ways.length > 1) {
        ways.shift();
      } else if (port !== 0 && /could not create any TCP/.test(error.message)) {
        port = 0;
      } else if (!isOccupied || Date.now() - began > PREDECESSOR_MS) {
        throw error;
      }
    }
  }
}

async function letGo(program: ServerProgram, holder: string): Promise<void> {
  const { paths, native, log } = program;
  const rest = removeHolder(paths.holders, holder);
  const server = readServerFile(paths.cluster);
  if (rest > 0) {
    log("left the bundled PostgreSQL running for another process");
  } else if (server !== undefined) {
    await stopServer(paths, native, server.pid);
    log("stopped the bundled PostgreSQL");
  }
}
