/** The texts of the tabs beside a draft: the document, the e-mail and the entry that issuing would make. In both languages. */

export const enBeside = {
  label: "What the customer gets, and what is booked",
  tabs: { paper: "Paper", mail: "E-mail", books: "Books" },
  asking: "One moment…",
  lost: "There was no answer.",
  again: "Ask again",
  refused: "It cannot be issued as it is:",
  waits: "This shows what is saved.",
  from: "From",
  to: "To",
  reply_to: "Replies to",
  subject: "Subject",
  attached: "Attached",
  unassigned: "Nobody",
  not_sent: "It is not sent when it is issued. This is what you can send later.",
  unsent: {
    no_address: "It cannot be sent: the customer has no e-mail address.",
    einvoice_not_configured:
      "It cannot be sent: the customer wants e-invoices, and none are set up.",
  },
  entry: (number: string, day: string) => `Invoice ${number}, dated ${day}`,
  unless: "The number, if nothing is issued before it.",
  elsewhere: "The ledger is elsewhere: it makes the entry itself when the invoice is issued.",
  worthless:
    "The invoice is worth nothing in the currency of the books: only its number is booked.",
  account: "Account",
  debit: "Debit",
  credit: "Credit",
  sum: "Sum",
  vat: (code: string) => `VAT ${code}`,
};

export const daBeside: typeof enBeside = {
  label: "Hvad kunden får, og hvad der bogføres",
  tabs: { paper: "Papir", mail: "E-mail", books: "Bogføring" },
  asking: "Et øjeblik …",
  lost: "Der kom intet svar.",
  again: "Spørg igen",
  refused: "Den kan ikke udstedes, som den er:",
  waits: "Her vises det, der er gemt.",
  from: "Fra",
  to: "Til",
  reply_to: "Svar til",
  subject: "Emne",
  attached: "Vedhæftet",
  unassigned: "Ingen",
  not_sent: "Den sendes ikke, når den udstedes. Det er det, du kan sende senere.",
  unsent: {
    no_address: "Den kan ikke sendes: kunden har ingen e-mailadresse.",
    einvoice_not_configured:
      "Den kan ikke sendes: kunden vil have e-faktura, og det er ikke sat op.",
  },
  entry: (number, day) => `Faktura ${number} med datoen ${day}`,
  unless: "Nummeret, hvis intet udstedes før den.",
  elsewhere:
    "Bogholderiet føres et andet sted: det laver selv posteringerne, når fakturaen udstedes.",
  worthless: "Fakturaen er intet værd i bogføringens valuta: kun dens nummer bogføres.",
  account: "Konto",
  debit: "Debet",
  credit: "Kredit",
  sum: "I alt",
  vat: (code) => `Moms ${code}`,
};
