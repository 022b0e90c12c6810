/** Writes the journal for beancount with a tolerance of 0: the default accepts small imbalances (spec 9.7). */
import { addDays } from "../../../domain/base/calendar.ts";
import type { AccountType } from "../../../ledger/ledger.ts";
import type { Journal, JournalWriter } from "./export-journal.ts";
import {
  accountNames,
  codeOf,
  entryFacts,
  minorUnitOf,
  plainLine,
  postingFacts,
} from "./export-text.ts";

const ROOTS: Readonly<Record<AccountType, string>> = {
  asset: "Assets",
  liability: "Liabilities",
  equity: "Equity",
  income: "Income",
  expense: "Expenses",
};

/** The opening date of the accounts when the books have no entries. */
const BEFORE_EVERYTHING = "1970-01-01";

export function beancountWriter(journal: Journal): JournalWriter {
  const { functional_currency } = journal;
  const unit = minorUnitOf(functional_currency);
  const names = accountNames(journal.accounts, ROOTS);

  return {
    opening() {
      const options =
        `option "title" "${plainLine(journal.account_name)}"\n` +
        `option "operating_currency" "${unit}"\n` +
        `option "inferred_tolerance_multiplier" "0"\n`;
      const day = journal.first === null ? BEFORE_EVERYTHING : addDays(journal.first, -1);
      const accounts = [...names.values()].map((name) => `${day} open ${name} ${unit}\n`);
      return `; Amounts are minor units of ${journal.functional_currency}.\n${options}\n${accounts.join("")}`;
    },

    entry(entry) {
      const heading = `\n${entry.entry_date} * "${codeOf(entry)}" "${plainLine(entry.text)}"\n`;
      const facts = metadata(entryFacts(entry, functional_currency), "  ");
      const postings = entry.postings.map((posting) => {
        const name = names.get(posting.account_number);
        const kept = metadata(postingFacts(entry, posting, functional_currency), "    ");
        return `  ${name}  ${posting.amount} ${unit}\n${kept}`;
      });
      return `${heading}${facts}${postings.join("")}`;
    },

    /** Beancount compares at the start of a day, so the balances are those of the day after the last entry. */
    closing() {
      if (journal.last === null) return "";
      const day = addDays(journal.last, 1);
      const balances = journal.accounts.map(
        ({ number, balance }) => `${day} balance ${names.get(number)}  ${balance} ${unit}\n`,
      );
      return `\n${balances.join("")}`;
    },
  };
}

function metadata(facts: readonly (readonly [string, string])[], indent: string): string {
  return facts.map(([key, value]) => `${indent}${key}: "${value}"\n`).join("");
}
