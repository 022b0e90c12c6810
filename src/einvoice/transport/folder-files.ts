/**
 * The files of a folder, on this machine or on another one. Paths are relative to the connection's folder, with `/`, and made of
 * our own names or of names that `list` returned. Faults throw, and the folder's access point turns them into outcomes.
 */
export interface FolderFiles {
  /** Makes the missing folders among these, and the folder of the connection itself where it may. */
  makeFolders(folders: readonly string[]): Promise<void>;
  /** The names of plain files in a folder, sorted; undefined where there is no such folder. */
  list(folder: string): Promise<readonly string[] | undefined>;
  /** The first bytes of a file; undefined when there is none. */
  read(path: string, most_bytes: number): Promise<Uint8Array | undefined>;
  /** Whether there is a file or folder. */
  has(path: string): Promise<boolean>;
  /** Writes a file that is whole, and on disk, from the moment its name exists; replaces one of the same name. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Renames a file durably; false when `from` is not there. The caller knows that `to` is free. */
  rename(from: string, to: string): Promise<boolean>;
  remove(path: string): Promise<void>;
}

/** What a fault of a folder says about the connection; null for one that may pass with the next attempt, such as a full disk. */
export interface FolderFault {
  readonly connection: "unauthorized" | "unavailable" | null;
  /** A stable word. */
  readonly code: string;
  /** A sentence without paths of this machine and without secrets. */
  readonly text: string;
}
