/**
 * Secrets at rest: AES-256-GCM under a key that is not in the database, bound to where they stand, so that a row that is
 * copied elsewhere opens nothing. The first key of the ring seals, all of them open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../runtime/folder.ts";
import { flushFolder, writePrivate } from "../runtime/private-file.ts";

/** A text that is sealed says what it is, and of what: the same text opens nowhere else. */
export type SealedPlace = readonly [purpose: string, ...ids: string[]];

export interface Sealed {
  /** Of the key, which is no secret. */
  readonly key_id: string;
  /** Says the key, too. */
  readonly content: Buffer;
}

export interface Sealing {
  /** Makes a key file where there is no key yet. */
  seal(text: string, place: SealedPlace): Sealed;
  /** Throws a SealError: the key is gone, or this was not sealed here. */
  open(content: Uint8Array, place: SealedPlace): string;
  /**
   * The id of the key that seals from now on. A key of the file is followed by a new one; one of the settings is not ours
   * to change. Whoever rotates sees to it that nobody else does at the same time.
   */
  rotate(): string;
  /** Everything is sealed with the key that seals now: of those before only the last stays. */
  dropOld(): void;
}

/** What is sealed cannot be opened; the sentence is for whoever runs the service, and holds no secret. */
export class SealError extends Error {
  override readonly name = "SealError";
}

export interface SealingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Where keys are: in the settings, and in the data directory. */
interface KeyPlaces {
  readonly secret_keys: readonly SealingKey[];
  readonly data_dir: string;
}

const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FILE = "secret.key";

export function openSealing({ secret_keys, data_dir }: KeyPlaces): Sealing {
  const path = join(data_dir, KEY_FILE);
  const ring = (): readonly SealingKey[] => [...secret_keys, ...keysOfFile(path)];
  return {
    seal(text, place) {
      const [first = makeKeyFile(path)] = ring();
      return sealed(text, place, first);
    },
    open(content, place) {
      const { id, nonce, rest } = readSealed(content);
      const found = ring().find((one) => one.id === id);
      if (found === undefined) {
        throw new SealError(
          `The key ${id} is missing, with which secrets were sealed: it belongs into MATCHBOOK_SECRET_KEY or ${path}.`,
        );
      }
      return opened(found, nonce, rest, place);
    },
    rotate() {
      const [own] = secret_keys;
      if (own !== undefined) return own.id;
      const before = keysOfFile(path);
      if (before.length === 0) return makeKeyFile(path).id;
      const next = newKey();
      replaceKeys(path, [next, ...before]);
      return next.id;
    },
    dropOld() {
      const [first, before] = keysOfFile(path);
      // The one before stays: another process may be sealing with it at this very moment.
      if (first && before) replaceKeys(path, [first, before]);
    },
  };
}

/**
 * Keys as a setting has them: 32 bytes in base64 or as hexadecimal digits; several with commas, each with a name before a
 * colon. Undefined for anything else.
 */
export function keysFrom(text: string): readonly SealingKey[] | undefined {
  const parts = text.split(",").map((part) => part.trim());
  const keys = parts.flatMap((part): SealingKey[] => {
    const [, name, value = ""] =
      /^(?:([A-Za-z0-9._-]{1,32}):)?([A-Za-z0-9+/=_-]+)$/.exec(part) ?? [];
    const key = /^[0-9a-f]{64}$/i.test(value)
      ? Buffer.from(value, "hex")
      : Buffer.from(value, "base64");
    if (key.length !== KEY_BYTES || (name === undefined && parts.length > 1)) return [];
    return [{ id: name ?? idOf(key), key }];
  });
  const ids = new Set(keys.map(({ id }) => id));
  return keys.length === parts.length && ids.size === parts.length ? keys : undefined;
}

function sealed(text: string, place: SealedPlace, { id, key }: SealingKey): Sealed {
  const nonce = randomBytes(NONCE_BYTES);
  const head = Buffer.concat([Buffer.from([VERSION, id.length]), Buffer.from(id, "latin1")]);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aboutOf(id, place));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return { key_id: id, content: Buffer.concat([head, nonce, body, cipher.getAuthTag()]) };
}

function readSealed(given: Uint8Array) {
  const content = Buffer.from(given);
  const [version, length = 0] = content;
  const at = 2 + length;
  if (version !== VERSION || content.length < at + NONCE_BYTES + TAG_BYTES) throw notOurs();
  return {
    id: content.toString("latin1", 2, at),
    nonce: content.subarray(at, at + NONCE_BYTES),
    rest: content.subarray(at + NONCE_BYTES),
  };
}

function opened({ id, key }: SealingKey, nonce: Buffer, rest: Buffer, place: SealedPlace): string {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(aboutOf(id, place));
    decipher.setAuthTag(rest.subarray(-TAG_BYTES));
    const body = decipher.update(rest.subarray(0, -TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  } catch {
    throw notOurs();
  }
}

function notOurs(): SealError {
  return new SealError(
    "What is sealed was changed, or was sealed for something else, or with another key of this name.",
  );
}

/** Lengths keep two places from reading alike. */
function aboutOf(id: string, place: SealedPlace): Buffer {
  return Buffer.from([id, ...place].map((part) => `${part.length}:${part}`).join(""), "utf8");
}

function idOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 12);
}

function newKey(): SealingKey {
  const key = randomBytes(KEY_BYTES);
  return { id: idOf(key), key };
}

function keysOfFile(path: string): readonly SealingKey[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new SealError(`The keys in ${path} cannot be read: ${code}.`);
  }
  const keys = keysFrom(text.trim().split("\n").join(","));
  if (keys === undefined) throw new SealError(`${path} holds no keys.`);
  return keys;
}

/** Another process may be making one as well: whose file is there first has made it. */
function makeKeyFile(path: string): SealingKey {
  const key = newKey();
  const own = `${path}.${process.pid}.${key.id}`;
  try {
    makeFolder(dirname(path), 0o700);
    writeKeys(own, [key]);
    linkSync(own, path);
    flushFolder(dirname(path));
    return key;
  } catch (error) {
    const [first] = keysOfFile(path);
    if (first !== undefined) return first;
    const reason = error instanceof Error ? error.message : String(error);
    throw new SealError(`No key could be stored, so set MATCHBOOK_SECRET_KEY: ${reason}`);
  } finally {
    if (existsSync(own)) rmSync(own);
  }
}

function replaceKeys(path: string, keys: readonly SealingKey[]): void {
  const own = `${path}.${process.pid}.${newKey().id}`;
  writeKeys(own, keys);
  renameSync(own, path);
  flushFolder(dirname(path));
}

/** On the disk before anything is sealed with it: the database keeps what is sealed, whatever becomes of the machine. */
function writeKeys(path: string, keys: readonly SealingKey[]): void {
  const lines = keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString("base64")}\n`);
  writePrivate(path, lines.join(""), { flush: true });
}
