/**
 * The user that the database server runs as. PostgreSQL refuses to run as root, so root runs it as `nobody`, who usually cannot
 * reach the data: the folder may be under a home folder of mode 700. On Linux the server needs no access to the path: root sets
 * the working directory before it changes the user, and `/proc/self/cwd` names that directory.
 */
import { spawnSync } from "node:child_process";
import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** An unprivileged user of the system. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user to run the server as; undefined for this process's user. For root it is the owner of the cluster
 * (so that data stays theirs after sudo), else `nobody`. Throws an Error if the cluster belongs to another user.
 */
export function serverUser(cluster: string): ServerUser | undefined {
  const self = process.getuid?.();
  if (self === undefined) {
    return undefined;
  }
  const owner = existsSync(cluster) ? statSync(cluster) : undefined;
  if (self !== 0) {
    if (owner !== undefined && owner.uid !== self) {
      throw new Error(
        `The database in ${cluster} belongs to user number ${owner.uid}: run as that user or as root, or set MATCHBOOK_DATA_DIR to another folder.`,
      );
    }
    return undefined;
  }
  return owner === undefined || owner.uid === 0
    ? findUnprivilegedUser()
    : { uid: owner.uid, gid: owner.gid };
}

/** Returns the `spawn` options to become this user (ids of 2³¹ and more are written as negative numbers). */
export function asUser(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid | 0, gid: user.gid | 0 };
}

/**
 * How much memory the C library of Linux keeps, in bytes: up to a few megabytes that a statement has used stay with its
 * connection. Without this, memory is returned after each statement and requested again, page by page, for the next one, which is
 * half of the cost of reading a list. Other systems ignore it.
 */
const KEPT_MEMORY = {
  MALLOC_TRIM_THRESHOLD_: "4194304",
  MALLOC_MMAP_THRESHOLD_: "4194304",
  MALLOC_TOP_PAD_: "1048576",
};

/**
 * Returns the environment for the server's programs: only the variables that a program needs to start. It keeps the caller's
 * secrets from the server's user, and the caller's locale and time zone out of the cluster.
 */
export function serverEnvironment(): Record<string, string> {
  const kept = ["PATH", "SystemRoot", "SystemDrive", "windir", "ComSpec", "TEMP", "TMP"];
  const entries = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(entries), LC_ALL: "C", TZ: "UTC", ...KEPT_MEMORY };
}

/** Returns the path by which the server finds its data directory when it is started in that directory. */
export function nameForServer(directory: string, user: ServerUser | undefined): string {
  return user !== undefined && canNameWorkingDirectory() ? "/proc/self/cwd" : directory;
}

/** Returns the mode of a new data directory: closed, unless root's server user has to traverse it. */
export function modeForDataDirectory(): number {
  return process.getuid?.() === 0 && !canNameWorkingDirectory() ? 0o711 : 0o700;
}

/** Throws an Error of one sentence when the server would have to traverse a path that is closed to its user. */
export function refuseUnreachable(directory: string, user: ServerUser | undefined): void {
  if (user === undefined || canNameWorkingDirectory()) {
    return;
  }
  const probe = spawnSync("test", ["-d", directory], { ...asUser(user), cwd: "/" });
  if (probe.status !== 0) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as (number ${user.uid}) cannot reach ${directory}: run as another user, or set MATCHBOOK_DATA_DIR to a folder that all users may enter, or set DATABASE_URL.`,
    );
  }
}

function canNameWorkingDirectory(): boolean {
  return existsSync("/proc/self/cwd");
}

/** Gives a file, or a folder with its content, to the user; does not follow links. */
export function giveTo(user: ServerUser | undefined, path: string): void {
  if (user === undefined) {
    return;
  }
  lchownSync(path, user.uid >>> 0, user.gid >>> 0);
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        giveTo(user, inner);
      } else {
        lchownSync(inner, user.uid >>> 0, user.gid >>> 0);
      }
    }
  }
}

function findUnprivilegedUser(): ServerUser {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((candidate) => candidate.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      "PostgreSQL does not run as root and this system has no user named nobody: run as another user or set DATABASE_URL.",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
