/**
 * Creates PostgreSQL's data directory (the "cluster") while the caller holds the lock file. It is initialised in a
 * temporary folder and then renamed, so that a folder with the right name is complete even after a kill.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { flushFolder, writePrivate } from "../../runtime/private-file.ts";
import type { EmbeddedPaths } from "./paths.ts";
import {
  asUser,
  giveTo,
  nameForServer,
  type ServerUser,
  serverEnvironment,
} from "./server-user.ts";

/** Major version of the bundled PostgreSQL, which cannot open the data of another version. */
const MAJOR_VERSION = "18";
const ATTEMPT_PREFIX = "postgres.new-";
/** The role that initdb creates; the product works with two others, which are not superusers. */
export const SUPERUSER = "postgres";

/**
 * Ensures that a complete cluster is at its path, owned by the user that runs the server. With `durable` false, files are not
 * forced to disk (tests). Throws an Error when something else is at the path or initdb fails.
 */
export async function ensureCluster(
  paths: EmbeddedPaths,
  native: string,
  user: ServerUser | undefined,
  durable: boolean,
): Promise<void> {
  removeAbandonedAttempts(paths);
  if (existsSync(paths.cluster)) {
    checkCluster(paths, user);
    return;
  }
  ensurePassword(paths);
  const attempt = mkdtempSync(join(paths.data_dir, ATTEMPT_PREFIX));
  try {
    const cluster = join(attempt, "cluster");
    mkdirSync(cluster, { mode: 0o700 });
    writePrivate(join(attempt, "password"), readPassword(paths));
    giveTo(user, attempt);
    await runInitdb(native, cluster, user, durable);
    renameSync(cluster, paths.cluster);
    flushFolder(paths.data_dir);
  } finally {
    rmSync(attempt, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the password of the server's roles. Throws an Error when its file is missing. */
export function readPassword(paths: EmbeddedPaths): string {
  if (!existsSync(paths.password)) {
    throw new Error(
      `${paths.password} is missing and the database in ${paths.cluster} cannot be opened without it: restore both from the same backup.`,
    );
  }
  return readFileSync(paths.password, "utf8").trim();
}

function checkCluster(paths: EmbeddedPaths, user: ServerUser | undefined): void {
  const file = join(paths.cluster, "PG_VERSION");
  if (!existsSync(file)) {
    throw new Error(
      `${paths.cluster} exists but holds no database: move it away or set MATCHBOOK_DATA_DIR to another folder.`,
    );
  }
  const version = readFileSync(file, "utf8").trim();
  if (version !== MAJOR_VERSION) {
    throw new Error(
      `${paths.cluster} was made by PostgreSQL ${version}, which the bundled PostgreSQL ${MAJOR_VERSION} cannot open: dump it with the former and restore it, or set DATABASE_URL.`,
    );
  }
  // A backup that root restored belongs to root, but the server does not run as root.
  if (user !== undefined && statSync(paths.cluster).uid === 0) {
    giveTo(user, paths.cluster);
  }
}

/** Ensures the password file. It must be on disk before the cluster, else a power cut could lock out all users. */
function ensurePassword(paths: EmbeddedPaths): void {
  if (existsSync(paths.password) && readPassword(paths) !== "") {
    return;
  }
  const file = `${paths.password}.new`;
  rmSync(file, { force: true });
  writePrivate(file, `${randomBytes(24).toString("base64url")}\n`, { flush: true });
  renameSync(file, paths.password);
}

async function runInitdb(
  native: string,
  cluster: string,
  user: ServerUser | undefined,
  durable: boolean,
): Promise<void> {
  const program = join(native, "bin", process.platform === "win32" ? "initdb.exe" : "initdb");
  const options = [
    `--pgdata=${nameForServer(cluster, user)}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${join("..", "password")}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
  const child = spawn(program, options, {
    ...asUser(user),
    cwd: cluster,
    env: serverEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const outcome = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(String(signal ?? code)));
  });
  if (outcome !== "0") {
    const lines = output.trim().split("\n").slice(-8).join("\n");
    throw new Error(`PostgreSQL could not initialise the data directory (${outcome}):\n${lines}`);
  }
}

function removeAbandonedAttempts(paths: EmbeddedPaths): void {
  for (const name of readdirSync(paths.data_dir)) {
    if (name.startsWith(ATTEMPT_PREFIX)) {
      removeWhileWritten(join(paths.data_dir, name));
    }
  }
}

/** Removes a folder to which an initdb with a killed parent may still write. A later start removes what it adds. */
function removeWhileWritten(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    return;
  }
}
