/** Specifies the hours of an invoice: one by one, or as sums when there are too many. */
import type { SpecifiedEntry, SpecifiedHours } from "./document.ts";

/** The most registrations of a document that are printed one by one. */
export const MOST_SPECIFIED = 1_000;

/** A billable registration of a line. */
export interface WorkedEntry extends SpecifiedEntry {
  readonly user_id: string;
}

interface Specification {
  /** The hours of each line that has any. */
  readonly hours: readonly SpecifiedHours[];
  readonly hours_are_summed: boolean;
}

/**
 * Returns the list of hours by line, in the order of the lines: each registration, or, when the document has more than
 * `MOST_SPECIFIED`, the sum of each date and person without notes. The entries must be in the order of their dates.
 */
export function specificationOf(
  line_ids: readonly string[],
  entries: ReadonlyMap<string, readonly WorkedEntry[]>,
): Specification {
  const lines = line_ids.map((line_id) => ({ line_id, worked: entries.get(line_id) ?? [] }));
  const count = lines.reduce((sum, { worked }) => sum + worked.length, 0);
  const hours_are_summed = count > MOST_SPECIFIED;
  const hours = lines
    .filter(({ worked }) => worked.length > 0)
    .map(({ line_id, worked }) => ({
      line_id,
      entries: (hours_are_summed ? summed(worked) : worked).map(({ user_id: _, ...said }) => said),
    }));
  return { hours, hours_are_summed };
}

/** Sums the entries by date and person; two persons with the same name stay separate. */
function summed(entries: readonly WorkedEntry[]): readonly WorkedEntry[] {
  const sums = new Map<string, WorkedEntry>();
  for (const entry of entries) {
    const key = `${entry.date} ${entry.user_id}`;
    const hours = (sums.get(key)?.hours ?? 0) + entry.hours;
    sums.set(key, { ...entry, hours, note: null });
  }
  return [...sums.values()];
}
