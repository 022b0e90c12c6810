/** Folders are created with their parents, and a failure to create one is reported. */
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder } from "./folder.ts";

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "matchbook-folder-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("makeFolder", () => {
  it("creates missing parents with the given mode, and accepts an existing folder", () => {
    const folder = join(base, "a", "b", "c");
    makeFolder(folder, 0o700);
    makeFolder(folder, 0o700);
    expect(statSync(folder).isDirectory()).toBe(true);
    if (process.platform !== "win32") expect(statSync(join(base, "a")).mode & 0o777).toBe(0o700);
  });

  it("refuses the path of a file and a path below it", () => {
    const file = join(base, "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file, 0o700)).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
    expect(() => makeFolder(join(file, "x"), 0o700)).toThrow(
      expect.objectContaining({ code: "ENOTDIR" }),
    );
  });

  it("refuses a broken link", () => {
    const link = join(base, "link");
    symlinkSync(join(base, "nowhere"), link);
    expect(() => makeFolder(link, 0o700)).toThrow(expect.objectContaining({ code: "ENOENT" }));
  });

  it.runIf(existsSync("/proc/self"))("fails if the system permits no folder (needs /proc)", () => {
    expect(() => makeFolder("/proc/matchbook/data", 0o700)).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
