/**
 * Checks every statement that the program sends during the tests of a file with the rules for distributed tables. A statement
 * that breaks one fails the file, with its place. A worker checks each text once.
 */
import { afterAll, expect, inject } from "vitest";
import { setStatementListener } from "../../../src/platform/database/watched-statements.ts";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import { type Catalogue, readCatalogue } from "../distributed/catalogue.ts";
import { describeFault, faultsOfText } from "../distributed/statement-rules.ts";

/** Of one worker, which keeps its modules for all of its files. */
interface Watched {
  readonly known: Set<string>;
  /** Texts that are not checked yet, with their places. */
  readonly fresh: Map<string, string>;
  catalogue: Promise<Catalogue> | undefined;
}

const shared = globalThis as typeof globalThis & { matchbook_statements?: Watched };
shared.matchbook_statements ??= { known: new Set(), fresh: new Map(), catalogue: undefined };
const watched = shared.matchbook_statements;

setStatementListener((text) => {
  if (watched.known.has(text)) return;
  watched.known.add(text);
  const place = placeIn(new Error().stack ?? "");
  if (place !== undefined) watched.fresh.set(text, place);
});

afterAll(async () => {
  if (watched.fresh.size === 0) return;
  watched.catalogue ??= readCatalogue(inject("template_url"));
  const catalogue = await watched.catalogue;
  const faults = [...watched.fresh].flatMap(([text, place]) =>
    faultsOfText(text, catalogue).map((fault) => describeFault(place, fault, text)),
  );
  watched.fresh.clear();
  expect(faults).toEqual([]);
});

/** The first place in a stack outside of the access to the database; undefined for a statement of a test. */
function placeIn(stack: string): string | undefined {
  const places = [...stack.matchAll(/((?:src|test)\/[^\s:()]+):(\d+)/g)].map(
    ([, path = "", line]) => `${path}:${line}`,
  );
  const own = places.filter(
    (place) =>
      !/^(src\/platform\/database\/(database|transaction|watched-statements)\.ts|test\/support\/run)/.test(
        place,
      ),
  );
  const [first = packageRoot] = own;
  return /^test\/|\.test\.ts:/.test(first) ? undefined : first;
}
