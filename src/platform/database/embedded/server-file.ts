/**
 * Reads `postmaster.pid`, in which a server records its process id and its address. A killed server leaves the file behind, and
 * another process may have its id by now: PostgreSQL would refuse to start because of it.
 */
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Address } from "./connection.ts";

/** The data that a server recorded about itself. */
interface ServerFile {
  readonly pid: number;
  /** Seconds since 1970. */
  readonly started_at: number;
  /** Undefined until the server listens. */
  readonly address: Address | undefined;
  readonly is_ready: boolean;
}

/** Reads the server's file in the cluster; undefined when there is none (or it is being written). */
export function readServerFile(cluster: string): ServerFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
  const [pid = "", , started_at = "", port = "", socket_folder = "", host = ""] = lines;
  if (!/^\d+$/.test(pid)) {
    return undefined;
  }
  const isTcp = host !== "";
  return {
    pid: Number(pid),
    started_at: Number(started_at),
    address:
      isTcp || socket_folder !== ""
        ? { host: isTcp ? host : cluster, port: Number(port) }
        : undefined,
    is_ready: lines[7]?.trim() === "ready",
  };
}

/**
 * Prepares a start after a kill: replaces the dead server's process id with ours, because a server treats its
 * parent's id as free. The rest stays: PostgreSQL refuses to start while processes of the dead server use its memory.
 */
export function disownServerFile(cluster: string): void {
  const file = join(cluster, "postmaster.pid");
  if (!existsSync(file)) {
    return;
  }
  const { uid, gid } = statSync(cluster);
  const [, ...rest] = readFileSync(file, "utf8").split("\n");
  const replacement = `${file}.matchbook`;
  rmSync(replacement, { force: true });
  writeFileSync(replacement, [String(process.pid), ...rest].join("\n"), {
    flag: "wx",
    mode: 0o600,
  });
  if (process.getuid?.() === 0) {
    chownSync(replacement, uid, gid);
  }
  renameSync(replacement, file);
  for (const name of readdirSync(cluster)) {
    if (/^\.s\.PGSQL\.\d+\.lock$/.test(name)) {
      rmSync(join(cluster, name), { force: true });
    }
  }
}
