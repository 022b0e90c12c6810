/** Shows what a bank line would become, and why. */
import { useReader } from "../frame/reader.ts";
import { moneyOfNumber } from "../parts/format.ts";
import { Pill } from "../parts/values.tsx";
import type { Language } from "../words/words.ts";
import { lineWords, useLineWords } from "./lines-words.ts";
import type { Becomes } from "./suggest-lines.ts";

const KINDS = { exact: "ok", likely: "warn", possible: undefined } as const;

/** Shows a suggestion: the customer, what is paid, how sure it is, and what of it stays open. */
export function BecomesShown({ becomes }: { becomes: Becomes }) {
  const { language } = useReader();
  const words = useLineWords();
  const { confidence, customer_id, customer_name } = becomes;
  const kind = KINDS[confidence];
  return (
    <>
      <Pill {...(kind === undefined ? {} : { kind })}>{words.confidences[confidence]}</Pill>{" "}
      <a class="link" href={`/customers/${customer_id}`}>
        {customer_name}
      </a>
      : {whatOf(language, becomes)}
      <span class="small soft bank-why">{whyOf(language, becomes)}</span>
    </>
  );
}

/** Returns what is paid: `invoices 3, 4 less credit note 2`; of money out, what is given back or came back. */
function whatOf(language: Language, becomes: Becomes): string {
  const { invoices, openings, reminders, notes, out } = becomes;
  const words = lineWords(language);
  if (out.length > 0) {
    return out.map(({ kind, number }) => words.out[kind](number)).join(` ${words.and} `);
  }
  const owed = [
    ...(invoices.length > 0 ? [words.invoices(invoices)] : []),
    ...(openings.length > 0 ? [words.openings(openings)] : []),
    ...(reminders.length > 0 ? [words.reminders(reminders)] : []),
  ].join(` ${words.and} `);
  return notes.length > 0 ? words.less(owed, words.notes(notes)) : owed;
}

/** Returns the reasons, and what the amounts leave. */
function whyOf(language: Language, { reasons, currency, still_owed, left, fee }: Becomes): string {
  const words = lineWords(language);
  const money = (amount: number) => moneyOfNumber(language, amount, currency);
  const named = reasons.map((reason) => words.reasons[reason]);
  const last = named.at(-1) ?? "";
  const listed = named.length < 2 ? last : `${named.slice(0, -1).join(", ")} ${words.and} ${last}`;
  return [
    words.because(listed),
    ...(still_owed > 0 ? [words.still_owed(money(still_owed))] : []),
    ...(fee > 0 ? [words.charged(money(fee))] : []),
    ...(left > 0 ? [words.kept_as_credit(money(left))] : []),
  ].join(" ");
}
