/** Creates a folder with its parents. Node's `recursive` never ends on ENOENT in an existing folder, as in `/proc`. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Creates the missing folders with the mode. Throws the system's error, and ENOTDIR when the path is not a folder. */
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

/** Creates one folder. Another process may create the same folder at the same time. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
