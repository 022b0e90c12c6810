/**
 * A program that empties the folder of a connection, as an operator of e-invoices does: it takes each file soon after its name
 * exists, and deletes it. From time to time the folder is away for a moment, as a disk of another machine may be.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Arrival } from "./compare-arrivals.ts";

interface FolderReader {
  /** What it has taken. */
  readonly arrived: Arrival[];
  /** The number of times that the folder was away. */
  away(): number;
  /** Ends the absences; the reader continues. */
  endAbsences(): void;
  end(): Promise<void>;
}

const REST_MS = 15;
const AWAY_MS = 40;

/** Reads the folder until `end`. `isAway` is called before each look and says whether the folder goes away. */
export function readFolder(folder: string, isAway: () => boolean): FolderReader {
  const arrived: Arrival[] = [];
  let is_over = false;
  let stays = false;
  let absences = 0;
  const take = async (): Promise<void> => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(".xml")) continue;
      const content = await readFile(join(folder, name));
      const sha256 = createHash("sha256").update(content).digest("hex");
      arrived.push({ instance: basename(name, ".xml"), sha256 });
      await unlink(join(folder, name));
    }
  };
  const work = async (): Promise<void> => {
    while (!is_over) {
      if (!stays && isAway()) {
        absences += 1;
        await rename(folder, `${folder}-away`);
        await delay(AWAY_MS);
        await rename(`${folder}-away`, folder);
      }
      await take();
      await delay(REST_MS);
    }
  };
  const ended = work();
  return {
    arrived,
    away: () => absences,
    endAbsences() {
      stays = true;
    },
    async end() {
      is_over = true;
      await ended;
    },
  };
}
