/** What is said where payments are recorded in a connected ledger: that they are only read here, when, and what was not reported. */
import type { ReadThrough } from "../../features/receivables/ledger-items/queries.ts";
import { useReader } from "../frame/reader.ts";
import { momentOf } from "../parts/format.ts";

interface InLedgerProps {
  readonly ledger: string;
  /** How far the ledger has reported what is shown; null where that is not known. */
  readonly reported: ReadThrough | null;
  /** Whether something that was booked here, before the books moved, is shown as well. */
  readonly has_own?: boolean;
}

/** Says that payments are recorded in the ledger, with the moment of its oldest answer among what is shown. */
export function InLedger({ ledger, reported, has_own = false }: InLedgerProps) {
  const { words: all, language, time_zone } = useReader();
  const words = all.receivables;
  const as_of = reported?.as_of ?? null;
  const unreported = reported?.unreported ?? 0;
  return (
    <p class="soft">
      {has_own ? words.in_both(ledger) : words.in_ledger(ledger)}
      {as_of !== null && ` ${words.as_of(ledger, momentOf(language, as_of, time_zone).text)}`}
      {unreported > 0 && ` ${words.unreported(ledger, unreported)}`}
    </p>
  );
}
