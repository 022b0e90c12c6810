/**
 * The stylesheet, font, icons and scripts that browsers load. The build (`bin/build-assets.mjs`) names each file by its content,
 * so a browser caches it permanently and never mixes a new version with an old one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { packageRoot } from "../../platform/runtime/paths.ts";

const PREFIX = "/assets/";
const FOLDER = join(packageRoot, "dist", "assets");
const SECONDS_OF_A_YEAR = 31_536_000;

type AssetName =
  | "matchbook.css"
  | "matchbook.svg"
  | "icons.svg"
  | "main.js"
  | "en.js"
  | "da.js"
  | "inter-variable.woff2";

let manifest: Readonly<Record<string, string>> | undefined;

/** Returns the address of a file. Throws when the program has not been built. */
export function assetUrl(name: AssetName): string {
  manifest ??= JSON.parse(readFileSync(`${FOLDER}.json`, "utf8")) as Record<string, string>;
  const file = manifest[name];
  if (file === undefined) throw new Error(`the build has made no ${name}`);
  return `${PREFIX}${file}`;
}

let of_islands: Readonly<Record<string, readonly string[]>> | undefined;

/** Returns the own script of each island, and what these and the main one import: addresses, each one once. */
export function scriptsOf(islands: readonly string[]): {
  readonly run: readonly string[];
  readonly imported: readonly string[];
} {
  of_islands ??= JSON.parse(readFileSync(`${FOLDER}-of-islands.json`, "utf8")) as Record<
    string,
    readonly string[]
  >;
  const lists = of_islands;
  const run = new Set(islands.flatMap((name) => lists[name]?.slice(0, 1) ?? []));
  const files = new Set(["main", ...islands].flatMap((name) => lists[name] ?? []));
  const addressOf = (file: string) => PREFIX + file;
  return {
    run: [...run].map(addressOf),
    imported: [...files].filter((file) => !run.has(file)).map(addressOf),
  };
}

/** Serves the files, compressed if accepted. The icon and speculation rules also have their own names, for links. */
export function mountAssets(app: FastifyInstance): void {
  app.register(fastifyStatic, {
    root: FOLDER,
    prefix: PREFIX,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply) {
      reply.header("cache-control", `public, max-age=${SECONDS_OF_A_YEAR}, immutable`);
    },
  });
  const own = (name: string, type: string) => {
    const content = readFileSync(join(packageRoot, "assets", name));
    app.get(`${PREFIX}${name}`, (_request, reply) =>
      reply.header("cache-control", "public, max-age=300").type(type).send(content),
    );
  };
  own("matchbook.svg", "image/svg+xml");
  own(SPECULATION, "application/speculationrules+json");
}

const SPECULATION = "speculation.json";

/**
 * Browsers may prefetch a page while its link is pressed, so that the page is ready when the press ends. They do not prefetch a
 * link on hover: that would be work without a request, and the page may be minutes old when it is shown.
 */
export const speculationRules = `"${PREFIX}${SPECULATION}"`;
