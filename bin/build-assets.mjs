// Builds what browsers load: one stylesheet of the layers in src/web, the font and the icons. Names carry
// the hash of the content, so that browsers may keep them permanently; beside each file lies the same compressed. The file
// beside the folder says which name stands for which.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Files that are copied unchanged from `assets`. */
const COPIED = ["fonts/inter-variable.woff2", "icons.svg", "matchbook.svg"];
/** Formats that are already compressed. */
const DENSE = new Set([".woff2", ".png"]);

/**
 * Builds the assets into the folder. `root` is the package's folder. Throws rolldown's error message for a source with a fault.
 */
export async function buildAssets(root, folder) {
  mkdirSync(folder, { recursive: true });
  const manifest = {};
  const put = (name, content) => {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
    const extension = extname(name);
    const hashed = `${name.slice(0, -extension.length)}.${hash}${extension}`;
    manifest[name] = hashed;
    write(folder, hashed, content);
  };
  for (const path of COPIED) put(path.split("/").at(-1), readFileSync(join(root, "assets", path)));
  put("matchbook.css", stylesheet(root, manifest));
  const { plugin, groups } = fewFiles();
  const main = join(root, "src", "web", "browser", "main.tsx");
  const of_pages = await scripts(root, { main }, [plugin], groups);
  const sources = of_pages
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(root));
  const code = sources.map((id) => readFileSync(id, "utf8")).join("\n");
  const texts = await Promise.all(LANGUAGES.map((language) => textsOf(root, language, code)));
  for (const { fileName, name, isEntry, code } of [...of_pages, ...texts.flat()]) {
    if (isEntry) manifest[`${name}.js`] = fileName;
    write(folder, fileName, code);
  }
  // Both lists are next to the folder, because their content changes and their names do not.
  writeList(`${folder}.json`, manifest);
  writeList(`${folder}-of-islands.json`, filesOfIslands(of_pages));
}

function writeList(place, list) {
  writeFileSync(`${place}.${process.pid}`, `${JSON.stringify(list, null, 2)}\n`);
  renameSync(`${place}.${process.pid}`, place);
}

/**
 * Returns the files of each script that is loaded later, by the name of its source, with all that they import and the main script
 * does not. Under `main` are the files that the main script imports.
 */
function filesOfIslands(chunks) {
  const by_file = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reach = (file, reached = new Set()) => {
    if (reached.has(file)) return reached;
    reached.add(file);
    for (const next of by_file.get(file).imports) reach(next, reached);
    return reached;
  };
  const [main] = chunks.filter(({ isEntry }) => isEntry);
  const of_main = reach(main.fileName);
  const lists = { main: [...of_main].filter((file) => file !== main.fileName) };
  for (const { fileName, isDynamicEntry, facadeModuleId } of chunks) {
    if (!isDynamicEntry) continue;
    const name = basename(facadeModuleId).replace(/\.tsx?$/, "");
    lists[name] = [...reach(fileName)].filter((file) => !of_main.has(file));
  }
  return lists;
}

function write(folder, name, content) {
  writeFileSync(join(folder, name), content);
  if (DENSE.has(extname(name))) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, quality));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
}

/** The order of the layers decides which rule wins, whatever the order of their files. */
const LAYERS = "@layer reset, tokens, base, frame, parts, screens, print;\n";

function stylesheet(root, manifest) {
  const folder = join(root, "src", "web");
  // Sorted by file name, whatever the folder: within a layer the later rule wins.
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".css"))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const text = shortened([LAYERS, ...texts].join(""));
  return text.replace(/url\("([^"]+)"\)/g, (_, name) => `url("/assets/${manifest[name]}")`);
}

/** Returns a stylesheet without its comments, without white space that separates nothing, and without zeros before a point. */
function shortened(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};]) ?/g, "$1")
    .replace(/([:,]) /g, "$1")
    .replace(/([ :,(-])0\.(?=\d)/g, "$1.")
    .replaceAll(";}", "}");
}

const LANGUAGES = ["en", "da"];

/**
 * Whether the source of the scripts reads a group of texts: as a property of the reader's words, whatever their name there, or by
 * destructuring them.
 */
const reads = (code, name) =>
  new RegExp(
    `\\b(?:words|all|said|all_words)\\.${name}\\b` +
      `|\\{[^{}]*\\b${name}\\b[^{}]*\\}\\s*[=:][^;\\n]*\\b[wW]ords\\b` +
      `|\\bwords: \\{[^{}]*\\b${name}\\b`,
  ).test(code);

/**
 * Bundles the texts of one language. Most screens have no island: their texts are left out when no source of the scripts reads
 * them.
 */
function textsOf(root, language, code) {
  const folder = join(root, "src", "web", "words");
  const main = join(folder, `${language}.ts`);
  const isUsed = (name) => reads(code, name);
  const namesIn = (file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/^ {2}(\w+): /gm)].map(
      ([, name]) => name,
    );
  return scripts(root, { [language]: main }, [
    {
      name: "texts-of-islands",
      transform(source, id) {
        if (id !== main) return null;
        return `${source}\nglobalThis[Symbol.for("matchbook.texts")] = { ${language} };\n`
          .replace(/^ {2}(\w+): (?:en|da)[A-Z]\w*,\n/gm, (line, name) => (isUsed(name) ? line : ""))
          .replace(/^ {2}\.\.\.(?:en|da)Account,\n/m, (line) =>
            namesIn(`${language}-account.ts`).some(isUsed) ? line : "",
          );
      },
    },
  ]);
}

/** Modules of this size in bytes or less, which at least five scripts import, share one file: a request costs more than they do. */
const SMALL = { maxModuleSize: 6_000, minShareCount: 5 };

/**
 * Returns a plugin and the groups of files that it finds: one of all that every page with a script loads, one of what many islands
 * share. With a file for each set of importers a page would wait for twenty.
 */
function fewFiles() {
  const of_main = new Set();
  const plugin = {
    name: "imports-of-entries",
    buildEnd() {
      const add = (id) => {
        for (const next of this.getModuleInfo(id).importedIds) {
          if (of_main.has(next)) continue;
          of_main.add(next);
          add(next);
        }
      };
      for (const id of [...this.getModuleIds()]) if (this.getModuleInfo(id).isEntry) add(id);
    },
  };
  const groups = [
    { name: "shared", test: (id) => of_main.has(id) },
    { name: "parts", test: (id) => !id.includes("node_modules"), ...SMALL },
  ];
  return { plugin, groups };
}

/** Bundles scripts with the files that they load: one for each island, and those that several islands share. */
async function scripts(root, input, plugins, groups = []) {
  const bundle = await rolldown({
    input,
    plugins,
    cwd: root,
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2022", jsx: { runtime: "automatic", importSource: "preact" } },
  });
  const { output } = await bundle.generate({
    format: "es",
    minify: true,
    codeSplitting: { groups },
    entryFileNames: "[name].[hash].js",
    chunkFileNames: "[name].[hash].js",
  });
  await bundle.close();
  return output;
}
