// Builds the program: bundles it with its packages into a few files, without checking types (`npm run typecheck` and `npm test` do
// that), because Node takes several times as long to find and read more than a thousand. Takes one to two seconds, so that every
// start can build. `node bin/build.mjs [FOLDER]` builds into a folder.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildAssets } from "./build-assets.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is started or imported by its path: the command line, the other threads, and what `bench` imports. */
const ENTRIES = ["cli/cli", "thread", "domain/series/line-id", "platform/database/embedded"];

/** Packages that read files beside their own code, or that are compiled for one platform. */
const EXTERNAL = ["@node-rs/argon2", "fontkit", "pdfkit", "pg-native", "piscina"];

/** Matches tsconfig.json; the options are repeated here, so that the transformer need not read that file. */
const OPTIONS = {
  target: "es2023",
  jsx: { runtime: "automatic", importSource: "preact" },
  typescript: { onlyRemoveTypeImports: true },
};

/**
 * Bundles `src` into the folder, and builds the files that browsers load. Throws an error with the position of the first syntax
 * error.
 */
export async function build(folder) {
  await Promise.all([buildAssets(root, join(folder, "assets")), buildProgram(folder)]);
}

async function buildProgram(folder) {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, "src", `${name}.ts`)])),
    external: EXTERNAL,
    cwd: root,
    platform: "node",
    tsconfig: false,
    transform: OPTIONS,
    logLevel: "silent",
  });
  await bundle.write({
    dir: folder,
    format: "es",
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(resolve(process.argv[2] ?? "dist"));
