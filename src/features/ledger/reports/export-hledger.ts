/**
 * Writes the journal in hledger's format. Two spaces separate account and amount: after a single space, hledger reads the amount
 * as a part of the account's name and infers another amount (spec 9.7).
 */
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
  asset: "assets",
  liability: "liabilities",
  equity: "equity",
  income: "income",
  expense: "expenses",
};

export function hledgerWriter(journal: Journal): JournalWriter {
  const { functional_currency } = journal;
  const unit = minorUnitOf(functional_currency);
  const names = accountNames(journal.accounts, ROOTS);

  return {
    opening() {
      const title = `; ${plainLine(journal.account_name)}\n; Amounts are minor units of ${journal.functional_currency}.\n`;
      const accounts = [...names.values()].map((name) => `account ${name}\n`).join("");
      return `${title}\ncommodity ${unit}\n  format 1. ${unit}\n\n${accounts}`;
    },

    entry(entry) {
      const heading = `\n${entry.entry_date} * (${codeOf(entry)}) ${plainLine(entry.text)}\n`;
      const facts = `    ; ${tags(entryFacts(entry, functional_currency))}\n`;
      const postings = entry.postings.map((posting) => {
        const name = names.get(posting.account_number);
        const kept = tags(postingFacts(entry, posting, functional_currency));
        return `    ${name}  ${posting.amount} ${unit}${kept === "" ? "" : `  ; ${kept}`}\n`;
      });
      return `${heading}${facts}${postings.join("")}`;
    },

    /** An entry of zero on the last day, at which hledger compares every account's balance. */
    closing() {
      if (journal.last === null) return "";
      const balances = journal.accounts.map(
        ({ number, balance }) => `    ${names.get(number)}  0 ${unit} = ${balance} ${unit}\n`,
      );
      return `\n${journal.last} * (closing) Balances\n${balances.join("")}`;
    },
  };
}

function tags(facts: readonly (readonly [string, string])[]): string {
  return facts.map(([key, value]) => `${key}:${value}`).join(", ");
}
