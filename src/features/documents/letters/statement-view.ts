/** The contents of a statement of account as finished strings in the customer's language. */
import { readableOnWhite } from "../../../domain/base/color.ts";
import type { AppliedItem, BalanceChange } from "../../../domain/receivables/account-statement.ts";
import type { StatementSnapshot } from "../../../domain/receivables/statement-snapshot.ts";
import {
  formatAmount,
  formatDay,
  formatPeriod,
  formatShortDay,
  languageTag,
} from "../printing/format.ts";
import {
  accountsOf,
  customerBlock,
  knownFacts,
  sellerBlock,
  sellerFooter,
} from "../printing/parties.ts";
import { type PrintLanguage, texts } from "../printing/texts.ts";
import type { BoxView, LetterView, TableView } from "../printing/view-parts.ts";
import { statementTexts } from "./statement-texts.ts";

/** How the amounts of a statement are written. */
type Formats = Pick<StatementSnapshot, "language" | "currency_digits">;

/** Formats a frozen statement of account. */
export function statementViewOf(snapshot: StatementSnapshot): LetterView {
  const { language, currency, from, to, issue_date, closing_balance, seller } = snapshot;
  const words = statementTexts[language];
  const block = sellerBlock(snapshot);
  return {
    language: languageTag[language],
    dated: issue_date,
    file_title: `${words.heading} – ${block.name}`,
    author: block.name,
    draft_mark: null,
    draft_note: null,
    heading: words.heading,
    credits: null,
    title: null,
    seller: block,
    customer: customerBlock(snapshot, words.to),
    meta: [
      { label: words.period, value: formatPeriod(from, to, language) },
      { label: words.date, value: formatDay(issue_date, language) },
      { label: texts[language].currency, value: currency },
    ],
    intro: null,
    table: tableOf(snapshot),
    total: { label: words.closing(currency), value: formatAmount(snapshot, closing_balance) },
    boxes: boxesOf(snapshot),
    notes: closing_balance < 0n ? words.minus : null,
    accent: seller?.accent_color === undefined ? null : readableOnWhite(seller.accent_color),
    logo: seller?.logo ?? null,
    footer: sellerFooter(snapshot),
    page_number: texts[language].page("{page}", "{pages}"),
  };
}

/** Returns the name of the file of a statement: `kontoudtog-2026-11-30.pdf`. */
export function statementName({
  language,
  to,
}: Pick<StatementSnapshot, "language" | "to">): string {
  return `${statementTexts[language].file}-${to}.pdf`;
}

/** Returns the text of a line: the item, and what it is applied to. */
export function statementText(line: BalanceChange, formats: Formats): string {
  const applied = appliedText(line, formats);
  return applied === null
    ? nameOf(line, formats.language)
    : `${nameOf(line, formats.language)}: ${applied}`;
}

function tableOf(snapshot: StatementSnapshot): TableView {
  const { language, from, opening_balance, lines } = snapshot;
  const words = statementTexts[language];
  const money = (amount: bigint) => formatAmount(snapshot, amount);
  const written = (amount: bigint) => (amount === 0n ? "" : money(amount));
  const first = {
    lead: formatShortDay(from, language),
    text: words.opening,
    note: null,
    rows: [["", "", "", money(opening_balance)]],
  };
  return {
    lead: words.date,
    columns: [
      { label: words.text, numeric: false },
      { label: words.due, numeric: false },
      { label: words.debit, numeric: true },
      { label: words.credit, numeric: true },
      { label: words.balance, numeric: true },
    ],
    lines: [
      first,
      ...lines.map((line) => ({
        lead: formatShortDay(line.date, language),
        text: nameOf(line, language),
        note: appliedText(line, snapshot),
        rows: [
          [
            line.due_date === null ? "" : formatShortDay(line.due_date, language),
            written(line.debit),
            written(line.credit),
            money(line.balance),
          ],
        ],
      })),
    ],
  };
}

/** What is owed by age, and where to pay while something is owed. */
function boxesOf(snapshot: StatementSnapshot): BoxView[] {
  const { language, aging, unapplied, to, seller, closing_balance } = snapshot;
  const words = statementTexts[language];
  const ages = ["not_due", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const;
  const amounts: (readonly [string, bigint])[] = [
    ...ages.map((age) => [words.ages[age], aging[age]] as const),
    [words.unapplied, -unapplied],
  ];
  const owed = amounts.flatMap(([label, amount]) =>
    amount === 0n ? [] : [{ label, value: formatAmount(snapshot, amount) }],
  );
  const accounts = closing_balance > 0n ? knownFacts(accountsOf(seller, language)) : [];
  return [
    { heading: words.aging(formatDay(to, language)), facts: owed },
    { heading: texts[language].payment, facts: accounts },
  ].filter(({ facts }) => facts.length > 0);
}

/** Names the change: the item, how it ended, or what joined it with another one. */
function nameOf(line: BalanceChange, language: PrintLanguage): string {
  const { kind, of, number, is_reversal, applied } = line;
  const words = statementTexts[language];
  // A payment that a connected ledger records has no number here.
  const name = `${words.items[of]} ${number}`.trimEnd();
  if (kind === "rounding" || kind === "transfer") {
    const [other] = applied;
    const text =
      kind === "rounding" || other === undefined
        ? words.rounding(lowered(name))
        : isOwnCredit(line)
          ? words.used_for_other(name, lowered(itemName(other, language)))
          : words.settled_by_other(name, lowered(itemName(other, language)));
    return is_reversal ? words.reversed(text) : text;
  }
  return is_reversal ? words.undone[of](name) : name;
}

/** Lists what an item is applied to, with amounts if there are several; null for nothing. */
function appliedText({ kind, applied }: BalanceChange, formats: Formats): string | null {
  if (applied.length === 0 || kind === "transfer") return null;
  const { language } = formats;
  return applied
    .map((item) => {
      const name = lowered(itemName(item, language));
      return applied.length === 1 ? name : `${name} (${formatAmount(formats, item.amount)})`;
    })
    .join(", ");
}

function itemName({ kind, number }: AppliedItem, language: PrintLanguage): string {
  return `${statementTexts[language].items[kind]} ${number}`;
}

/** Whether a transfer takes of a credit of the customer, and not of what the customer owes. */
function isOwnCredit({ debit, is_reversal }: BalanceChange): boolean {
  return debit > 0n !== is_reversal;
}

function lowered(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
