/** The texts of the lists of documents, about issuing several drafts, and about crediting, in both languages. */

export const enInvoices = {
  tabs: { drafts: "Drafts", issued: "Issued", "credit-notes": "Credit notes" },
  search: "Number, title or customer",
  from: "From",
  to: "To",
  filter: "Filter",
  all: "Show all",
  no_customer: (text: string) => `“${text}” does not name one customer. Choose one.`,
  only_of: "Only those of",
  of_all_people: "Show those of all customers",
  none_found: "Nothing matches your search.",
  none: {
    drafts: "No drafts. Drafts are listed here until they are issued.",
    issued: "No invoice has been issued yet.",
    "credit-notes": "Nothing has been credited yet.",
  },
  number: "Number",
  customer: "Customer",
  title: "Title",
  untitled: "Without a title",
  date: "Date",
  currency: "Currency",
  person: "Person",
  hours: "Hours",
  waits_since: "Waits since",
  of_retainer: (period: string) => `Retainer, ${period}`,
  net: "Net",
  gross: "With VAT",
  delivery: "Delivery",
  credited: "Credited",
  earned: "Earned so far",
  too_many_lines: "There are too many lines to add up here. Each invoice shows its months.",
  by_amount: "Amounts are sorted within each currency.",
  credits: "Credits",
  its_invoice: "Its invoice",
  queued: "Waits",
};

export const daInvoices: typeof enInvoices = {
  tabs: { drafts: "Kladder", issued: "Udstedte", "credit-notes": "Kreditnotaer" },
  search: "Nummer, titel eller kunde",
  from: "Fra",
  to: "Til",
  filter: "Filtrér",
  all: "Vis alle",
  no_customer: (text) => `“${text}” er ikke navnet på én kunde. Vælg en.`,
  only_of: "Kun dem til",
  of_all_people: "Vis dem til alle kunder",
  none_found: "Intet matcher søgningen.",
  none: {
    drafts: "Ingen kladder. Kladder vises her, indtil de udstedes.",
    issued: "Der er ikke udstedt nogen fakturaer endnu.",
    "credit-notes": "Der er ikke krediteret noget endnu.",
  },
  number: "Nummer",
  customer: "Kunde",
  title: "Titel",
  untitled: "Uden titel",
  date: "Dato",
  currency: "Valuta",
  person: "Medarbejder",
  hours: "Timer",
  waits_since: "Venter siden",
  of_retainer: (period) => `Fast aftale, ${period}`,
  net: "Netto",
  gross: "Med moms",
  delivery: "Afsendelse",
  credited: "Krediteret",
  earned: "Optjent hidtil",
  too_many_lines:
    "Der er for mange linjer til at lægge sammen her. Hver faktura viser sine måneder.",
  by_amount: "Beløb er sorteret inden for hver valuta.",
  credits: "Krediterer",
  its_invoice: "Fakturaen",
  queued: "Venter",
};

export const enIssueMany = {
  pick: (title: string) => `Select ${title}`,
  issue_picked: "Issue selected…",
  title: (count: number) => (count === 1 ? "Issue one draft?" : `Issue ${count} drafts?`),
  drafts: "Selected drafts",
  left_out: "Drafts that cannot be issued are not changed.",
  issue: (count: number, sum: string) =>
    count === 1 ? `Issue it: ${sum}` : `Issue ${count}: ${sum}`,
  outcomes: "Results",
  no_time: "Not started: the time limit was reached",
  still_draft: "Still a draft",
  again: "Check the remaining drafts again",
  done: (issued: number, count: number) => `${issued} of ${count} issued`,
};

export const daIssueMany: typeof enIssueMany = {
  pick: (title) => `Vælg ${title}`,
  issue_picked: "Udsted valgte …",
  title: (count) => (count === 1 ? "Udsted en kladde?" : `Udsted ${count} kladder?`),
  drafts: "De valgte kladder",
  left_out: "Kladder, der ikke kan udstedes, ændres ikke.",
  issue: (count, sum) => (count === 1 ? `Udsted den: ${sum}` : `Udsted ${count}: ${sum}`),
  outcomes: "Resultat",
  no_time: "Ikke påbegyndt: tidsgrænsen er nået",
  still_draft: "Stadig en kladde",
  again: "Kontrollér de resterende igen",
  done: (issued, count) => `${issued} af ${count} udstedt`,
};

export const enSendMany = {
  send_picked: "Send again…",
  title: (count: number) =>
    count === 1 ? "Send one document again?" : `Send ${count} documents again?`,
  documents: "Selected documents",
  to: "To",
  left_out: "Documents that cannot be sent are left out.",
  send: (count: number) => (count === 1 ? "Send it" : `Send ${count}`),
  again: "Check the remaining documents again",
  done: (sent: number, count: number) => `${sent} of ${count} sent`,
};

