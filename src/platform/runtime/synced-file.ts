/** Writes files and names that outlive a crash of the machine. */
import { open } from "node:fs/promises";

/** Writes a new file and syncs it. Throws the system's EEXIST when the file exists. */
export async function writeSynced(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a new name durable. Some systems cannot open or sync a folder; the file is complete nevertheless. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  if (folder === undefined) return;
  try {
    await folder.sync();
  } catch {
    // The file is in place and synced; only its name might be lost with the power.
  } finally {
    await folder.close();
  }
}
