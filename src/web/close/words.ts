/** The texts of the month close, in both languages. Months, days and amounts arrive as the reader's language writes them. */
import type { MonthState } from "../../domain/revenue/month-state.ts";
import type { EntryShown, WarningCode } from "./ahead-shown.ts";

type States = Readonly<Record<MonthState, string>>;
type Roles = Readonly<Record<EntryShown["role"], string>>;
type Sentences = Readonly<Record<WarningCode, (count: number) => string>>;

const STATES_IN_ENGLISH: States = {
  closed: "closed",
  locked: "locked",
  closing: "closing",
  partial: "not complete",
  reopened: "reopened",
  ready: "ready",
  open: "open",
  current: "current",
  future: "ahead",
};

const STATES_IN_DANISH: States = {
  closed: "lukket",
  locked: "låst",
  closing: "lukkes",
  partial: "ikke færdig",
  reopened: "genåbnet",
  ready: "klar",
  open: "åben",
  current: "løbende",
  future: "fremtid",
};

const ROLES_IN_ENGLISH: Roles = {
  contract_asset: "Contract asset",
  contract_liability: "Contract liability",
  revenue: "Revenue",
  exchange_difference: "Exchange difference",
};

const ROLES_IN_DANISH: Roles = {
  contract_asset: "Igangværende arbejder",
  contract_liability: "Forudfaktureret",
  revenue: "Omsætning",
  exchange_difference: "Kursdifference",
};

const WARNINGS_IN_ENGLISH: Sentences = {
  UNISSUED_OVERDUE: (count) =>
    count === 1
      ? "One retainer period was due and is not issued"
      : `${count} retainer periods were due and are not issued`,
  FAILED_OCCURRENCES: (count) =>
    count === 1
      ? "One retainer period could not be issued"
      : `${count} retainer periods could not be issued`,
  QUEUED_CREDIT_NOTES: (count) =>
    count === 1 ? "One credit note is not issued yet" : `${count} credit notes are not issued yet`,
  DRAFT_SERIES_STARTED: (count) =>
    count === 1
      ? "One retainer has started and is still a draft"
      : `${count} retainers have started and are still drafts`,
  UNASSIGNED_REVENUE: (count) =>
    count === 1
      ? "One line earns revenue that is assigned to no person"
      : `${count} lines earn revenue that is assigned to no person`,
  BANK_LINES_OPEN: (count) =>
    count === 1
      ? "One line of the bank is neither booked nor left out"
      : `${count} lines of the bank are neither booked nor left out`,
};

const WARNINGS_IN_DANISH: Sentences = {
  UNISSUED_OVERDUE: (count) =>
    count === 1
      ? "Én periode af en fast aftale skulle være faktureret"
      : `${count} perioder af faste aftaler skulle være faktureret`,
  FAILED_OCCURRENCES: (count) =>
    count === 1
      ? "Én periode af en fast aftale kunne ikke faktureres"
      : `${count} perioder af faste aftaler kunne ikke faktureres`,
  QUEUED_CREDIT_NOTES: (count) =>
    count === 1
      ? "Én kreditnota er ikke udstedt endnu"
      : `${count} kreditnotaer er ikke udstedt endnu`,
  DRAFT_SERIES_STARTED: (count) =>
    count === 1
      ? "Én fast aftale er begyndt og er stadig en kladde"
      : `${count} faste aftaler er begyndt og er stadig kladder`,
  UNASSIGNED_REVENUE: (count) =>
    count === 1
      ? "Én linje optjener omsætning, som ingen person er tildelt"
      : `${count} linjer optjener omsætning, som ingen person er tildelt`,
  BANK_LINES_OPEN: (count) =>
    count === 1
      ? "Én linje fra banken er hverken bogført eller udeladt"
      : `${count} linjer fra banken er hverken bogført eller udeladt`,
};

