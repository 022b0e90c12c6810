/**
 * Makes a folder with the folders above it. Node's own `recursive` never ends where the system answers
 * ENOENT although the parent is there, as it does below `/proc`.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder unless it is there; the mode is that of every folder that is made. Throws the
 * system's error, and ENOTDIR where something else is in its place.
 */
export function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; ) {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  for (const folder of missing) makeOne(folder, mode);
  if (!statSync(path).isDirectory()) {
    throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
  }
}

/** Another process may make the same folder meanwhile. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
