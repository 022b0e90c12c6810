/**
 * The texts of statements as the program creates them. Each file is imported again with the expressions of its statements
 * appended, so that all names refer to those of the file.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import { raw, Sql, sql } from "../../../src/platform/database/sql.ts";

export interface Probe {
  readonly file: SourceFile;
  /** An expression that can be appended to its file, from `closedText`. */
  readonly probe: string;
}

/** Returns one of the values. */
type Pick = <Value>(...values: Value[]) => Value | undefined;

type Make = (given: {
  readonly PICK: Pick;
  readonly STAND_IN: unknown;
  readonly SQL: typeof sql;
  readonly RAW: typeof raw;
}) => unknown;

/** The first and the last value for each pick; no text if no statement can be created. */
const PICKS: readonly Pick[] = [(...values) => values[0], (...values) => values.at(-1)];

/** The texts of each probe. Creates the folder. */
export async function textsOf<One extends Probe>(
  probes: readonly One[],
  folder: string,
): Promise<Map<One, string[]>> {
  await mkdir(folder);
  const files = [...new Set(probes.map(({ file }) => file))];
  const found = await Promise.all(
    files.map(async (file, index) => {
      const own = probes.filter((probe) => probe.file === file);
      const path = join(folder, `${index}.${file.fileName.split(".").at(-1)}`);
      await writeFile(path, withProbes(file, own));
      const { PROBES }: { PROBES: readonly Make[] } = await import(/* @vite-ignore */ path);
      return own.map((probe, at): [One, string[]] => [probe, made(PROBES[at] as Make)]);
    }),
  );
  return new Map(found.flat());
}

function withProbes({ fileName, text }: SourceFile, probes: readonly Probe[]): string {
  const moved = text.replace(
    /(\bfrom |\bimport\()"(\.[^"]*)"/g,
    (_, before, path) => `${before}"${join(dirname(fileName), path)}"`,
  );
  const made = probes.map(({ probe }) => `({ PICK, STAND_IN, SQL, RAW }) => (${probe}),\n`);
  return `${moved}\nexport const PROBES = [\n${made.join("")}];\n`;
}

function made(make: Make): string[] {
  const texts = PICKS.map((PICK) => {
    try {
      const statement = make({ PICK, STAND_IN, SQL: sql, RAW: raw });
      return statement instanceof Sql ? [statement.text] : [];
    } catch {
      // The code uses a stand-in in a way that only a real value of the caller allows.
      return [];
    }
  });
  return [...new Set(texts.flat())];
}

/** Returns itself for every property and call; as a list it has one element. */
const STAND_IN: unknown = new Proxy(() => {}, {
  get: (_, name) => {
    if (name === Symbol.toPrimitive) return () => "stand_in";
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    if (name === "length") return 1;
    if (name === "map") return (make: (one: unknown, at: number) => unknown) => [make(STAND_IN, 0)];
    return name === "then" ? undefined : STAND_IN;
  },
  apply: () => STAND_IN,
});