export const enClose = {
  nav: "Month close",
  months: "Months",
  states: STATES_IN_ENGLISH,
  lead: {
    closed: "The month is closed: its revenue is booked.",
    locked: "The month is before the lock date: nothing can be booked in it.",
    closing: "The vouchers of the month are being booked. You can leave this page.",
    partial: "Some customers could not be booked, so the month is not locked.",
    reopened: "The month was reopened. Its booked vouchers remain.",
    ready:
      "The vouchers move what was invoiced to what was earned. Nothing is booked until you close the month.",
    open: "The month has ended and is not closed. Earlier months are closed first.",
    current: "The month has not ended. This is what would be booked today.",
    future: "The month has not begun.",
  } satisfies States,
  nothing: "There is no month to close yet",
  nothing_text: "A month can be closed when it has ended and has revenue. Begin with an invoice.",
  close: (month: string) => `Close ${month}`,
  close_with: (month: string, warnings: number) =>
    warnings === 0
      ? `Close ${month}…`
      : `Close ${month} with ${warnings === 1 ? "1 warning" : `${warnings} warnings`}…`,
  vouchers: "What will be booked",
  dated: (count: number, day: string) =>
    `${count === 1 ? "1 voucher" : `${count} vouchers`}, dated ${day}`,
  in_currency: (sign: string) => `Amounts in ${sign}`,
  no_vouchers: "There is nothing to book in this month.",
  more_vouchers: (count: number) => `and ${count} more vouchers, which are part of the sum`,
  account: "Account",
  debit: "Debit",
  credit: "Credit",
  sum: "Sum of all vouchers",
  no_account: "no account",
  roles: ROLES_IN_ENGLISH,
  why: "Why?",
  more_lines: (count: number) => (count === 1 ? "and 1 more line" : `and ${count} more lines`),
  why_amount: (line: string, amount: string) => `Why ${amount}? ${line}`,
  removed: "A line that was removed",
  since: (month: string) => `with changes since ${month}`,
  through: (part: string, whole: string, unit: string) => `${part} of ${whole} ${unit}`,
  units: { months: "months", days: "days", hours: "hours" },
  skipped: (count: number) =>
    count === 1 ? "One customer has nothing to book." : `${count} customers have nothing to book.`,
  remaining: (count: number) => `${count} customers could not be checked in time.`,
  adding_up: "The vouchers are being added up…",
  add_up: "Add up the vouchers now",
  lost: "The vouchers could not be read: no connection.",
  again: "Try again",
  before: "Before you close",
  to_check: (count: number) => `${count} to check`,
  all_good: "All checked",
  item_states: { bad: "Prevents", warn: "Check", ok: "In order" },
  warnings: WARNINGS_IN_ENGLISH,
  cures: {
    retainers: "See the retainers",
    drafts: "See the drafts",
    hours: "See the hours",
    roles: "Choose the accounts",
    locks: "See the locks",
    queue: "See the queue",
    credit_notes: "Credit notes",
    bank: "See the bank",
    lines: "See the lines",
    earlier: (month: string) => `Go to ${month}`,
    customer: "Open customer",
  },
  retainers: (count: number) =>
    count === 0
      ? "No retainer waits for its invoice"
      : `No retainer waits; ${count === 1 ? "1 invoice" : `${count} invoices`} this month`,
  credit_notes: "No credit note waits",
  doubt: (count: number) =>
    count === 0
      ? "No booking is uncertain"
      : count === 1
        ? "One booking is uncertain"
        : `${count} bookings are uncertain`,
  hours: (hours: string, people: number) =>
    people === 0
      ? "No hours were registered this month"
      : `${hours} hours of ${people === 1 ? "1 person" : `${people} people`}`,
  rate: (currency: string, rate: string, day: string) => `${currency}: ${rate} of ${day}`,
  rate_old: (currency: string, month: string, rate: string, day: string) =>
    `${currency} has no rate in ${month}: ${rate} of ${day} applies`,
  rate_missing: (currency: string) => `${currency} has no rate`,
  who: "Who earned it",
  choose_people: "Choose people",
  stays: "Issued: cannot change",
  set_rate: "Set rate",
  rate_of: (currency: string, functional: string, day: string) =>
    `${functional} for 1 ${currency} on ${day}`,
  not_a_rate: "Enter a rate above 0, such as 7.4609.",
  refused: (count: number) =>
    count === 1 ? "One customer cannot be booked" : `${count} customers cannot be booked`,
  unassigned: "Revenue that is assigned to no person",
  unassigned_text: "It is booked, but it counts for no person.",
  line: "Line",
  customer: "Customer",
  amount: "Amount",
  becomes: (month: string) => `What ${month} becomes`,
  earned: "Earned",
  invoiced: "Invoiced",
  asset: "Contract asset",
  liability: "Contract liability",
  no_rate: "A rate is missing, so the month cannot be added up.",
  change: (amount: string) => `${amount} this month`,
  after_close: "And then",
  after_text: (day: string) =>
    `The books are locked through ${day}. Later changes go into the next open month, which names the month that they belong to. You can reopen the month until the next one is closed.`,
  progress: (done: number, total: number) => `Booked ${done} of ${total} customers`,
  progress_text: "The close continues when you leave this page.",
  refresh: "Refresh",
  failures: "Customers that were not booked",
  try_again: "Try again",
  booked: "Booked vouchers",
  voucher: "Voucher",
  unnumbered: "no number",
  closed_at: (at: string) => `Closed ${at}`,
  counts: (with_voucher: number, without: number) =>
    `${with_voucher === 1 ? "1 voucher" : `${with_voucher} vouchers`}, ${without === 1 ? "1 customer" : `${without} customers`} without a voucher`,
  warned: "Closed with these warnings",
  confirm: (month: string) => `Close ${month}?`,
  not_yet: "Not yet",
  changed:
    "The figures have changed since you saw them, and nothing was booked. These are the current ones.",
  reopen: "Reopen…",
  reason: "Reason",
};

