// Builds the program: bundles it with its packages into a few files, without checking types (`npm run typecheck` and `npm test` do
// that), because Node takes several times as long to find and read more than a thousand. Takes one to two seconds, so that every
// start can build. `node bin/build.mjs [FOLDER]` builds into a folder.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildAssets } from "./build-assets.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is started by its path: the command line and the other threads. */
const ENTRIES = ["cli/cli", "thread"];

/** Packages that read files beside their own code, or that are compiled for one platform. */
const EXTERNAL = [
  "@node-rs/argon2",
  "fontkit",
  "pdfkit",
  "pg-native",
  "piscina",
  "ssh2-sftp-client",
];

/** Matches tsconfig.json; the options are repeated here, so that the transformer need not read that file. */
const OPTIONS = {
  target: "es2023",
  jsx: { runtime: "automatic", importSource: "preact" },
  typescript: { onlyRemoveTypeImports: true },
};

/**
 * Answers the question of pg whether it runs at Cloudflare: to find out, it would load the whole of `fetch` in each thread.
 */
const inNode = {
  name: "pg-in-node",
  transform: {
    filter: { id: /[\\/]pg[\\/]lib[\\/]stream\.js$/ },
    handler: (code) => code.replace("function isCloudflareRuntime() {", "$& return false;"),
  },
};

/**
 * Bundles `src` into the folder, and builds the files that browsers load. Throws an error with the position of the first syntax
 * error.
 */
export async function build(folder) {
  await Promise.all([buildAssets(root, join(folder, "assets")), bundle(ENTRIES, folder)]);
}

/** Bundles some sources, named by their paths below `src`, with all that they import. */
export async function bundle(sources, folder) {
  const bundled = await rolldown({
    input: Object.fromEntries(sources.map((name) => [name, join(root, "src", `${name}.ts`)])),
    external: EXTERNAL,
    cwd: root,
    platform: "node",
    tsconfig: false,
    transform: OPTIONS,
    plugins: [inNode],
    logLevel: "silent",
  });
  await bundled.write({
    dir: folder,
    format: "es",
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundled.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(resolve(process.argv[2] ?? "dist"));
