/**
 * What browsers load: stylesheet, font and icons, made by the build (`bin/build-assets.mjs`) under names that follow
 * from their content, so that a browser keeps them for good and a new version is never mixed with an old one.
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
  | "inter-variable.woff2";

let manifest: Readonly<Record<string, string>> | undefined;

/** The address of a file. Throws when the program was not built. */
export function assetUrl(name: AssetName): string {
  manifest ??= JSON.parse(readFileSync(`${FOLDER}.json`, "utf8")) as Record<string, string>;
  const file = manifest[name];
  if (file === undefined) throw new Error(`the build has made no ${name}`);
  return `${PREFIX}${file}`;
}

/** Serves the files, compressed as the browser takes them. The icon is there under its own name too, for whoever links to it, and so are the rules of what is fetched ahead. */
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
 * What browsers may fetch ahead: a page whose link is being pressed, so that it is there when the finger is up. Not what is merely
 * pointed at: it would be work that nobody asked for, and minutes old by the time it is shown.
 */
export const speculationRules = `"${PREFIX}${SPECULATION}"`;
