/**
 * The clients as programs have them: packed, and installed into a folder. Each is built once for a run, from a copy of its sources,
 * because the files of a run may need it at the same time.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import { run } from "./run-cases.ts";

/** Packages of npm, and what Python generates, which a copy of the sources leaves out. */
const NOT_COPIED = /[\\/](?:node_modules|dist|generated|_api|_operations\.py|__pycache__)$/;

/** Copies the sources of a client, and what it is built from, to where a clone has them. Returns their folder. */
export async function copySources(client: string, clone: string): Promise<string> {
  const source = join(clone, "clients", client);
  await cp(join(packageRoot, "clients", client), source, {
    recursive: true,
    filter: (path) => !NOT_COPIED.test(path),
  });
  for (const needed of ["docs/openapi.json", "assets/matchbook.svg"]) {
    await cp(join(packageRoot, needed), join(clone, needed));
  }
  return source;
}

/** Gives a copy of the sources of a client the packages of npm that build it. */
export async function linkPackages(client: string, source: string): Promise<void> {
  const packages = join(packageRoot, "clients", client, "node_modules");
  await symlink(packages, join(source, "node_modules"), "junction");
}

/** Installs `@matchbook/client` into an empty folder, whose JavaScript is then of modules. */
export async function installTypescript(folder: string): Promise<void> {
  const archive = await packed("typescript", "tgz", async (source, target) => {
    await linkPackages("typescript", source);
    await run(process.execPath, ["build.mjs"], { cwd: source });
    await run("npm", ["pack", "--silent", "--pack-destination", target], { cwd: source });
  });
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const install = ["install", "--offline", "--no-audit", "--no-fund", archive];
  await run("npm", install, { cwd: folder });
}

/** Installs `n8n-nodes-matchbook` into an empty folder, where it finds `n8n-workflow` as it does in n8n. */
export async function installN8n(folder: string): Promise<void> {
  const packages = join(packageRoot, "clients/n8n/node_modules");
  const archive = await packed("n8n", "tgz", async (source, target) => {
    await linkPackages("n8n", source);
    await run(process.execPath, ["build.mjs"], { cwd: source });
    await run("npm", ["pack", "--silent", "--pack-destination", target], { cwd: source });
  });
  await writeFile(join(folder, "package.json"), "{}");
  const install = ["install", "--offline", "--omit=peer", "--no-audit", "--no-fund", archive];
  await run("npm", install, { cwd: folder });
  const [from, to] = [packages, join(folder, "node_modules")].map((one) =>
    join(one, "n8n-workflow"),
  );
  await symlink(from ?? "", to ?? "", "junction");
}

/** Installs `matchbook-client` into a folder that becomes a part of `PYTHONPATH`. */
export async function installPython(python: string, site: string): Promise<void> {
  const wheel = await packed("python", "whl", async (source, target) => {
    await run(python, ["build.py"], { cwd: source });
    const offline = ["--no-build-isolation", "--no-deps", "--no-index", "--quiet"];
    await run(python, ["-m", "pip", "wheel", ...offline, "-w", target, source], { cwd: target });
  });
  const install = ["--no-deps", "--no-index", "--quiet", "--target", site, wheel];
  await run(python, ["-m", "pip", "install", ...install]);
}

/** Returns the path of the package of a client, which `build` makes from a copy of its sources unless it is there. */
async function packed(
  client: string,
  extension: string,
  build: (source: string, target: string) => Promise<void>,
): Promise<string> {
  const folder = inject("clients_folder");
  const place = join(folder, client);
  if (!existsSync(place)) {
    await mkdir(folder, { recursive: true });
    const fresh = await mkdtemp(join(folder, "build-"));
    const source = await copySources(client, fresh);
    const target = join(fresh, "package");
    await mkdir(target);
    await build(source, target);
    // Of two simultaneous builds, the first one is kept.
    await rename(target, place).catch((error) => {
      if (!existsSync(place)) throw error;
    });
    await rm(fresh, { recursive: true, force: true });
  }
  const name = (await readdir(place)).find((found) => found.endsWith(`.${extension}`));
  if (name === undefined) throw new Error(`no package in ${place}`);
  return join(place, name);
}
