/** The texts of the page that applies a credit, in both languages. */

/** An item within a sentence. */
const lowered = (item: string): string => item.charAt(0).toLowerCase() + item.slice(1);

export const enUseCredit = {
  open: "Use…",
  title: (item: string) => `Use ${lowered(item)}`,
  lead: (customer: string, left: string) => `${left} of it waits for ${customer}.`,
  used: (item: string) => `Nothing is left of ${lowered(item)}.`,
  nothing_owed: (customer: string, currency: string) =>
    `${customer} owes nothing in ${currency}. The credit waits for the next invoice.`,
  to: "For what is it used?",
  due: (day: string) => `due ${day}`,
  amount: (currency: string) => `Amount, ${currency}`,
  amount_hint: (most: string) => `Empty: as much as possible, at most ${most}.`,
  date: "From",
  date_hint: "Empty: the first day on which both are open and the books are.",
  show: "Show what is booked",
  effect: "What happens",
  applies: "Uses",
  applies_text: (amount: string, item: string, day: string) =>
    `${amount} for ${lowered(item)}, on ${day}`,
  left: "Left",
  left_text: (credit: string, debit: string) => `${credit} of the credit. ${debit} is still owed.`,
  books: "Books",
  books_nothing: "Nothing: the credit has reduced what the customer owes already.",
  entry: "The entry",
  now: (amount: string) => `Use ${amount}`,
  changed: "Something has changed since you saw this. Check it, then confirm it.",
};

export const daUseCredit: typeof enUseCredit = {
  open: "Anvend …",
  title: (item) => `Anvend ${lowered(item)}`,
  lead: (customer, left) => `${customer} har ${left} til gode af den.`,
  used: (item) => `Der er intet tilbage af ${lowered(item)}.`,
  nothing_owed: (customer, currency) =>
    `${customer} skylder ikke noget i ${currency}. Beløbet står til gode til næste faktura.`,
  to: "Hvad skal det anvendes på?",
  due: (day) => `forfalder ${day}`,
  amount: (currency) => `Beløb, ${currency}`,
  amount_hint: (most) => `Tomt: så meget som muligt, højst ${most}.`,
  date: "Fra",
  date_hint: "Tomt: den første dag, hvor begge er åbne, og perioden ikke er låst.",
  show: "Vis, hvad der bogføres",
  effect: "Det sker",
  applies: "Anvender",
  applies_text: (amount, item, day) => `${amount} på ${lowered(item)}, ${day}`,
  left: "Tilbage",
  left_text: (credit, debit) => `${credit} til gode. ${debit} skyldes stadig.`,
  books: "Bogfører",
  books_nothing: "Intet: det, kunden skylder, er allerede nedsat.",
  entry: "Posteringen",
  now: (amount) => `Anvend ${amount}`,
  changed: "Noget er ændret, siden du så det. Kontrollér det, og bekræft så.",
};
