/** Creates ids. They are UUIDv7, which sort by creation time, the order of every list. */
import { AsyncLocalStorage } from "node:async_hooks";
import { hash, randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const ID_BYTES = 16;

const made = new AsyncLocalStorage<Set<string>>();

/** The random bytes of the next ids: asking the system for each id is most of its cost. */
const random = new Uint8Array(ID_BYTES * 256);
let used = random.length;
/** The time and the counter of the last id. Ids of one millisecond count up from a random number (RFC 9562, section 6.2). */
let msecs = 0;
let seq = 0;

export function newId<Id extends string>(): Id {
  const bytes = nextRandom();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // Below 2^31, so that the counter of 32 bits cannot overflow within a millisecond.
    seq = new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) % 2 ** 31;
  } else {
    seq += 1;
  }
  const id = v7({ random: bytes, msecs, seq });
  made.getStore()?.add(id);
  return id as Id;
}

function nextRandom(): Uint8Array {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.subarray(used - ID_BYTES, used);
}

/** Does some work, and returns the ids that were created for it. */
export async function notingNewIds<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ids: ReadonlySet<string> }> {
  const ids = new Set<string>();
  return { result: await made.run(ids, work), ids };
}

/** Returns the creation time of an id, in milliseconds of the real clock. */
export function madeAt(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns an id derived from another id and a name (UUIDv5, RFC 9562): computed again, it is the same. */
export function derivedId<Id extends string>(from: string, name: string): Id {
  const namespace = Buffer.from(from.replaceAll("-", ""), "hex");
  const digest = hash("sha1", Buffer.concat([namespace, Buffer.from(name)]), "hex");
  const variant = VARIANTS[Number.parseInt(digest.charAt(16), 16) % 4];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}` as Id;
}

/** The variant digits; two bits of the digit come from the digest. */
const VARIANTS = ["8", "9", "a", "b"] as const;
