/** The texts of bank lines, in both languages: what each is, why, and what is booked. Only the server has them. */
import { useReader } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";

const enLines = {
  title: "Bank",
  lead: "What came in and went out, and which invoice it belongs to.",
  tabs: { open: "Open", booked: "Booked", ignored: "Left out", statements: "Statements" },
  none: {
    open: "No lines wait to be booked. Add a file from your bank above.",
    booked: "No line is booked yet.",
    ignored: "No line is left out.",
  },
  none_found: "No line matches.",
  search: "Text, name or account",
  day: "Day",
  line: "Line",
  account: "Bank account",
  amount: "Amount",
  becomes: "What it would become",
  became: "What it became",
  reason: "Why it is left out",
  keys: "J and K move, Space selects, Enter opens a line, B books what is selected.",
  pick: (line: string) => `Select ${line}`,
  choose: "Choose …",
  others: (count: number) => (count === 1 ? "1 other choice" : `${count} other choices`),
  no_suggestion: "Nothing fits.",
  open_line: "Open the line to choose.",
  money_out: "Money out, and no refund that you owe.",
  confidences: { exact: "Exact", likely: "Likely", possible: "Possible" },
  reasons: {
    reference: "its payment reference",
    number: "its number",
    counterparty: "earlier payments from the account",
    amount: "the amount",
    name: "the name",
  },
  because: (reasons: string) => `By ${reasons}.`,
  and: "and",
  invoices: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "invoice" : "invoices"} ${numbers.join(", ")}`,
  openings: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "opening item" : "opening items"} ${numbers.join(", ")}`,
  reminders: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "reminder" : "reminders"} ${numbers.join(", ")}`,
  notes: (numbers: readonly string[]) =>
    `${numbers.length === 1 ? "credit note" : "credit notes"} ${numbers.join(", ")}`,
  out: {
    credit_note: (number: string) => `credit note ${number} is paid back`,
    payment: (number: string) => `the credit of payment ${number} is paid back`,
    opening: (number: string) => `opening item ${number} is paid back`,
    returned: (number: string) => `payment ${number} came back`,
  },
  less: (what: string, notes: string) => `${what} less ${notes}`,
  still_owed: (amount: string) => `${amount} is still owed.`,
  charged: (amount: string) => `The bank takes a charge of ${amount}.`,
  kept_as_credit: (amount: string) => `${amount} is kept as the customer's credit.`,
  foreign: (amount: string) => `The payer sent ${amount}.`,
  book_selected: "Book the selected lines",
  /** `{n}` and `{sum}` are filled in. */
  book_one: "Book 1 payment, {sum}",
  book_many: "Book {n} payments, {sum}",
  book_title: (count: number) => (count === 1 ? "Book this line?" : `Book these ${count} lines?`),
  would_be: "Lines with what they would become",
  entry: "Entry",
  entries: (count: number) => (count === 1 ? "Its entry" : `Its ${count} entries`),
  not_booked: "Lines that cannot be booked like this are left out. They stay open.",
  not_yet: "Not yet",
  gone: "What is open has changed since: this is no longer suggested. Choose again.",
  changed: "Its entries would now be others than those you saw. Look at them again.",
  line_title: (amount: string) => `${amount}: what is it?`,
  line_of: (amount: string) => `Bank line of ${amount}`,
  text: "Text",
  payer: "Payer or payee",
  payer_account: "Their account",
  reference: "Payment reference",
  value_date: "Day of interest",
  instructed: "Instructed",
  state: "State",
  states: { open: "Open", booked: "Booked", ignored: "Left out" },
  choices: "What it may be",
  book_this: "Book this …",
  leave_out: "Leave it out",
  leave_out_text:
    "For what is not a payment of a customer, such as bank fees, rent, salaries or tax. Nothing is booked here: book it where you keep the rest of your books.",
  why: "Why",
  why_missing: "Say why the line is left out.",
  leave_out_now: "Leave the line out",
  restore: "Make it open again",
  payment: (number: string) => `payment ${number}`,
  refund: (number: string) => `refund ${number}`,
  to_lines: "Back to the lines",
};

