/**
 * Writes the small files of the data directory, readable by their owner alone. A file that root creates gets the owner of its
 * folder; otherwise one start with sudo would keep that owner from starting the service again.
 */
import { closeSync, fchownSync, fsyncSync, openSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Opens a file with mode 600 and returns its descriptor; `wx` fails when the file exists, `a` appends. */
export function openPrivate(file: string, flag: "wx" | "a"): number {
  const descriptor = openSync(file, flag, 0o600);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(file));
    fchownSync(descriptor, uid, gid);
  }
  return descriptor;
}

/** Writes a new file with mode 600. Throws the system's EEXIST when the file exists. */
export function writePrivate(file: string, content: string, options?: { flush: boolean }): void {
  const descriptor = openPrivate(file, "wx");
  try {
    writeFileSync(descriptor, content);
    if (options?.flush === true) {
      fsyncSync(descriptor);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Makes links and renames in a folder durable. */
export function flushFolder(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
