/** The texts of the pages of reminders, in both languages. Amounts and days arrive as the reader's language writes them. */

const inEnglish = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;
const inDanish = inEnglish;

/** What letters charge; null for what none of them does. */
interface Charged {
  readonly fees: string | null;
  readonly interest: string | null;
  readonly compensation: string | null;
}

export const enReminders = {
  title: "Reminders",
  lead: (count: number, { fees, interest, compensation }: Charged) => {
    if (count === 0) return "No reminder is due today.";
    const due = `${inEnglish(count, "reminder is", "reminders are")} due today`;
    const added = [
      fees && `${fees} in fees`,
      interest && `${interest} in interest`,
      compensation && `${compensation} in compensation`,
    ].filter(Boolean);
    return added.length === 0
      ? `${due}, without fees and interest.`
      : `${due}, with ${added.join(" and ")}.`;
  },
  settings: "Days and fees",
  letters: "Due today",
  no_letters: "No invoice is late enough for its next reminder.",
  customer: "Customer",
  level: "Reminder",
  nth: (level: number) => `No. ${level}`,
  invoices: "Invoices",
  count: (count: number, days: number) =>
    `${inEnglish(count, "invoice", "invoices")}, ${inEnglish(days, "day", "days")} late`,
  open: "Late",
  fee: "Fee",
  interest: "Interest",
  compensation: "Compensation",
  added: "Fees and interest",
  total: "In all",
  send_one: "Send…",
  send_one_to: (name: string) => `Send to ${name}…`,
  send: (count: number, fees: string | null) => {
    const what = `Send ${inEnglish(count, "reminder", "reminders")}`;
    return fees === null ? what : `${what}, ${fees} in fees`;
  },
  left_out: "Left out",
  why: "Why",
  reasons: {
    REMINDERS_OFF: "The customer gets no reminders.",
    ON_HOLD: "The invoices are on hold.",
    UNMATCHED_PAYMENT: "An open bank line may be this customer's payment.",
    COVERED_BY_CREDIT: "What is held for the customer covers it.",
    BELOW_MINIMUM: "It is less than the minimum amount.",
  },
  cautions: "What is not known",
  bank_old: (day: string) =>
    `The bank is known through ${day} only. What was paid since is not taken into account.`,
  bank_unknown: "No bank statement was brought in. What was paid there is not taken into account.",
  bring_bank: "Bring in a file",
  ledger_old: (ledger: string, day: string) =>
    `${ledger} was last read on ${day}. What was paid since is not taken into account.`,
  ledger_unknown: (ledger: string) =>
    `${ledger} was not read yet. What was paid there is not taken into account.`,
  see_connection: "See the connection",
  rate_missing:
    "The reference rate of a half-year is missing. Interest of these days waits for a later reminder.",
  sent: "Sent",
  none_sent: "No reminder was sent yet.",
  number: "Number",
  item: "Item",
  no_number: "without number",
  date: "Date",
  state: "State",
  issued: "Sent",
  cancelled: "Cancelled",
  to: "To",
  no_address:
    "The customer has no e-mail address: the letter is kept, and mailed when there is one.",
  confirm_title: (count: number) => `Send ${inEnglish(count, "reminder", "reminders")}`,
  first_of: (count: number) =>
    `These are the first ${count} letters; the others follow after them.`,
  mails: "Each letter goes by e-mail, with its PDF.",
  charges: "Fees, interest and compensation are booked today.",
  no_mail: "No mail server is set up: letters are written to files and reach no customer.",
  to_mail: "See the settings of mail",
  see_bank: "See the bank lines",
  nothing_to_send: "There is nothing to send any more.",
  refused_title: "Not sent",
  changed: "Something has changed since the letters were shown. This is how they are now.",
  refused: (name: string, why: string) => `${name}: ${why}`,
  remaining: (count: number) =>
    `${inEnglish(count, "letter", "letters")} had no time. Send the rest now.`,
  one: (number: string) => `Reminder ${number}`,
  one_of: (name: string) => `Reminder to ${name}`,
  due: "Due",
  entry: "Entry",
  reference: "Payment reference",
  cancelled_on: "Cancelled on",
  reason: "Reason",
  items: "What it lists",
  due_date: "Due date",
  days_late: (days: number) => inEnglish(days, "day", "days"),
  days: "Late by",
  pdf: "PDF",
  cancel: "Cancel…",
  cancel_title: (what: string) => `Cancel: ${what}`,
  cancel_text:
    "It counts for nothing any more: its invoices are due for the same reminder again. One entry reverses what it charged. The customer is not informed.",
  cancel_text_free:
    "It counts for nothing any more: its invoices are due for the same reminder again. The customer is not informed.",
  cancel_date: "From",
  cancel_now: "Cancel the reminder",
  hold: "Hold reminders…",
  hold_title: "Hold reminders",
  hold_text: "No reminder lists the invoice through this day. The invoice stays as it is.",
  until: "Through",
  hold_now: "Hold",
  held: (day: string) => `On hold through ${day}`,
  end_hold: "Remind again",
  remind: "Remind…",
  reminded: (level: number, day: string) =>
    level === 0 ? `Listed by a reminder on ${day}` : `Reminder no. ${level} on ${day}`,
  not_reminded: "No reminder was sent.",
};

