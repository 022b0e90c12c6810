/** Secrets at rest: they can be opened only unchanged, with their key, in their place. */
import { randomBytes } from "node:crypto";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keysFrom, openSealing, SealError, type SealedPlace } from "./sealing.ts";

const PLACE: SealedPlace = ["secrets", "account 1", "connection 1"];
const folder = mkdtempSync(join(tmpdir(), "matchbook-sealing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keyed = (text: string, data_dir = join(folder, "keyed")) =>
  openSealing({ secret_keys: keysFrom(text) ?? [], data_dir });
const hex = () => randomBytes(32).toString("hex");

describe("a sealed text", () => {
  const key = hex();
  const sealing = keyed(key);
  const { key_id, content } = sealing.seal("hunter2", PLACE);

  it("opens in its place and does not contain its plain text", () => {
    expect(sealing.open(content, PLACE)).toBe("hunter2");
    expect(keyed(key).open(content, PLACE)).toBe("hunter2");
    expect(content.includes("hunter2")).toBe(false);
    expect(sealing.seal("hunter2", PLACE).content.equals(content)).toBe(false);
    expect(content.toString("latin1", 2, 14)).toBe(key_id);
  });

  it.each<[string, SealedPlace]>([
    ["another account", ["secrets", "account 2", "connection 1"]],
    ["another connection", ["secrets", "account 1", "connection 2"]],
    ["another purpose", ["tokens", "account 1", "connection 1"]],
    ["the same letters divided differently", ["secrets", "account ", "1connection 1"]],
  ])("does not open for %s", (_, place) => {
    expect(() => sealing.open(content, place)).toThrow(SealError);
  });

  it("does not open with a changed or missing byte", () => {
    for (let at = 0; at < content.length; at += 1) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealing.open(changed, PLACE)).toThrow(SealError);
      expect(() => sealing.open(content.subarray(0, at), PLACE)).toThrow(SealError);
    }
  });

  it("does not open with another key, and the error names the missing one", () => {
    expect(() => keyed(hex()).open(content, PLACE)).toThrow(`The key ${key_id} is missing`);
    expect(() => keyed(`${key_id}:${hex()}`).open(content, PLACE)).toThrow(SealError);
  });

  it("opens with an earlier key", () => {
    const both = keyed(`new:${hex()},${key_id}:${key}`);
    expect(both.open(content, PLACE)).toBe("hunter2");
    expect(both.seal("x", PLACE).key_id).toBe("new");
    expect(both.rotate()).toBe("new");
  });
});

describe("the key file", () => {
  const data_dir = join(folder, "made", "at first need");
  const path = join(data_dir, "secret.key");
  const sealing = openSealing({ secret_keys: [], data_dir });

  it("is created at first use, readable only by its owner, and used by later processes", () => {
    const { content } = sealing.seal("one", PLACE);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(data_dir)).toEqual(["secret.key"]);
    expect(openSealing({ secret_keys: [], data_dir }).open(content, PLACE)).toBe("one");
  });

  it("keeps earlier keys until all secrets are sealed again, and then one earlier key", () => {
    const before = sealing.seal("two", PLACE);
    const key_id = sealing.rotate();
    expect(key_id).not.toBe(before.key_id);
    expect(sealing.seal("three", PLACE).key_id).toBe(key_id);
    expect(sealing.open(before.content, PLACE)).toBe("two");
    sealing.rotate();
    expect(sealing.open(before.content, PLACE)).toBe("two");
    const last = sealing.seal("four", PLACE);
    sealing.dropOld();
    expect(sealing.open(last.content, PLACE)).toBe("four");
    expect(() => sealing.open(before.content, PLACE)).toThrow(SealError);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("belongs to the owner of its folder, even if root creates it", () => {
    const own = join(folder, "of the service");
    mkdirSync(own);
    if (process.getuid?.() === 0) chownSync(own, 12_345, 12_345);
    const made = openSealing({ secret_keys: [], data_dir: own });
    made.seal("one", PLACE);
    const owner = () => statSync(join(own, "secret.key")).uid;
    expect(owner()).toBe(statSync(own).uid);
    made.rotate();
    expect(owner()).toBe(statSync(own).uid);
  });

  it("names the setting to use if it cannot be created", () => {
    const nowhere = openSealing({ secret_keys: [], data_dir: "/dev/null/data" });
    expect(() => nowhere.seal("x", PLACE)).toThrow("set MATCHBOOK_SECRET_KEY");
  });
});

describe("keys of the settings", () => {
  const base64 = randomBytes(32).toString("base64");
  it.each<[string, string, number | undefined]>([
    ["hexadecimal digits", hex(), 1],
    ["base64", base64, 1],
    ["one key with a name", `a:${base64}`, 1],
    ["two keys with names", `a:${base64}, b:${hex()}`, 2],
    ["one name twice", `a:${base64},a:${hex()}`, undefined],
    ["two keys without names", `${base64},${hex()}`, undefined],
    ["a password", "short", undefined],
    ["31 bytes", randomBytes(31).toString("base64"), undefined],
    ["an empty text", "", undefined],
  ])("are read: %s", (_, text, count) => {
    expect(keysFrom(text)?.length).toBe(count);
  });
});
