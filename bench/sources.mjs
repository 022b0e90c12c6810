// The sources of the program that benches call themselves, bundled once for each process: `dist` has only the program as a whole.
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "../bin/build.mjs";

const SOURCES = [
  "assistant/open-catalogues",
  "assistant/protocol/tool-outcome",
  "domain/einvoice/from-snapshot",
  "domain/einvoice/missing",
  "domain/einvoice/write-bis",
  "domain/einvoice/write-cii",
  "domain/einvoice/write-oioubl",
  "domain/series/line-id",
  "features/access/oauth/authenticate",
  "features/access/oauth/grants",
  "features/access/oauth/tokens",
  "features/documents/printing/pdf",
  "features/documents/printing/pdf-fonts",
  "features/documents/printing/view",
  "platform/commands/context",
  "platform/commands/tx",
  "platform/database/database",
  "platform/database/embedded",
  "platform/runtime/clock",
  "platform/runtime/services",
];

// Below node_modules, where the imports of bundled code find the packages.
const cache = join(dirname(import.meta.dirname), "node_modules", ".cache");
const folder = join(cache, `matchbook-bench-${process.pid}`);
let bundled;

/** Imports a source by its path below `src`, without extension. */
export async function load(source) {
  bundled ??= bundle(SOURCES, folder);
  await bundled;
  return import(join(folder, `${source}.js`));
}

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
