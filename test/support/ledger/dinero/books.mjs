/**
 * The books of the simulation of Dinero: all of its records by key, in a file that only grows. A change is one line with all of
 * its parts, written before any answer, so that a killed process has each change completely or not at all; an incomplete line is
 * dropped when the file is opened again.
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
    /** All records below a prefix, in the order of their creation. */
    list(prefix) {
      return [...kept].filter(([key]) => key.startsWith(prefix)).map(([, value]) => value);
    },
    keys: (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
    /** The number of the next change; its 16 hexadecimal digits are the timestamp of its records. */
    next: () => sequence + 1,
    /** Writes all records or none; null removes a record. */
    commit(put) {
      const change = { n: sequence + 1, put };
      writeSync(file, `${JSON.stringify(change)}\n`);
      // A copy, as a later read of the file would give it, so that the caller cannot change it.
      apply(structuredClone(change));
    },
  };
}

/** The opaque timestamp of a version. */
export function stampOf(n) {
  return n.toString(16).toUpperCase().padStart(16, "0");
}