const daLines: typeof enLines = {
  title: "Bank",
  lead: "Hvad der er kommet ind og gået ud, og hvilken faktura det hører til.",
  tabs: { open: "Åbne", booked: "Bogført", ignored: "Udeladt", statements: "Kontoudtog" },
  none: {
    open: "Ingen linjer venter på at blive bogført. Tilføj en fil fra banken ovenfor.",
    booked: "Ingen linjer er bogført endnu.",
    ignored: "Ingen linjer er udeladt.",
  },
  none_found: "Ingen linjer passer.",
  search: "Tekst, navn eller konto",
  day: "Dato",
  line: "Linje",
  account: "Bankkonto",
  amount: "Beløb",
  becomes: "Det bliver den til",
  became: "Det blev den til",
  reason: "Derfor er den udeladt",
  keys: "J og K flytter, mellemrum vælger, Enter åbner en linje, B bogfører det valgte.",
  pick: (line) => `Vælg ${line}`,
  choose: "Vælg …",
  others: (count) => (count === 1 ? "1 anden mulighed" : `${count} andre muligheder`),
  no_suggestion: "Intet passer.",
  open_line: "Åbn linjen for at vælge.",
  money_out: "Penge ud, og ingen tilbagebetaling, I skylder.",
  confidences: { exact: "Sikker", likely: "Sandsynlig", possible: "Mulig" },
  reasons: {
    reference: "betalingsreferencen",
    number: "nummeret",
    counterparty: "tidligere betalinger fra kontoen",
    amount: "beløbet",
    name: "navnet",
  },
  because: (reasons) => `Ud fra ${reasons}.`,
  and: "og",
  invoices: (numbers) =>
    `${numbers.length === 1 ? "faktura" : "fakturaerne"} ${numbers.join(", ")}`,
  openings: (numbers) =>
    `${numbers.length === 1 ? "åbningspost" : "åbningsposterne"} ${numbers.join(", ")}`,
  reminders: (numbers) => `${numbers.length === 1 ? "rykker" : "rykkerne"} ${numbers.join(", ")}`,
  notes: (numbers) =>
    `${numbers.length === 1 ? "kreditnota" : "kreditnotaerne"} ${numbers.join(", ")}`,
  out: {
    credit_note: (number) => `kreditnota ${number} betales tilbage`,
    payment: (number) => `tilgodehavendet fra betaling ${number} betales tilbage`,
    opening: (number) => `åbningspost ${number} betales tilbage`,
    returned: (number) => `betaling ${number} kom retur`,
  },
  less: (what, notes) => `${what} med fradrag af ${notes}`,
  still_owed: (amount) => `Der mangler fortsat ${amount}.`,
  charged: (amount) => `Banken tager ${amount} i gebyr.`,
  kept_as_credit: (amount) => `${amount} bliver stående som kundens tilgodehavende.`,
  foreign: (amount) => `Betaleren sendte ${amount}.`,
  book_selected: "Bogfør de valgte linjer",
  book_one: "Bogfør 1 betaling, {sum}",
  book_many: "Bogfør {n} betalinger, {sum}",
  book_title: (count) => (count === 1 ? "Bogfør denne linje?" : `Bogfør disse ${count} linjer?`),
  would_be: "Linjer med det, de bliver til",
  entry: "Postering",
  entries: (count) => (count === 1 ? "Posteringen" : `De ${count} posteringer`),
  not_booked: "Linjer, der ikke kan bogføres sådan, udelades. De bliver ved med at være åbne.",
  not_yet: "Ikke nu",
  gone: "Det, der er åbent, har ændret sig: dette foreslås ikke længere. Vælg igen.",
  changed: "Posteringerne ville nu være andre end dem, du så. Se på dem igen.",
  line_title: (amount) => `${amount}: hvad er det?`,
  line_of: (amount) => `Banklinje på ${amount}`,
  text: "Tekst",
  payer: "Betaler eller modtager",
  payer_account: "Deres konto",
  reference: "Betalingsreference",
  value_date: "Rentedato",
  instructed: "Oprindeligt beløb",
  state: "Status",
  states: { open: "Åben", booked: "Bogført", ignored: "Udeladt" },
  choices: "Hvad den kan være",
  book_this: "Bogfør dette …",
  leave_out: "Udelad den",
  leave_out_text:
    "Til det, der ikke er en kundes betaling, for eksempel bankgebyrer, husleje, løn eller skat. Her bogføres intet: bogfør det dér, hvor I fører resten af bogholderiet.",
  why: "Hvorfor",
  why_missing: "Skriv, hvorfor linjen udelades.",
  leave_out_now: "Udelad linjen",
  restore: "Gør den åben igen",
  payment: (number) => `betaling ${number}`,
  refund: (number) => `tilbagebetaling ${number}`,
  to_lines: "Tilbage til linjerne",
};

const LANGUAGES: Readonly<Record<Language, typeof enLines>> = { en: enLines, da: daLines };

/** Returns the texts of bank lines in a language. */
export function lineWords(language: Language): typeof enLines {
  return LANGUAGES[language];
}

/** Returns the texts in the language of the reader. */
export function useLineWords(): typeof enLines {
  return lineWords(useReader().language);
}

/** Returns the text of the button that books lines: their number and sum. */
export function bookText(language: Language, count: number, sum: string): string {
  const { book_one, book_many } = lineWords(language);
  return (count === 1 ? book_one : book_many).replace("{n}", `${count}`).replace("{sum}", sum);
}
