// Builds the program: compiles each source separately, without checking types (`npm run typecheck` and `npm test` do that). Takes
// well under a second, so that every start can build. `node bin/build.mjs [FOLDER]` builds into a folder.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";
import { buildAssets } from "./build-assets.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Matches tsconfig.json; the options are repeated here, so that the transformer need not read that file. */
const OPTIONS = {
  tsconfig: false,
  sourcemap: true,
  target: "es2023",
  jsx: { runtime: "automatic", importSource: "preact" },
  typescript: { rewriteImportExtensions: "rewrite", onlyRemoveTypeImports: true },
};

/**
 * Compiles `src` without its tests into the folder, and builds the files that browsers load. Throws an error with the position of
 * the first syntax error.
 */
export async function build(folder) {
  await buildAssets(root, join(folder, "assets"));
  for (const path of filesIn(join(root, "src"))) {
    const target = join(folder, relative(join(root, "src"), path));
    mkdirSync(dirname(target), { recursive: true });
    if (/\.tsx?$/.test(path)) compile(path, target.replace(/\.tsx?$/, ".js"));
    else copyFileSync(path, target);
  }
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return /\.(test\.tsx?|css)$/.test(entry.name) ? [] : [path];
  });
}

function compile(path, target) {
  const { code, map, errors } = transformSync(path, readFileSync(path, "utf8"), OPTIONS);
  if (errors.length > 0) throw new Error(`${relative(root, path)}: ${errors[0].message}`);
  const sources = map && {
    ...map,
    sources: [relative(dirname(target), path)],
    sourcesContent: undefined,
  };
  const name = target.split(/[\\/]/).at(-1);
  writeFileSync(target, sources ? `${code}//# sourceMappingURL=${name}.map\n` : code);
  if (sources) writeFileSync(`${target}.map`, JSON.stringify(sources));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build(resolve(process.argv[2] ?? "dist"));
