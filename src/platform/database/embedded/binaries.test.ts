/** The binaries of an installation: without links, not accessible, damaged, or missing. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findBinaries, locatePackage } from "./binaries.ts";
import { serverUser } from "./server-user.ts";

vi.setConfig({ testTimeout: 30_000 });

const isRoot = process.getuid?.() === 0;

let closed: string;
let reachable: string;

beforeAll(() => {
  closed = mkdtempSync(join(tmpdir(), "binaries-closed-"));
  reachable = mkdtempSync(join(tmpdir(), "binaries-"));
  chmodSync(reachable, 0o755);
});

afterAll(() => {
  rmSync(closed, { recursive: true, force: true });
  rmSync(reachable, { recursive: true, force: true });
});

test("states in one sentence that a platform has no binaries", () => {
  expect(() => locatePackage("plan9-mips")).toThrow(
    "No bundled PostgreSQL exists for plan9-mips: set DATABASE_URL to a PostgreSQL 15 or newer.",
  );
});

test("creates the library links, and copies binaries that the server's user cannot access", () => {
  const hidden = join(closed, "package");
  cpSync(locatePackage(), hidden, { recursive: true, verbatimSymlinks: true });
  const links = linksOf(hidden);
  for (const link of links) {
    rmSync(join(hidden, "native", link), { force: true });
  }
  const user = serverUser(join(closed, "no cluster"));
  const place = join(reachable, "place");

  const native = findBinaries(hidden, user, [place]);
  expect(native.startsWith(isRoot ? place : hidden)).toBe(true);
  for (const link of links) {
    expect(lstatSync(join(native, link)).isSymbolicLink()).toBe(true);
  }

  if (isRoot) {
    const catalogue = join(native, "share", "postgresql", "postgres.bki");
    rmSync(catalogue);
    expect(findBinaries(hidden, user, [place])).toBe(native);
    expect(existsSync(catalogue)).toBe(true);
  }
});

test("refuses binaries from a folder that other users may change", () => {
  const broken = join(closed, "broken");
  mkdirSync(join(broken, "native"), { recursive: true });
  writeFileSync(join(broken, "package.json"), '{"version":"0"}');
  const writable = join(reachable, "writable");
  mkdirSync(writable);
  chmodSync(writable, 0o777);
  expect(() => findBinaries(broken, undefined, [writable])).toThrow(
    /does not run on this system \(.*can be changed by another user\): set DATABASE_URL/,
  );
});

function linksOf(package_dir: string): string[] {
  const list: { target: string }[] = JSON.parse(
    readFileSync(join(package_dir, "native", "pg-symlinks.json"), "utf8"),
  );
  return list.map(({ target }) => relative("native", target));
}