export const daSendMany: typeof enSendMany = {
  send_picked: "Send igen …",
  title: (count) => (count === 1 ? "Send et dokument igen?" : `Send ${count} dokumenter igen?`),
  documents: "De valgte dokumenter",
  to: "Til",
  left_out: "Dokumenter, der ikke kan sendes, udelades.",
  send: (count) => (count === 1 ? "Send det" : `Send ${count}`),
  again: "Kontrollér de resterende igen",
  done: (sent, count) => `${sent} af ${count} sendt`,
};

export const enCredit = {
  title: (number: string, customer: string) => `Credit invoice ${number} for ${customer}?`,
  action: "Credit…",
  what: "What is credited",
  everything: "The whole invoice",
  all_of_it: "All of it",
  rest: (rest: string, amount: string) => ` ${rest} of ${amount} left`,
  amount_of: (text: string) => `Amount, ${text}`,
  date: "Credit date",
  reason: "Reason",
  reason_help: "Optional. Printed on the credit note, under its lines.",
  none_yet: "The effect is shown here when you enter an amount.",
  credit: "Credit",
  show: "Show the effect",
  credit_amount: (amount: string, sends: boolean) =>
    sends ? `Credit and send ${amount}` : `Credit ${amount}`,
  sends_nothing: "Nothing: the customer cannot be reached.",
  earns: "Earns",
  earns_same: "Revenue earned so far does not change.",
  earns_unseen: "Only admins see the effect on revenue.",
  earned_in: (month: string, change: string, before: string, after: string) =>
    `${month}: ${change} (was ${before}, then ${after})`,
  too_much: (rest: number) => `That is more than the remaining amount of the line: ${rest}.`,
  lost: "There was no answer. Try again: it is never credited twice.",
};

export const daCredit: typeof enCredit = {
  title: (number, customer) => `Krediter faktura ${number} til ${customer}?`,
  action: "Krediter …",
  what: "Hvad der krediteres",
  everything: "Hele fakturaen",
  all_of_it: "Det hele",
  rest: (rest, amount) => ` ${rest} af ${amount} tilbage`,
  amount_of: (text) => `Beløb, ${text}`,
  date: "Kreditdato",
  reason: "Begrundelse",
  reason_help: "Valgfri. Trykkes på kreditnotaen under linjerne.",
  none_yet: "Virkningen vises her, når du angiver et beløb.",
  credit: "Krediter",
  show: "Vis virkningen",
  credit_amount: (amount, sends) => (sends ? `Krediter og send ${amount}` : `Krediter ${amount}`),
  sends_nothing: "Intet: kunden kan ikke nås.",
  earns: "Optjener",
  earns_same: "Den hidtil optjente omsætning ændres ikke.",
  earns_unseen: "Kun administratorer ser virkningen på omsætningen.",
  earned_in: (month, change, before, after) =>
    `${month}: ${change} (var ${before}, bliver ${after})`,
  too_much: (rest) => `Det er mere end linjens restbeløb: ${String(rest).replace(".", ",")}.`,
  lost: "Der kom intet svar. Prøv igen: det krediteres aldrig to gange.",
};

export const enIssuedRecord = {
  entry: (number: string) => `Entry ${number}`,
  elsewhere: (system: string, number: string) => `Number ${number} in ${system}`,
  hours: "Hours frozen in it",
  not_billable: "Not billable",
  more: (count: number) => `${count} more`,
  first: (count: number) => `The first ${count} are shown.`,
  latest: (count: number) => `The latest ${count} are shown.`,
  changes: "Changes",
};

export const daIssuedRecord: typeof enIssuedRecord = {
  entry: (number) => `Postering ${number}`,
  elsewhere: (system, number) => `Nummer ${number} i ${system}`,
  hours: "Timer, der er låst i den",
  not_billable: "Faktureres ikke",
  more: (count) => `${count} mere`,
  first: (count) => `De første ${count} vises.`,
  latest: (count) => `De seneste ${count} vises.`,
  changes: "Ændringer",
};

export const enMilestones = {
  open: "Milestones to complete",
  waits: (amount: string) => `${amount} is not earned yet`,
  complete: "Say it is done…",
  title: "Is the milestone done?",
  line: "Line",
  earns: "Earns",
  earns_text: (amount: string) => `${amount} in the month of the day, if the month is open.`,
  day: "Completed on",
  complete_now: "Say it is done",
};

export const daMilestones: typeof enMilestones = {
  open: "Milepæle, der ikke er nået",
  waits: (amount) => `${amount} er ikke optjent endnu`,
  complete: "Meld færdig …",
  title: "Er milepælen nået?",
  line: "Linje",
  earns: "Optjener",
  earns_text: (amount) => `${amount} i dagens måned, hvis måneden er åben.`,
  day: "Nået den",
  complete_now: "Meld færdig",
};

export const enSendAgain = {
  open: "Send again…",
  address: "To",
  hint: "If empty: the customer's usual address.",
  send: "Send it",
};

export const daSendAgain: typeof enSendAgain = {
  open: "Send igen …",
  address: "Til",
  hint: "Tom: kundens sædvanlige adresse.",
  send: "Send den",
};
