/** The texts of the settings for mails of documents, in both languages. Those of the island are apart. */

export const enMailTexts = {
  subject: "Subject",
  body: "Text",
  empty_hint: "Empty: the usual text.",
  placeholders: "You can write:",
  means: {
    number: "the number",
    customer: "the customer's name",
    amount: "the amount with its currency",
    due_date: "the due day",
    sender: "your name",
  },
  unknown: (name: string) => `{${name}} is not known here.`,
  preview: "Preview",
};

export const daMailTexts: typeof enMailTexts = {
  subject: "Emne",
  body: "Tekst",
  empty_hint: "Tom: standardteksten.",
  placeholders: "Du kan skrive:",
  means: {
    number: "nummeret",
    customer: "kundens navn",
    amount: "beløbet med valuta",
    due_date: "forfaldsdagen",
    sender: "jeres navn",
  },
  unknown: (name) => `{${name}} kendes ikke her.`,
  preview: "Forhåndsvisning",
};

export const enMailCard = {
  title: "Texts of mails",
  lead: "What customers read in the mail of a document, in the language of the document. The document is attached.",
  kinds: {
    invoice: { da: "Invoice, in Danish", en: "Invoice, in English" },
    credit_note: { da: "Credit note, in Danish", en: "Credit note, in English" },
  },
  own: "Own text",
  example_customer: "Havnens Bryggeri A/S",
};

export const daMailCard: typeof enMailCard = {
  title: "Tekster i mails",
  lead: "Det, kunderne læser i mailen med et dokument, på dokumentets sprog. Dokumentet er vedhæftet.",
  kinds: {
    invoice: { da: "Faktura, på dansk", en: "Faktura, på engelsk" },
    credit_note: { da: "Kreditnota, på dansk", en: "Kreditnota, på engelsk" },
  },
  own: "Egen tekst",
  example_customer: "Havnens Bryggeri A/S",
};
