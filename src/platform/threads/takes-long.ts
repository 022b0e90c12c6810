/**
 * Some commands know how long they take only after reading their input: a document may have one line or a thousand. A command
 * that turns out to be long leaves the thread that answers all requests: it throws TakesLong before it has committed anything,
 * and its caller lets another thread answer the whole request.
 */
import type { Reader } from "../commands/context.ts";
import type { Heavy } from "../http/asked.ts";

/** Lines or registrations that a command may book in the serving thread; half as many when it also sends documents. */
export const MOST_LINES = 100;

/** The refusal for reads that take too long and declare no sentence. */
export const READING: Heavy = {
  field: "lines",
  narrow: "Request or send less at a time.",
};

/** The same for work that may also change something, or roll a change back. */
export const ANYTHING: Heavy = { ...READING, needs_primary: true };

/** Thrown to move work to a thread where it delays no other request: neither a refusal nor a fault. Nothing has changed. */
export class TakesLong extends Error {
  constructor() {
    super("the work is to be done by another thread");
  }
}

/** Returns the result; null when the work turns out to be long, and nothing has changed. Throws its other errors. */
export async function unlessLong<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TakesLong) return null;
    throw error;
  }
}

/** A document that is booked or sent. */
interface Counted {
  readonly lines: readonly unknown[];
  /** The number of work registrations on the document's lines, where it was counted. */
  readonly registrations?: number;
  /** Whether the document is also printed, which takes twice as long as booking it. */
  readonly auto_send?: boolean;
}

/**
 * Throws TakesLong, in contexts that leave long work, for documents with more lines and registrations together than `MOST_LINES`,
 * or half of that where they are sent. To be called before anything is committed.
 */
export function leaveIfLong(
  { leaves_if_long }: Pick<Reader, "leaves_if_long">,
  ...documents: readonly Counted[]
): void {
  if (!leaves_if_long) return;
  const count = documents.reduce(
    (sum, { lines, registrations = 0, auto_send = false }) =>
      sum + (lines.length + registrations) * (auto_send ? 2 : 1),
    0,
  );
  if (count > MOST_LINES) throw new TakesLong();
}
