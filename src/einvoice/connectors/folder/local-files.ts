/** The files of a folder of this machine. A file is written under a hidden name, synced and renamed, and then its folder is synced. */
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../../platform/runtime/folder.ts";
import { syncFolder, writeSynced } from "../../../platform/runtime/synced-file.ts";
import type { FolderFault, FolderFiles } from "../../transport/folder-files.ts";

/** Opens the folder. One of the operator's must exist, because it may be a mounted disk; the default one is made. */
export function localFiles(dir: string, is_default: boolean): FolderFiles {
  const at = (path: string): string => join(dir, path);
  return {
    async makeFolders(folders) {
      if (is_default) makeFolder(dir, 0o700);
      await readdir(dir);
      for (const folder of folders) await mkdir(at(folder), { recursive: true, mode: 0o770 });
    },
    async list(folder) {
      const entries = await ifFound(readdir(at(folder), { withFileTypes: true }));
      return entries
        ?.filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort();
    },
    async read(path, most_bytes) {
      const file = await ifFound(open(at(path), "r"));
      if (file === undefined) return undefined;
      try {
        const { size } = await file.stat();
        const bytes = Buffer.alloc(Math.min(size, most_bytes));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async has(path) {
      return (await ifFound(stat(at(path)))) !== undefined;
    },
    async write(path, bytes) {
      const whole = at(path);
      const hidden = join(dirname(whole), `.${crypto.randomUUID()}`);
      try {
        await writeSynced(hidden, bytes, 0o660);
        await rename(hidden, whole);
      } catch (error) {
        await rm(hidden, { force: true }).catch(() => undefined);
        throw error;
      }
      await syncFolder(dirname(whole));
    },
    async rename(from, to) {
      if ((await ifFound(rename(at(from), at(to)).then(() => true))) === undefined) return false;
      await syncFolder(dirname(at(to)));
      return true;
    },
    remove: (path) => rm(at(path), { force: true }),
  };
}

/** Says what an error of the file system means. */
export function localFault(error: unknown): FolderFault {
  const { code } = error as { readonly code?: unknown };
  // The error of a call that has ended has a number.
  if (typeof code !== "string") {
    const text = "The folder did not answer in time.";
    return { connection: "unavailable", code: "folder_unavailable", text };
  }
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) {
    return { connection: null, code: "folder_full", text: "There is no room left in the folder." };
  }
  const text = `The folder cannot be used: ${code}.`;
  return { connection: "unavailable", code: "folder_unavailable", text };
}

/** Returns undefined in place of the error of a file that does not exist. */
async function ifFound<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
