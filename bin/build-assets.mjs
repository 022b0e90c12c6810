// Builds what browsers load: one stylesheet of the layers in src/web, the font and the icons. Names carry
// the hash of the content, so that browsers may keep them permanently; beside each file lies the same compressed. The file
// beside the folder says which name stands for which.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Files that are sent as they lie in `assets`. */
const COPIED = ["fonts/inter-variable.woff2", "icons.svg", "matchbook.svg"];
/** Compressed already. */
const DENSE = new Set([".woff2", ".png"]);

/** `root` is the package's folder. Throws with what rolldown says of a fault. */
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
  // Beside the folder: it changes under its name.
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

/** The layers say who wins, whatever the order of their files. */
const LAYERS = "@layer reset, tokens, base, frame, parts, screens, print;\n";

function stylesheet(root, manifest) {
  const folder = join(root, "src", "web");
  // In the order of their names, whatever their folders: within a layer the later rule wins.
  const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".css"))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const text = [LAYERS, ...texts].join("");
  return text.replace(/url\("([^"]+)"\)/g, (_, name) => `url("/assets/${manifest[name]}")`);
}

/** The script that pages name, and what it loads: one file for each island, and what several of them share. */
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
