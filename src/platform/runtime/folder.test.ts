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
  it("makes what is missing on the way, closed to others, and may be called again", () => {
    const folder = join(base, "a", "b", "c");
    makeFolder(folder, 0o700);
    makeFolder(folder, 0o700);
    expect(statSync(folder).isDirectory()).toBe(true);
    if (process.platform !== "win32") expect(statSync(join(base, "a")).mode & 0o777).toBe(0o700);
  });

  it("refuses a place where something else is, and one below it", () => {
    const file = join(base, "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file, 0o700)).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
    expect(() => makeFolder(join(file, "x"), 0o700)).toThrow(
      expect.objectContaining({ code: "ENOTDIR" }),
    );
  });

  it("refuses a link that leads nowhere", () => {
    const link = join(base, "link");
    symlinkSync(join(base, "nowhere"), link);
    expect(() => makeFolder(link, 0o700)).toThrow(expect.objectContaining({ code: "ENOENT" }));
  });

  it.runIf(existsSync("/proc/self"))("ends where nothing can be made (needs /proc)", () => {
    expect(() => makeFolder("/proc/matchbook/data", 0o700)).toThrow(/ENOENT|EACCES|EPERM/);
  });
});
