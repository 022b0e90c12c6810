/**
 * Translates the places of stack traces from the bundled files of `dist` to the sources, for the log. A map is read when an error
 * needs it and is not kept: Node would read all maps at the start of each thread (`--enable-source-maps`).
 */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LruCache } from "./lru-cache.ts";
import { packageRoot } from "./paths.ts";

const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
/** Most errors repeat, and the places of an outage come thousands of times. */
const known = new LruCache<string, string>(1_000);

/** Returns the stack with places in sources, relative to the package's root. A place without a map stays as it is. */
export function stackInSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    const translated = known.get(place) ?? sourceOf(maps, url, Number(line), Number(column));
    known.set(place, translated ?? place, 1);
    return translated ?? place;
  });
}

function sourceOf(
  maps: Map<string, SourceMap | undefined>,
  url: string,
  line: number,
  column: number,
): string | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  const origin = maps.get(url)?.findOrigin(line, column);
  if (origin === undefined || !("fileName" in origin)) return undefined;
  const source = resolve(dirname(fileURLToPath(url)), origin.fileName);
  return `${relative(packageRoot, source)}:${origin.lineNumber}:${origin.columnNumber}`;
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
  } catch {
    return undefined;
  }
}
