/** The texts of the tabs beside a draft: the document, the e-mail and the entry that issuing would make. In both languages. */

export const enBeside = {
  label: "Document and booking",
  tabs: { paper: "Paper", mail: "E-mail", books: "Books" },
  asking: "One moment…",
  lost: "There was no answer.",
  again: "Ask again",
  refused: "It cannot be issued yet:",
  waits: "This shows the saved version.",
  seen: "As the customer will see it",
  from: "From",
  to: "To",
  reply_to: "Replies to",
  subject: "Subject",
  attached: "Attached",
  no_recipient: "No recipient",
  not_sent: "It is not sent when it is issued. You can send it later.",
  unsent: {
    no_address: "It cannot be sent: the customer has no e-mail address.",
    einvoice_not_configured:
      "It cannot be sent: the customer requires e-invoices, and e-invoicing is not set up.",
  },
  entry: (number: string, day: string) => `Invoice ${number}, dated ${day}`,
  unless: "The number, if nothing is issued before it.",
  elsewhere:
    "The books are kept in another system, which makes the entry when the invoice is issued.",
  worthless: "The invoice amounts to 0 in the currency of the books: only its number is booked.",
  account: "Account",
  debit: "Debit",
  credit: "Credit",
  sum: "Sum",
  vat: (code: string) => `VAT ${code}`,
};

export const daBeside: typeof enBeside = {
  label: "Dokument og bogføring",
  tabs: { paper: "Papir", mail: "E-mail", books: "Bogføring" },
  asking: "Et øjeblik …",
  lost: "Der kom intet svar.",
  again: "Spørg igen",
  refused: "Den kan ikke udstedes endnu:",
  waits: "Her vises den gemte version.",
  seen: "Som kunden vil se den",
  from: "Fra",
  to: "Til",
  reply_to: "Svar til",
  subject: "Emne",
  attached: "Vedhæftet",
  no_recipient: "Ingen modtager",
  not_sent: "Den sendes ikke ved udstedelsen. Du kan sende den senere.",
  unsent: {
    no_address: "Den kan ikke sendes: kunden har ingen e-mailadresse.",
    einvoice_not_configured:
      "Den kan ikke sendes: kunden ønsker e-faktura, og e-fakturering er ikke sat op.",
  },
  entry: (number, day) => `Faktura ${number} med datoen ${day}`,
  unless: "Nummeret, hvis intet udstedes før den.",
  elsewhere:
    "Bogholderiet føres i et andet system, som opretter posteringerne, når fakturaen udstedes.",
  worthless: "Fakturaen er 0 i bogføringens valuta: kun dens nummer bogføres.",
  account: "Konto",
  debit: "Debet",
  credit: "Kredit",
  sum: "I alt",
  vat: (code) => `Moms ${code}`,
};
