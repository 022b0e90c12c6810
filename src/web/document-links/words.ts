/** The texts of the page that a customer opens from a mail, and of the revocation of its links, in both languages. */

export const enDocumentLinks = {
  document: "Document",
  pdf: "Download as PDF",
  credited: "This invoice has been credited",
  credit_note: (number: string, day: string) => `Credit note ${number} of ${day}`,
  left: "Remaining amount",
  absent_title: "This link opens nothing",
  absent:
    "It may have ended, or may have been replaced. The document is attached to the mail as a PDF; the sender can also send it again.",
  too_many: "Too many requests. Try again in a minute.",
  failed: "Something went wrong. Try again in a moment.",
  open_until: "The link in the mail opens the document until",
  revoke: "Revoke the links…",
  revoke_title: "Revoke the links to the document?",
  revoke_effect: "The buttons in all mails with this document stop working at once.",
  revoke_again: "Sending the document again makes a new link.",
  revoke_now: "Revoke the links",
  ends: "Ends",
  later: "Afterwards",
};

export const daDocumentLinks: typeof enDocumentLinks = {
  document: "Dokument",
  pdf: "Hent som PDF",
  credited: "Fakturaen er krediteret",
  credit_note: (number, day) => `Kreditnota ${number} af ${day}`,
  left: "Restbeløb",
  absent_title: "Dette link virker ikke",
  absent:
    "Det kan være udløbet eller erstattet af et nyt. Dokumentet er vedhæftet mailen som PDF, og afsenderen kan sende det igen.",
  too_many: "For mange forespørgsler. Prøv igen om et minut.",
  failed: "Noget gik galt. Prøv igen om et øjeblik.",
  open_until: "Linket i mailen åbner dokumentet til og med",
  revoke: "Tilbagekald links …",
  revoke_title: "Tilbagekald links til dokumentet?",
  revoke_effect: "Knapperne i alle mails med dokumentet holder straks op med at virke.",
  revoke_again: "Sendes dokumentet igen, får den nye mail et nyt link.",
  revoke_now: "Tilbagekald links",
  ends: "Ophører",
  later: "Derefter",
};
