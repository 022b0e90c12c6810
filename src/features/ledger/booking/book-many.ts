/** Books documents of one kind together, only in the built-in ledger. The refusal of one does not affect the others. */
import { Problem } from "../../../domain/base/problem.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { inSlices } from "../../../platform/runtime/slices.ts";
import type { Bookable, BookingFacts, Decision, Issued } from "./bookable.ts";
import { book, isOpen } from "./booking-command.ts";

/** The approximate number of lines, in all documents together, that one transaction books. */
export const LINES_AT_A_TIME = 4_000;

/** Returns the first rows that together have at most this many lines, and at least one row. */
export function fitting<Row>(rows: readonly Row[], linesOf: (row: Row) => number): readonly Row[] {
  let lines = 0;
  const beyond = rows.findIndex((row, at) => {
    lines += linesOf(row);
    return at > 0 && lines > LINES_AT_A_TIME;
  });
  return beyond === -1 ? rows : rows.slice(0, beyond);
}

/** The plan of booking documents, by their guids. */
interface ManyPlanned<Decided> {
  readonly decided: readonly Decided[];
  readonly refused: ReadonlyMap<string, Problem>;
  /** Documents whose booking in an external ledger has begun before. */
  readonly under_way: readonly string[];
}

/** Locks, reads and decides documents. A refusal of a document is a part of the result; any other error is thrown. */
export async function planMany<Facts extends BookingFacts, Decided extends Decision<Facts>>(
  tx: Tx,
  bookable: Bookable<Facts, Decided>,
  guids: readonly string[],
): Promise<ManyPlanned<Decided>> {
  const facts = guids.length === 0 ? [] : await bookable.read(tx, guids);
  const decided: Decided[] = [];
  const refused = new Map<string, Problem>();
  const under_way: string[] = [];
  await inSlices(facts, (one) => {
    if (one.state === "booked") refused.set(one.guid, new Problem(bookable.done));
    else if (one.state === "booking") under_way.push(one.guid);
    else {
      try {
        decided.push(bookable.decide(one));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refused.set(one.guid, error);
      }
    }
  });
  return { decided, refused, under_way };
}

/** Books the decided documents; returns the booked documents by guid. */
export async function bookMany<Facts extends BookingFacts, Decided extends Decision<Facts>>(
  tx: Tx,
  bookable: Bookable<Facts, Decided>,
  { decided }: ManyPlanned<Decided>,
): Promise<Map<string, Issued>> {
  if (decided.length === 0) return new Map();
  const begun = await book(tx, bookable, decided);
  return new Map(
    begun.map((one, at) => {
      if (isOpen(one)) throw new Error("an external ledger is asked one by one");
      return [(decided[at] as Decided).facts.guid, one];
    }),
  );
}
