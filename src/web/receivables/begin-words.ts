/** The texts of the page that begins receivables, in both languages. */

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

export const enBegin = {
  title: "Begin receivables",
  lead: "Say which of the documents so far are still open. The others were paid outside of Matchbook: one entry moves them from receivables.",
  begun: (day: string) => `Receivables began on ${day}. That happens once.`,
  changed: "Something has changed since you saw this. Check it, then confirm it.",
  date: "Last day of the old bookkeeping",
  date_hint: "The entry has this date. Payments after it are recorded here.",
  account: "Counter account",
  which: "Which documents are still open?",
  some: "Those that are ticked below",
  all: "All of them: nothing was paid",
  from: "List documents due from",
  from_hint: "Documents that were due earlier were paid, unless you name them.",
  older: "Numbers of other documents that are open",
  older_hint:
    "For example: 1001, 1017. What was half paid is brought in as an open invoice afterwards.",
  show: "Show what is booked",
  documents: "Documents",
  document: "Document",
  ticked: (count: number, all: number) => `${count} of ${all} open`,
  more: (most: number) =>
    `The ${most} that are due last are listed. All others were paid, unless you name them below.`,
  none: "No document is due from that day.",
  open: "Open",
  is_open: (document: string, customer: string) => `${document} of ${customer} is open`,
  document_of: {
    invoice: (number: string) => `Invoice ${number}`,
    credit_note: (number: string) => `Credit note ${number}`,
  },
  due: "Due",
  amount: "Left of it",
  effect: "What happens",
  settles: "Settles",
  settles_nothing: "Nothing: all documents stay open.",
  settles_text: (count: number, amount: string) =>
    `${counted(count, "document", "documents")}, ${amount} in the books. They are called paid, on a day that is not known.`,
  afterwards: "Then",
  afterwards_text: (day: string) =>
    `From ${day} on, invoices are called paid or overdue, and payments are recorded here. This happens once.`,
  entry: (day: string) => `The entry of ${day}`,
  entry_label: "The entry",
  number: "Number",
  other_customers: (count: number) => counted(count, "more customer", "more customers"),
  begin_now: "Begin receivables",
  settle_now: (count: number, amount: string) =>
    `Begin, and settle ${counted(count, "document", "documents")}, ${amount}`,
};

export const daBegin: typeof enBegin = {
  title: "Begynd tilgodehavender",
  lead: "Sig, hvilke af dokumenterne indtil nu der stadig er åbne. De andre er betalt uden om Matchbook: én postering flytter dem fra tilgodehavender.",
  begun: (day) => `Tilgodehavender begyndte ${day}. Det sker kun én gang.`,
  changed: "Noget er ændret, siden du så det. Kontrollér det, og bekræft så.",
  date: "Sidste dag i det gamle bogholderi",
  date_hint: "Posteringen får denne dato. Senere betalinger registreres her.",
  account: "Modkonto",
  which: "Hvilke dokumenter er stadig åbne?",
  some: "Dem, der er afkrydset nedenfor",
  all: "Dem alle: intet er betalt",
  from: "Vis dokumenter, der forfalder fra",
  from_hint: "Det, der forfaldt tidligere, er betalt, medmindre du nævner det.",
  older: "Numre på andre dokumenter, der er åbne",
  older_hint:
    "For eksempel: 1001, 1017. Det halvt betalte hentes bagefter ind som en åben faktura.",
  show: "Vis, hvad der bogføres",
  documents: "Dokumenter",
  document: "Dokument",
  ticked: (count, all) => `${count} af ${all} åbne`,
  more: (most) =>
    `De ${most}, der forfalder sidst, er vist. Alle andre er betalt, medmindre du nævner dem nedenfor.`,
  none: "Intet dokument forfalder fra den dag.",
  open: "Åben",
  is_open: (document, customer) => `${document} til ${customer} er åben`,
  document_of: {
    invoice: (number) => `Faktura ${number}`,
    credit_note: (number) => `Kreditnota ${number}`,
  },
  due: "Forfalder",
  amount: "Rest",
  effect: "Det sker",
  settles: "Udligner",
  settles_nothing: "Intet: alle dokumenter forbliver åbne.",
  settles_text: (count, amount) =>
    `${counted(count, "dokument", "dokumenter")}, ${amount} i bøgerne. De kaldes betalt, på en dag, der ikke kendes.`,
  afterwards: "Derefter",
  afterwards_text: (day) =>
    `Fra ${day} kaldes fakturaer betalt eller forfaldne, og betalinger registreres her. Det sker kun én gang.`,
  entry: (day) => `Posteringen ${day}`,
  entry_label: "Posteringen",
  number: "Nummer",
  other_customers: (count) => counted(count, "kunde mere", "kunder mere"),
  begin_now: "Begynd tilgodehavender",
  settle_now: (count, amount) =>
    `Begynd, og udlign ${counted(count, "dokument", "dokumenter")}, ${amount}`,
};
