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
  for (const { fileName, name, isEntry, code } of await scripts(root)) {
    if (isEntry) manifest[`${name}.js`] = fileName;
    write(folder, fileName, code);
  }
  // The manifest is next to the folder, because its content changes and its name does not.
  const place = `${folder}.json`;
  writeFileSync(`${place}.${process.pid}`, `${JSON.stringify(manifest, null, 2)}\n`);
  renameSync(`${place}.${process.pid}`, place);
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
  const text = [LAYERS, ...texts].join("");
  return text.replace(/url\("([^"]+)"\)/g, (_, name) => `url("/assets/${manifest[name]}")`);
}

/** Bundles the script that pages name, and the files that it loads: one for each island, and those that several islands share. */
async function scripts(root) {
  const bundle = await rolldown({
    input: { main: join(root, "src", "web", "browser", "main.tsx") },
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2022", jsx: { runtime: "automatic", importSource: "preact" } },
  });
  const { output } = await bundle.generate({
    format: "es",
    minify: true,
    entryFileNames: "[name].[hash].js",
    chunkFileNames: "[name].[hash].js",
  });
  await bundle.close();
  return output;
}
