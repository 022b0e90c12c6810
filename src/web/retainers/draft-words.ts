/** The texts of a retainer before it is active: its form, its lines, the periods ahead, and the activation. */

const isOne = (count: number): boolean => count === 1;

export const enRetainerDraft = {
  for_whom: "Who is the retainer for?",
  choose: "Choose",
  choose_for: (name: string) => `Choose ${name}`,
  new_for: (name: string) => `New retainer for ${name}`,
  create: "Create the draft",
  created_means: "It is a draft: nothing is invoiced until you activate it.",
  rhythm: "Rhythm",
  every: "Invoiced",
  alignment: "Periods begin",
  alignments: {
    anniversary: "On the day of the first one",
    calendar: "With the calendar month, week, quarter or year",
  },
  start: "First day",
  start_hint: "The first day of service.",
  end: "Last day",
  end_hint: "If empty: no end.",
  timing: "Invoice date",
  timings: {
    "start-of-period": "At the start of each period",
    "end-of-period": "At the end of each period",
    manual: "When you issue it",
  },
  offset: "Days later",
  offset_hint: "0 to 60; at the start of a period also −60 to −1.",
  sends: "Sending",
  send_as_account: "As the account's other invoices",
  send_yes: "Send each invoice to the customer",
  send_no: "Do not send",
  line: "Line",
  choose_product: "Choose a product",
  text_hint: "If empty: the name of the product.",
  price: "Price a period",
  price_hint: "By hours: the rate an hour. If empty: the price of the product.",
  rate_hint: "The rate an hour. If empty: the price of the product.",
  discount: "Discount, %",
  budget: "Budget, hours",
  budget_hint: "Only by progress.",
  share_of: (name: string) => `Share of ${name}, %`,
  shares_hint: "If empty: equal shares.",
  edit: "Change the rhythm…",
  edit_title: (name: string) => `Rhythm of ${name}`,
  add_line: "Add a line",
  ahead: "The next 12 periods",
  show_ahead: "Show the periods",
  ahead_none: "The periods with their days and amounts are shown here.",
  ahead_lost: "No connection: these are the periods of an earlier state.",
  period: "Period",
  service: "Service",
  day: "Invoice date",
  net: "Net",
  activate: "Activate…",
};

export const daRetainerDraft: typeof enRetainerDraft = {
  for_whom: "Hvem er aftalen med?",
  choose: "Vælg",
  choose_for: (name) => `Vælg ${name}`,
  new_for: (name) => `Ny fast aftale med ${name}`,
  create: "Opret kladden",
  created_means: "Den er en kladde: intet faktureres, før du aktiverer den.",
  rhythm: "Rytme",
  every: "Faktureres",
  alignment: "Perioder begynder",
  alignments: {
    anniversary: "På samme dag som den første",
    calendar: "Med kalenderens måned, uge, kvartal eller år",
  },
  start: "Første dag",
  start_hint: "Ydelsens første dag.",
  end: "Sidste dag",
  end_hint: "Hvis tom: ingen slutdato.",
  timing: "Fakturadato",
  timings: {
    "start-of-period": "Ved hver periodes start",
    "end-of-period": "Ved hver periodes slutning",
    manual: "Når du udsteder den",
  },
  offset: "Dage senere",
  offset_hint: "0 til 60; ved periodens start også −60 til −1.",
  sends: "Forsendelse",
  send_as_account: "Som kontoens øvrige fakturaer",
  send_yes: "Send hver faktura til kunden",
  send_no: "Send ikke",
  line: "Linje",
  choose_product: "Vælg en ydelse",
  text_hint: "Hvis tom: ydelsens navn.",
  price: "Pris pr. periode",
  price_hint: "Efter timer: timeprisen. Hvis tom: ydelsens pris.",
  rate_hint: "Timeprisen. Hvis tom: ydelsens pris.",
  discount: "Rabat, %",
  budget: "Budget, timer",
  budget_hint: "Kun efter fremdrift.",
  share_of: (name) => `Andel for ${name}, %`,
  shares_hint: "Hvis tom: lige store andele.",
  edit: "Ret rytmen …",
  edit_title: (name) => `Rytme for ${name}`,
  add_line: "Tilføj en linje",
  ahead: "De næste 12 perioder",
  show_ahead: "Vis perioderne",
  ahead_none: "Her vises perioderne med deres dage og beløb.",
  ahead_lost: "Ingen forbindelse: det er perioderne fra en tidligere tilstand.",
  period: "Periode",
  service: "Ydelse",
  day: "Fakturadato",
  net: "Netto",
  activate: "Aktivér …",
};

/** The page that activates a retainer. Browsers do not load it. */
export const enActivating = {
  title: (name: string) => `Activate ${name}?`,
  past: "Periods that have passed",
  past_count: (count: number) =>
    isOne(count)
      ? "One period has ended before today."
      : `${count} periods have ended before today.`,
  keep: "Leave them to me",
  keep_means: (count: number) =>
    isOne(count)
      ? "One period waits until you issue or skip it."
      : `${count} periods wait until you issue or skip them.`,
  skip: "Skip them",
  skip_means: "They are never invoiced, unless you take the skip back.",
  out: "Goes out today",
  out_none: "Nothing.",
  out_text: (periods: string, amount: string) => `${periods}: ${amount} net, within the hour.`,
  next: "Then",
  next_text: (period: string, day: string, amount: string) => `${period} on ${day}: ${amount} net.`,
  next_manual: "Each period waits until you issue it.",
  next_none: "Nothing: no period is left.",
  late: "Wait for you",
  late_text: (periods: string) =>
    `${periods}. The scheduler issues no period that fell due before the activation.`,
  now: "Activate",
  changed:
    "The retainer has changed since you saw this, and it was not activated. This is the current state.",
};

export const daActivating: typeof enActivating = {
  title: (name) => `Aktivér ${name}?`,
  past: "Perioder, der er forbi",
  past_count: (count) =>
    isOne(count) ? "Én periode er slut før i dag." : `${count} perioder er slut før i dag.`,
  keep: "Lad dem være op til mig",
  keep_means: (count) =>
    isOne(count)
      ? "Én periode venter, til du udsteder den eller springer den over."
      : `${count} perioder venter, til du udsteder dem eller springer dem over.`,
  skip: "Spring dem over",
  skip_means: "De faktureres aldrig, medmindre du fortryder det.",
  out: "Udstedes i dag",
  out_none: "Intet.",
  out_text: (periods, amount) => `${periods}: ${amount} netto, inden for en time.`,
  next: "Derefter",
  next_text: (period, day, amount) => `${period} den ${day}: ${amount} netto.`,
  next_manual: "Hver periode venter, til du udsteder den.",
  next_none: "Intet: der er ingen periode tilbage.",
  late: "Venter på dig",
  late_text: (periods) =>
    `${periods}. Perioder, der forfaldt før aktiveringen, udstedes ikke automatisk.`,
  now: "Aktivér",
  changed:
    "Aftalen er ændret, siden du så dette, og den blev ikke aktiveret. Dette er den aktuelle tilstand.",
};
