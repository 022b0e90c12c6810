/** The contents of a reminder as finished strings in the customer's language. */
import { readableOnWhite } from "../../../domain/base/color.ts";
import type {
  ListedItem,
  ReminderSnapshot,
} from "../../../domain/receivables/reminder-snapshot.ts";
import { formatAmount, formatDay, formatShortDay, languageTag } from "../printing/format.ts";
import {
  accountsOf,
  customerBlock,
  knownFacts,
  sellerBlock,
  sellerFooter,
} from "../printing/parties.ts";
import { texts } from "../printing/texts.ts";
import type { BoxView, LetterView, TableView } from "../printing/view-parts.ts";
import { reminderTexts } from "./reminder-texts.ts";

/** Formats a frozen reminder; its number is null where it charges nothing. */
export function reminderViewOf(snapshot: ReminderSnapshot, number: bigint | null): LetterView {
  const { language, currency, issue_date, due_date, total, seller, fee } = snapshot;
  const words = reminderTexts[language];
  const block = sellerBlock(snapshot);
  const heading = reminderHeading(snapshot);
  const is_free = fee + snapshot.interest + snapshot.compensation === 0n;
  return {
    language: languageTag[language],
    dated: issue_date,
    file_title: `${heading} – ${block.name}`,
    author: block.name,
    draft_mark: null,
    draft_note: null,
    heading,
    credits: null,
    title: null,
    seller: block,
    customer: customerBlock(snapshot, words.to),
    meta: [
      ...(number === null ? [] : [{ label: words.number, value: `${number}` }]),
      { label: words.date, value: formatDay(issue_date, language) },
      { label: words.due, value: formatDay(due_date, language) },
      { label: texts[language].currency, value: currency },
    ],
    intro: reminderIntro(snapshot),
    table: tableOf(snapshot),
    total: { label: words.total(currency), value: formatAmount(snapshot, total) },
    boxes: boxesOf(snapshot),
    notes: is_free ? `${words.none_charged} ${words.questions}` : words.questions,
    accent: seller?.accent_color === undefined ? null : readableOnWhite(seller.accent_color),
    logo: seller?.logo ?? null,
    footer: sellerFooter(snapshot),
    page_number: texts[language].page("{page}", "{pages}"),
  };
}

/** Returns the heading of a reminder, which is also the begin of the subject of its mail. */
export function reminderHeading(
  snapshot: Pick<ReminderSnapshot, "language" | "level" | "items">,
): string {
  const words = reminderTexts[snapshot.language];
  if (isInterestOnly(snapshot)) return words.interest_only;
  return snapshot.level === 1 ? words.first : words.later(snapshot.level);
}

/** Returns the text above the table: the account's own one of the level, or the usual one. */
export function reminderIntro(
  snapshot: Pick<ReminderSnapshot, "language" | "level" | "items" | "text">,
): string {
  const words = reminderTexts[snapshot.language];
  if (isInterestOnly(snapshot)) return words.interest_intro;
  const { text, level } = snapshot;
  return text ?? words.intros[level - 1] ?? words.intros.at(-1) ?? "";
}

/** Returns the name of the file of a reminder: `rykker-12.pdf`, or `rykker-2026-11-30.pdf` without a number. */
export function reminderName(
  { language, issue_date }: Pick<ReminderSnapshot, "language" | "issue_date">,
  number: bigint | null,
): string {
  return `${reminderTexts[language].file}-${number ?? issue_date}.pdf`;
}

/** Whether the letter asks only for interest of what is paid by now. */
function isInterestOnly({ items }: Pick<ReminderSnapshot, "items">): boolean {
  return items.every(({ open }) => open === 0n);
}

function tableOf(snapshot: ReminderSnapshot): TableView {
  const { language, fee, interest, compensation, items } = snapshot;
  const words = reminderTexts[language];
  const money = (amount: bigint) => formatAmount(snapshot, amount);
  const charge = (text: string, amount: bigint, note: string | null = null) =>
    amount === 0n ? [] : [{ text, note, rows: [["", "", money(amount)]] }];
  const numbers = (field: "interest" | "compensation") =>
    items
      .filter((item) => item[field] > 0n)
      .map((item) => `${nameOf(item, snapshot)}: ${money(item[field])}`)
      .join(", ");
  return {
    columns: [
      { label: words.text, numeric: false },
      { label: words.due_date, numeric: false },
      { label: words.days, numeric: true },
      { label: words.amount, numeric: true },
    ],
    lines: [
      ...items.map((item) => ({
        text: nameOf(item, snapshot),
        note: item.open === 0n ? words.paid_late : null,
        rows: [
          [
            formatShortDay(item.due_date, language),
            item.open === 0n ? "" : `${item.days_overdue}`,
            money(item.open),
          ],
        ],
      })),
      ...charge(words.fee, fee),
      ...charge(words.interest, interest, numbers("interest")),
      ...charge(words.compensation, compensation, numbers("compensation")),
    ],
  };
}

/** Where to pay: with the reference of the reminder, or with the numbers of the invoices where it charges nothing. */
function boxesOf({ language, seller, items, payment_codes: codes }: ReminderSnapshot): BoxView[] {
  const words = texts[language];
  const facts = knownFacts([
    ...accountsOf(seller, language),
    ...(codes === null
      ? [[reminderTexts[language].references, numbersOf(items)] as const]
      : [
          [
            codes.reference === codes.rf ? words.paymentReference : words.paymentId,
            codes.reference,
          ] as const,
          [words.fik, codes.fik_line] as const,
        ]),
  ]);
  return facts.length === 0 ? [] : [{ heading: words.payment, facts }];
}

const MOST_NAMED = 4;

function numbersOf(items: readonly ListedItem[]): string {
  const numbers = items.slice(0, MOST_NAMED).map(({ number }) => number);
  return numbers.join(", ") + (items.length > MOST_NAMED ? ", …" : "");
}

function nameOf(
  { kind, number }: ListedItem,
  { language }: Pick<ReminderSnapshot, "language">,
): string {
  return `${reminderTexts[language].items[kind]} ${number}`;
}
