/**
 * Seals secrets at rest: AES-256-GCM under a key that is not in the database, bound to the purpose and the owner of the secret,
 * so that a row that is copied elsewhere does not open. The first key of the ring seals; all keys open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../runtime/folder.ts";
import { flushFolder, writePrivate } from "../runtime/private-file.ts";

/** The purpose and the owner of a sealed text, to which it is bound: it opens only with the same purpose and owner. */
export type SealedPlace = readonly [purpose: string, ...ids: string[]];

export interface Sealed {
  /** The id of the key, which is not secret. */
  readonly key_id: string;
  /** The sealed bytes, which also contain the key's id. */
  readonly content: Buffer;
}

export interface Sealing {
  /** Seals a text. Creates a key file when there is no key yet. */
  seal(text: string, place: SealedPlace): Sealed;
  /** Opens a sealed text. Throws a SealError if the key is missing or the text has another purpose or owner. */
  open(content: Uint8Array, place: SealedPlace): string;
  /**
   * Returns the id of the key that seals from now on. A key in the file is followed by a new one; a key in the settings stays,
   * because the service cannot change it. The caller must prevent concurrent rotations.
   */
  rotate(): string;
  /** Drops earlier keys except the last one. To be called when everything is sealed with the current key. */
  dropOld(): void;
}

/** Sealed content cannot be opened. The message is for the operator of the service and contains no secret. */
export class SealError extends Error {
  override readonly name = "SealError";
}

export interface SealingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/** The locations of keys: in the settings, and in the data directory. */
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
      // The previous key is kept, because another process may be sealing with it at this moment.
      if (first && before) replaceKeys(path, [first, before]);
    },
  };
}

/** Reads keys of 32 bytes in base64 or hexadecimal: one, or several as `name:key` with commas. Otherwise undefined. */
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
  if (version !== VERSION || content.length < at + NONCE_BYTES + TAG_BYTES) throw notSealed();
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
    throw notSealed();
  }
}

function notSealed(): SealError {
  return new SealError(
    "What is sealed was changed, or was sealed for something else, or with another key of this name.",
  );
}

/** Returns the additional data to authenticate. The lengths make the encoding of purpose and owner unambiguous. */
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

/** Creates the key file. Another process may create one at the same time: the process whose file is there first wins. */
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

/** Writes the keys to the disk before they seal any text: the database keeps sealed content even when the machine fails. */
function writeKeys(path: string, keys: readonly SealingKey[]): void {
  const lines = keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString("base64")}\n`);
  writePrivate(path, lines.join(""), { flush: true });
}
