/**
 * The books of the simulation of Dinero: everything that it knows by a key, in a file that only grows. A change is one
 * line with all of its parts, written before anything is answered, so that a killed process has each change whole or not
 * at all; a line that was cut off is dropped when the file is opened again.
 */
import { existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

/** Opens the books in a file, which may be new. */
export function openBooks(path) {
  const kept = new Map();
  let sequence = 0;
  if (existsSync(path)) {
    const text = readFileSync(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split("\n").slice(0, -1)) apply(JSON.parse(line));
  }
  const file = openSync(path, "a");

  function apply({ n, put }) {
    sequence = n;
    for (const [key, value] of Object.entries(put)) {
      if (value === null) kept.delete(key);
      else kept.set(key, value);
    }
  }

  return {
    get: (key) => kept.get(key),
    /** All below a prefix, in the order in which they first came. */
    list(prefix) {
      return [...kept].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    },
    keys: (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
    /** What the next change is numbered; 16 hexadecimal digits of it are the timestamp of what it writes. */
    next: () => sequence + 1,
    /** Writes all or nothing; null takes away. */
    commit(put) {
      const change = { n: sequence + 1, put };
      writeSync(file, `${JSON.stringify(change)}\n`);
      // What is kept is what would be read again, and shares nothing with what the caller goes on changing.
      apply(structuredClone(change));
    },
  };
}

/** The opaque stamp of a version. */
export function stampOf(n) {
  return n.toString(16).toUpperCase().padStart(16, "0");
}
