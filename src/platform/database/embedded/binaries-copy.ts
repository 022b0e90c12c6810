/**
 * Copies the bundled PostgreSQL to a folder that the server's user can reach, with its own permissions. The copy is made under
 * another name and renamed, so that a folder with the right name is complete. The copy is still compared with the original at
 * every start, because programs that clear temporary files remove parts of it.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { identifyProcess } from "./process-identity.ts";

/**
 * Copies the folder of binaries to `target` unless an equal copy is there, and returns `target`. Throws an Error when another
 * user could change the parent folder and so make us run other programs.
 */
export function copyNative(native: string, target: string): string {
  const parent = dirname(target);
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  refuseForeignFolder(parent);
  removeAbandonedCopies(target);
  if (existsSync(target) && isComplete(native, target)) {
    return target;
  }
  const attempt = `${target}.new-${process.pid}`;
  rmSync(attempt, { recursive: true, force: true });
  copyFolder(native, attempt);
  if (existsSync(target)) {
    const old = `${target}.old-${process.pid}`;
    renameSync(target, old);
    rmSync(old, { recursive: true, force: true });
  }
  try {
    renameSync(attempt, target);
  } catch (error) {
    rmSync(attempt, { recursive: true, force: true });
    if (!existsSync(target) || !isComplete(native, target)) {
      throw error;
    }
  }
  return target;
}

/** Whether the copy needs the file. The server needs neither static libraries nor files for compilers. */
function isNeeded(name: string): boolean {
  return extname(name) !== ".a" && name !== "pkgconfig" && name !== "pgxs";
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory() && isNeeded(entry.name)) {
      copyFolder(source, target);
    } else if (entry.isFile() && isNeeded(entry.name)) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, 0o755);
    }
  }
}

function isComplete(original: string, copy: string): boolean {
  return readdirSync(original, { withFileTypes: true }).every((entry) => {
    const source = join(original, entry.name);
    const target = join(copy, entry.name);
    if (!isNeeded(entry.name) || !(entry.isDirectory() || entry.isFile())) {
      return true;
    }
    const found = lstatSync(target, { throwIfNoEntry: false });
    return entry.isDirectory()
      ? found?.isDirectory() === true && isComplete(source, target)
      : found?.isFile() === true && found.size === statSync(source).size;
  });
}

function removeAbandonedCopies(target: string): void {
  for (const name of readdirSync(dirname(target))) {
    const pid = /^(?:new|old)-(\d+)$/.exec(name.slice(basename(target).length + 1));
    if (
      name.startsWith(`${basename(target)}.`) &&
      pid !== null &&
      identifyProcess(Number(pid[1])) === undefined
    ) {
      rmSync(join(dirname(target), name), { recursive: true, force: true });
    }
  }
}

function refuseForeignFolder(folder: string): void {
  const self = process.getuid?.();
  const found = lstatSync(folder);
  const isSafe = found.isDirectory() && found.uid === self && (found.mode & 0o022) === 0;
  if (self !== undefined && !isSafe) {
    throw new Error(`${folder} can be changed by another user`);
  }
}
