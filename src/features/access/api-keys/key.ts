/**
 * Makes and checks API keys: `mbk_`, 30 random base62 characters, 6 of checksum (spec 11.6). A mistyped or invented key fails
 * its checksum before it reaches the database; only the SHA-256 is stored.
 */
import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { sha256 } from "../../../platform/runtime/json.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX = "mbk_";

/** Returns a new key, which is shown once. */
export function makeKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const text = secret.join("");
  return `${PREFIX}${text}${checksum(text)}`;
}

/** Whether the text has the form of a key, including its checksum. */
export function isKey(text: string): boolean {
  const match = /^mbk_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1] ?? "") === match[2];
}

/** Returns the stored digest of a key. The key has 178 random bits, so a plain digest is enough. */
export function hashOfKey(key: string): Buffer {
  return sha256(key);
}

/** Returns the part of a key that lists show, to distinguish keys. */
export function prefixOfKey(key: string): string {
  return key.slice(0, PREFIX.length + 6);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
