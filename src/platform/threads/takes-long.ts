/**
 * How long a command takes is known for some only when it has read what it is about: a document may have one line or a
 * thousand. One that turns out to be long leaves the thread that answers everybody: it throws TakesLong before it has committed anything,
 * and whoever called it there has the whole request answered by another thread.
 */
import type { Reader } from "../commands/context.ts";
import type { Heavy } from "../http/asked.ts";

/** Lines of documents, and work on them, that one command books in the serving thread; of those that it sends, half as many. */
export const MOST_LINES = 100;

/** What is told of work that says nothing of its own when it takes more time than there is. */
export const ANYTHING: Heavy = {
  field: "lines",
  narrow: "Ask for less, or send less, at a time.",
};

/** No refusal and no fault: the work is to be begun again where it holds up nobody. Nothing has changed. */
export class TakesLong extends Error {
  constructor() {
    super("the work is to be done by another thread");
  }
}

/** What the work answers; null where it turns out to be long, and has changed nothing. Throws whatever else it throws. */
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
  /** Registrations of work on its lines, where they have been counted. */
  readonly registrations?: number;
  /** Whether it is printed, too: that takes twice as long as booking it. */
  readonly auto_send?: boolean;
}

/**
 * Throws TakesLong for work on documents with so many lines and registrations together, half as many where they are sent,
 * where it is to leave its thread; called before anything is committed.
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