export const daReminders: typeof enReminders = {
  title: "Rykkere",
  lead: (count, { fees, interest, compensation }) => {
    if (count === 0) return "Ingen rykkere skal sendes i dag.";
    const due = `${inDanish(count, "rykker", "rykkere")} skal sendes i dag`;
    const added = [
      fees && `${fees} i gebyrer`,
      interest && `${interest} i renter`,
      compensation && `${compensation} i kompensation`,
    ].filter(Boolean);
    return added.length === 0
      ? `${due}, uden gebyr og renter.`
      : `${due}, med ${added.join(" og ")}.`;
  },
  settings: "Dage og gebyrer",
  letters: "Skal sendes i dag",
  no_letters: "Ingen faktura er så langt over forfald, at den skal have sin næste rykker.",
  customer: "Kunde",
  level: "Rykker",
  nth: (level) => `Nr. ${level}`,
  invoices: "Fakturaer",
  count: (count, days) =>
    `${inDanish(count, "faktura", "fakturaer")}, ${inDanish(days, "dag", "dage")} over forfald`,
  open: "Forfaldent",
  fee: "Gebyr",
  interest: "Renter",
  compensation: "Kompensation",
  added: "Gebyr og renter",
  total: "I alt",
  send_one: "Send …",
  send_one_to: (name) => `Send til ${name} …`,
  send: (count, fees) => {
    const what = `Send ${inDanish(count, "rykker", "rykkere")}`;
    return fees === null ? what : `${what}, ${fees} i gebyrer`;
  },
  left_out: "Udeladt",
  why: "Hvorfor",
  reasons: {
    REMINDERS_OFF: "Kunden får ingen rykkere.",
    ON_HOLD: "Fakturaerne er sat på hold.",
    UNMATCHED_PAYMENT: "En åben bankpostering kan være kundens betaling.",
    COVERED_BY_CREDIT: "Det, kunden har til gode, dækker beløbet.",
    BELOW_MINIMUM: "Beløbet er under minimum.",
  },
  cautions: "Det, der ikke vides",
  bank_old: (day) =>
    `Banken kendes kun til og med ${day}. Det, der er betalt siden, er ikke taget med.`,
  bank_unknown: "Der er ikke læst noget kontoudtog ind. Det, der er betalt, er ikke taget med.",
  bring_bank: "Læs en fil ind",
  ledger_old: (ledger, day) =>
    `${ledger} er senest læst ${day}. Det, der er betalt siden, er ikke taget med.`,
  ledger_unknown: (ledger) =>
    `${ledger} er ikke læst endnu. Det, der er betalt dér, er ikke taget med.`,
  see_connection: "Se forbindelsen",
  rate_missing:
    "Referencesatsen for et halvår mangler. Renter for de dage venter til en senere rykker.",
  sent: "Sendt",
  none_sent: "Der er ikke sendt nogen rykkere endnu.",
  number: "Nummer",
  item: "Post",
  no_number: "uden nummer",
  date: "Dato",
  state: "Status",
  issued: "Sendt",
  cancelled: "Annulleret",
  to: "Til",
  no_address: "Kunden har ingen e-mailadresse: brevet gemmes og sendes, når der er en.",
  confirm_title: (count) => `Send ${inDanish(count, "rykker", "rykkere")}`,
  first_of: (count) => `Det er de første ${count} breve; resten følger efter dem.`,
  mails: "Hvert brev sendes som e-mail med sin PDF.",
  charges: "Gebyrer, renter og kompensation bogføres i dag.",
  no_mail: "Der er ikke sat en mailserver op: brevene skrives til filer og når ingen kunde.",
  to_mail: "Se indstillingerne for mail",
  see_bank: "Se banklinjerne",
  nothing_to_send: "Der er ikke længere noget at sende.",
  refused_title: "Ikke sendt",
  changed: "Noget er ændret, siden brevene blev vist. Sådan er de nu.",
  refused: (name, why) => `${name}: ${why}`,
  remaining: (count) => `${inDanish(count, "brev", "breve")} blev ikke nået. Send resten nu.`,
  one: (number) => `Rykker ${number}`,
  one_of: (name) => `Rykker til ${name}`,
  due: "Forfalder",
  entry: "Postering",
  reference: "Betalingsreference",
  cancelled_on: "Annulleret den",
  reason: "Begrundelse",
  items: "Det, den omfatter",
  due_date: "Forfaldsdato",
  days_late: (days) => inDanish(days, "dag", "dage"),
  days: "Over forfald",
  pdf: "PDF",
  cancel: "Annuller …",
  cancel_title: (what) => `Annuller: ${what}`,
  cancel_text:
    "Den tæller ikke længere: fakturaerne skal have den samme rykker igen. Én postering tilbagefører det, den lagde til. Kunden får ikke besked.",
  cancel_text_free:
    "Den tæller ikke længere: fakturaerne skal have den samme rykker igen. Kunden får ikke besked.",
  cancel_date: "Fra",
  cancel_now: "Annuller rykkeren",
  hold: "Sæt rykkere på hold …",
  hold_title: "Sæt rykkere på hold",
  hold_text: "Ingen rykker omfatter fakturaen til og med denne dag. Fakturaen er uændret.",
  until: "Til og med",
  hold_now: "Sæt på hold",
  held: (day) => `På hold til og med ${day}`,
  end_hold: "Ryk igen",
  remind: "Ryk …",
  reminded: (level, day) =>
    level === 0 ? `Omfattet af en rykker ${day}` : `Rykker nr. ${level} den ${day}`,
  not_reminded: "Der er ikke sendt nogen rykker.",
};
