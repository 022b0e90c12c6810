/** A small disk in memory for the data of a node, which can be filled. Only root may mount one, and not everywhere. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { give } from "./processes.ts";

const MEGABYTES = 640;

export interface SmallDisk {
  /** Writes until there is no room; what is there already stays. */
  fill(): void;
  /** Makes the room free again. */
  free(): void;
  unmount(): void;
}

/** Mounts a disk at the folder; null where that is not allowed, and the folder stays as it is. */
export function mountDisk(folder: string): SmallDisk | null {
  const options = `size=${MEGABYTES}m,mode=0700`;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  if (mounted.status !== 0) return null;
  give(folder);
  const filler = join(folder, "filler");
  return {
    fill: () => fill(filler),
    free: () => rmSync(filler, { force: true }),
    unmount: () => spawnSync("umount", [folder]),
  };
}

function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1024 ** 2, 4096]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
