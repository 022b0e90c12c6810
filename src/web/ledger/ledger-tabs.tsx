/**
 * The tabs of the ledger's pages. An account that books in another accounting system has no trial balance, entries or VAT return
 * here: those pages say where the books are.
 */
import { ledgerTitle } from "../../platform/commands/connected-ledger.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { PageAnswer, PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { Tabs } from "../parts/list.tsx";

export const LEDGER = "/ledger";

/** The pages by their last part, in the order of the tabs. `is_local` pages exist only for the built-in books. */
const PAGES = [
  { part: "trial-balance", word: "trial_balance", is_local: true },
  { part: "entries", word: "entries", is_local: true },
  { part: "accounts", word: "accounts" },
  { part: "vat", word: "vat", is_local: true },
  { part: "reconciliation", word: "reconciliation" },
  { part: "verification", word: "verification" },
  { part: "queue", word: "queue" },
  { part: "connection", word: "connection" },
] as const;

type LedgerPart = (typeof PAGES)[number]["part"];

/** Returns the name of the accounting system that keeps the account's books; null where Matchbook keeps them. */
export function otherBooks({ ledger }: Pick<PersonContext, "ledger">): string | null {
  return ledger?.transactional ? null : ledgerTitle(ledger);
}

/** Shows the tabs; `elsewhere` is the name of the accounting system that keeps the books, if it is another one. */
export function LedgerTabs({ at, elsewhere }: { at: LedgerPart; elsewhere: string | null }) {
  const words = useReader().words.ledger;
  return (
    <div class="ledger-tabs">
      <Tabs
        label={words.tabs_label}
        current={`${LEDGER}/${at}`}
        tabs={PAGES.filter((page) => elsewhere === null || !("is_local" in page)).map(
          ({ part, word }) => ({ href: `${LEDGER}/${part}`, word: words.tabs[word] }),
        )}
      />
    </div>
  );
}

/** Returns a page that says in which accounting system the books are. */
export function booksElsewhere(
  { reader }: PageRequest,
  at: LedgerPart,
  title: string,
  elsewhere: string,
): PageAnswer {
  const words = reader.words.ledger;
  const content = (
    <>
      <LedgerTabs at={at} elsewhere={elsewhere} />
      <div class="card pad">
        <p class="strong">{words.books_in(elsewhere)}</p>
        <p class="soft">{words.books_in_text(elsewhere)}</p>
      </div>
    </>
  );
  return { title, content };
}
