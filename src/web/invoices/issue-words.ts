/** The texts of the confirmation to issue an invoice, in both languages. */

export const enIssuing = {
  title: "Issue the invoice?",
  title_for: (customer: string) => `Issue the invoice for ${customer}?`,
  books: "Books",
  dated: (day: string) => `An invoice dated ${day}.`,
  amounts: (net: string, vat: string, gross: string) =>
    `Net ${net} and VAT ${vat}, in all ${gross}`,
  sends: "Sends",
  sends_to: (address: string) => `An e-mail with the PDF to ${address}.`,
  sends_nothing: "Nothing. You can send it later.",
  unsent: {
    no_address: "Nothing: the customer has no e-mail address. The invoice is still booked.",
    einvoice_not_configured: "Nothing: e-invoicing is not set up. The invoice is still booked.",
  },
  earns: "Earns",
  earns_own: "You earn",
  earns_nothing: "Nothing yet.",
  freezes: "Freezes",
  frozen_lines: (lines: number) => (lines === 1 ? "1 line." : `${lines} lines.`),
  frozen_work: (lines: number, hours: string) =>
    `${lines === 1 ? "1 line" : `${lines} lines`} and ${hours} registered hours.`,
  frozen: "Errors are corrected with a credit note.",
  resumes:
    "The issue of this invoice has begun, and its outcome is not known yet. Continuing never books twice.",
  go_on: "Continue the issue",
  issue: (amount: string) => `Issue ${amount}`,
  issue_and_send: (amount: string) => `Issue and send ${amount}`,
  not_yet: "Not yet",
  back: "To the invoice",
  changed:
    "The data has changed since you saw this, and nothing was issued. This is the current state.",
};

export const daIssuing: typeof enIssuing = {
  title: "Udsted fakturaen?",
  title_for: (customer) => `Udsted fakturaen til ${customer}?`,
  books: "Bogfører",
  dated: (day) => `En faktura med datoen ${day}.`,
  amounts: (net, vat, gross) => `Netto ${net} og moms ${vat}, i alt ${gross}`,
  sends: "Sender",
  sends_to: (address) => `En e-mail med PDF til ${address}.`,
  sends_nothing: "Intet. Du kan sende den senere.",
  unsent: {
    no_address: "Intet: kunden har ingen e-mailadresse. Fakturaen bogføres alligevel.",
    einvoice_not_configured: "Intet: e-fakturering er ikke sat op. Fakturaen bogføres alligevel.",
  },
  earns: "Optjener",
  earns_own: "Du optjener",
  earns_nothing: "Intet endnu.",
  freezes: "Låser",
  frozen_lines: (lines) => (lines === 1 ? "1 linje." : `${lines} linjer.`),
  frozen_work: (lines, hours) =>
    `${lines === 1 ? "1 linje" : `${lines} linjer`} og ${hours} registrerede timer.`,
  frozen: "En fejl rettes med en kreditnota.",
  resumes: "Udstedelsen er begyndt, og udfaldet kendes ikke endnu. Der bogføres aldrig to gange.",
  go_on: "Fortsæt udstedelsen",
  issue: (amount) => `Udsted ${amount}`,
  issue_and_send: (amount) => `Udsted og send ${amount}`,
  not_yet: "Ikke endnu",
  back: "Til fakturaen",
  changed: "Data er ændret, siden du så dette, og intet blev udstedt. Her er den aktuelle status.",
};