export const daClose: typeof enClose = {
  nav: "Månedslukning",
  months: "Måneder",
  states: STATES_IN_DANISH,
  lead: {
    closed: "Måneden er lukket: dens omsætning er bogført.",
    locked: "Måneden ligger før låsedatoen: der kan ikke bogføres i den.",
    closing: "Månedens bilag bliver bogført. Du kan forlade siden.",
    partial: "Nogle kunder kunne ikke bogføres, så måneden er ikke låst.",
    reopened: "Måneden er genåbnet. De bogførte bilag bliver stående.",
    ready:
      "Bilagene flytter det fakturerede til det optjente. Intet bogføres, før du lukker måneden.",
    open: "Måneden er slut og ikke lukket. Tidligere måneder lukkes først.",
    current: "Måneden er ikke slut. Dette ville blive bogført i dag.",
    future: "Måneden er ikke begyndt.",
  },
  nothing: "Der er ingen måned at lukke endnu",
  nothing_text: "En måned kan lukkes, når den er slut og har omsætning. Begynd med en faktura.",
  close: (month) => `Luk ${month}`,
  close_with: (month, warnings) =>
    warnings === 0
      ? `Luk ${month} …`
      : `Luk ${month} med ${warnings === 1 ? "1 advarsel" : `${warnings} advarsler`} …`,
  vouchers: "Det bliver bogført",
  dated: (count, day) => `${count} bilag, dateret ${day}`,
  in_currency: (sign) => `Beløb i ${sign}`,
  no_vouchers: "Der er intet at bogføre i denne måned.",
  more_vouchers: (count) => `og ${count} bilag til, som er med i summen`,
  account: "Konto",
  debit: "Debet",
  credit: "Kredit",
  sum: "Sum af alle bilag",
  no_account: "ingen konto",
  roles: ROLES_IN_DANISH,
  why: "Hvorfor?",
  more_lines: (count) => (count === 1 ? "og 1 linje til" : `og ${count} linjer til`),
  why_amount: (line, amount) => `Hvorfor ${amount}? ${line}`,
  removed: "En linje, der er fjernet",
  since: (month) => `med ændringer siden ${month}`,
  through: (part, whole, unit) => `${part} af ${whole} ${unit}`,
  units: { months: "måneder", days: "dage", hours: "timer" },
  skipped: (count) =>
    count === 1 ? "Én kunde har intet at bogføre." : `${count} kunder har intet at bogføre.`,
  remaining: (count) => `${count} kunder kunne ikke nås.`,
  adding_up: "Bilagene lægges sammen …",
  add_up: "Læg bilagene sammen nu",
  lost: "Bilagene kunne ikke hentes: ingen forbindelse.",
  again: "Prøv igen",
  before: "Før du lukker",
  to_check: (count) => `${count} at tjekke`,
  all_good: "Alt er tjekket",
  item_states: { bad: "Forhindrer", warn: "Tjek", ok: "I orden" },
  warnings: WARNINGS_IN_DANISH,
  cures: {
    retainers: "Se aftalerne",
    drafts: "Se kladderne",
    hours: "Se timerne",
    roles: "Vælg kontiene",
    locks: "Se låsene",
    queue: "Se køen",
    credit_notes: "Kreditnotaer",
    bank: "Se banken",
    lines: "Se linjerne",
    earlier: (month) => `Gå til ${month}`,
    customer: "Åbn kunden",
  },
  retainers: (count) =>
    count === 0
      ? "Ingen fast aftale mangler sin faktura"
      : `Ingen fast aftale mangler sin faktura; ${count === 1 ? "1 faktura" : `${count} fakturaer`} i måneden`,
  credit_notes: "Ingen kreditnota venter",
  doubt: (count) =>
    count === 0
      ? "Ingen bogføring er uafklaret"
      : count === 1
        ? "Én bogføring er uafklaret"
        : `${count} bogføringer er uafklarede`,
  hours: (hours, people) =>
    people === 0
      ? "Der er ikke registreret timer i måneden"
      : `${hours} timer fra ${people === 1 ? "1 person" : `${people} personer`}`,
  rate: (currency, rate, day) => `${currency}: ${rate} den ${day}`,
  rate_old: (currency, month, rate, day) =>
    `${currency} har ingen kurs i ${month}: ${rate} den ${day} gælder`,
  rate_missing: (currency) => `${currency} har ingen kurs`,
  who: "Optjent af",
  choose_people: "Vælg personer",
  stays: "Udstedt: kan ikke ændres",
  set_rate: "Angiv kurs",
  rate_of: (currency, functional, day) => `${functional} for 1 ${currency} den ${day}`,
  not_a_rate: "Angiv en kurs over 0, f.eks. 7,4609.",
  refused: (count) =>
    count === 1 ? "Én kunde kan ikke bogføres" : `${count} kunder kan ikke bogføres`,
  unassigned: "Omsætning, som ingen person er tildelt",
  unassigned_text: "Den bogføres alligevel, men tæller ikke med for nogen person.",
  line: "Linje",
  customer: "Kunde",
  amount: "Beløb",
  becomes: (month) => `Sådan bliver ${month}`,
  earned: "Optjent",
  invoiced: "Faktureret",
  asset: "Igangværende arbejder",
  liability: "Forudfaktureret",
  no_rate: "Der mangler en kurs, så måneden kan ikke lægges sammen.",
  change: (amount) => `${amount} i måneden`,
  after_close: "Og derefter",
  after_text: (day) =>
    `Bøgerne låses til og med ${day}. Senere ændringer bogføres i den næste åbne måned, som nævner den måned, de hører til. Du kan genåbne måneden, indtil den næste er lukket.`,
  progress: (done, total) => `${done} af ${total} kunder er bogført`,
  progress_text: "Lukningen fortsætter, når du forlader siden.",
  refresh: "Opdatér",
  failures: "Kunder, der ikke blev bogført",
  try_again: "Prøv igen",
  booked: "Bogførte bilag",
  voucher: "Bilag",
  unnumbered: "intet nummer",
  closed_at: (at) => `Lukket ${at}`,
  counts: (with_voucher, without) =>
    `${with_voucher} bilag, ${without === 1 ? "1 kunde" : `${without} kunder`} uden bilag`,
  warned: "Lukket med disse advarsler",
  confirm: (month) => `Luk ${month}?`,
  not_yet: "Ikke endnu",
  changed: "Tallene er ændret, siden du så dem, og intet er bogført. Her er de aktuelle.",
  reopen: "Genåbn …",
  reason: "Begrundelse",
};
