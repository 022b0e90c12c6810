/** The files of a folder of another machine. A file is written under a hidden name, synced where the server can, and renamed. */
import type { FileEntryWithStats, SFTPWrapper } from "ssh2";
import { AddressRefused } from "../../../platform/security/allowed-address.ts";
import type { FolderFault, FolderFiles } from "../../transport/folder-files.ts";
import { type SftpSession, SignInFailed } from "./session.ts";

/** Status codes of SFTP. */
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const FAILURE = 4;

type Done<Result> = (error: Error | null | undefined, result: Result) => void;

/** Opens the folder, which has to exist. */
export function remoteFiles(session: SftpSession, dir: string): FolderFiles {
  const at = (path: string): string => `${dir}/${path}`;
  const has = (path: string): Promise<boolean> => session.use((sftp) => isFound(sftp, at(path)));
  return {
    makeFolders: (folders) =>
      session.use(async (sftp) => {
        await called((done) => sftp.readdir(dir, done));
        for (const folder of folders) {
          if (await isFound(sftp, at(folder))) continue;
          await called<void>((done) => sftp.mkdir(at(folder), (error) => done(error)));
        }
      }),
    list: (folder) =>
      session.use(async (sftp) => {
        const listed = called<FileEntryWithStats[]>((done) => sftp.readdir(at(folder), done));
        // A server chooses the names: one with a path would lead elsewhere.
        return (await ifFound(listed))
          ?.filter(({ attrs, filename }) => attrs.isFile() && !/[/\\]/.test(filename))
          .map(({ filename }) => filename)
          .sort();
      }),
    read: (path, most_bytes) => session.use((sftp) => read(sftp, at(path), most_bytes)),
    has,
    write: (path, bytes) => session.use((sftp) => write(sftp, at(path), Buffer.from(bytes))),
    rename: (from, to) =>
      session.use(async (sftp) => {
        const renamed = called<void>((done) =>
          sftp.rename(at(from), at(to), (error) => done(error)),
        );
        return (await ifFound(renamed.then(() => true))) ?? false;
      }),
    remove: (path) =>
      session.use(async (sftp) => {
        await ifFound(called<void>((done) => sftp.unlink(at(path), (error) => done(error))));
      }),
  };
}

async function isFound(sftp: SFTPWrapper, path: string): Promise<boolean> {
  return (await ifFound(called((done) => sftp.stat(path, done)))) !== undefined;
}

async function read(
  sftp: SFTPWrapper,
  path: string,
  most_bytes: number,
): Promise<Buffer | undefined> {
  const file = await ifFound(called<Buffer>((done) => sftp.open(path, "r", done)));
  if (file === undefined) return undefined;
  try {
    const parts: Buffer[] = [];
    for (let length = 0; length < most_bytes; ) {
      const part = Buffer.alloc(Math.min(most_bytes - length, READ_AT_ONCE));
      const count = await readPart(sftp, file, part, length);
      if (count === 0) break;
      parts.push(part.subarray(0, count));
      length += count;
    }
    return Buffer.concat(parts);
  } finally {
    await called<void>((done) => sftp.close(file, (error) => done(error)));
  }
}

const READ_AT_ONCE = 32_000;
const END_OF_FILE = 1;

/** Returns the number of bytes that were read; 0 at the end of the file. */
function readPart(sftp: SFTPWrapper, file: Buffer, part: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    sftp.read(file, part, 0, part.length, from, (error, count) => {
      if (error === undefined || error === null) resolve(count);
      else if (codeOf(error) === END_OF_FILE) resolve(0);
      else reject(error);
    });
  });
}

async function write(sftp: SFTPWrapper, path: string, bytes: Buffer): Promise<void> {
  const hidden = path.replace(/[^/]*$/, `.${crypto.randomUUID()}`);
  try {
    const file = await called<Buffer>((done) => sftp.open(hidden, "wx", done));
    try {
      await called<void>((done) =>
        sftp.write(file, bytes, 0, bytes.length, 0, (error) => done(error)),
      );
      await ifOffered(() =>
        called<void>((done) => sftp.ext_openssh_fsync(file, (error) => done(error))),
      );
    } finally {
      await called<void>((done) => sftp.close(file, (error) => done(error)));
    }
    await replace(sftp, hidden, path);
  } catch (error) {
    sftp.unlink(hidden, () => undefined);
    throw error;
  }
}

/** Renames over an existing file. A server without OpenSSH's extension cannot, so the file is removed first. */
async function replace(sftp: SFTPWrapper, from: string, to: string): Promise<void> {
  const is_done = await ifOffered(() =>
    called<void>((done) => sftp.ext_openssh_rename(from, to, (error) => done(error))),
  );
  if (is_done) return;
  await ifFound(called<void>((done) => sftp.unlink(to, (error) => done(error))));
  await called<void>((done) => sftp.rename(from, to, (error) => done(error)));
}

/** Calls an extension; false where the server does not offer it, which the package says by throwing at once. */
async function ifOffered(call: () => Promise<void>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes("does not support this extended")) {
      return false;
    }
    throw error;
  }
}

function called<Result>(call: (done: Done<Result>) => unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** Returns undefined in place of the error of a file that does not exist. */
async function ifFound<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_FILE) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}

/** Says what an error of the session or of the server means. */
export function remoteFault(error: unknown): FolderFault {
  const unavailable = (text: string): FolderFault => {
    return { connection: "unavailable", code: "folder_unavailable", text };
  };
  if (error instanceof SignInFailed) {
    const { connection, message: text } = error;
    return {
      connection,
      code: connection === "unauthorized" ? connection : "folder_unavailable",
      text,
    };
  }
  if (error instanceof AddressRefused) return unavailable(error.message);
  const code = codeOf(error);
  if (code === NO_SUCH_FILE) return unavailable("The host has no such folder.");
  if (code === PERMISSION_DENIED) return unavailable("The host refuses to write in the folder.");
  if (code === FAILURE) {
    // A full disk is such a failure: the next attempt may go well.
    const text = "The host failed to store the file.";
    return { connection: null, code: "folder_failure", text };
  }
  return unavailable("The host does not answer.");
}
