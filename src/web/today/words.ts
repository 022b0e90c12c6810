/** The texts of the start page, in both languages. Dates, amounts and hours arrive as the reader's language writes them. */
import type { AttentionKind } from "../../domain/base/attention.ts";

/** The values that sentences about a waiting matter may name. */
interface Named {
  readonly title: string;
  readonly party: string;
  /** The date since when, or on which. */
  readonly day: string;
  readonly month: string;
  readonly detail: string;
  /** For a document: whether it is an invoice. */
  readonly is_invoice: boolean;
  /** Whether the date has passed. */
  readonly is_over: boolean;
  /** The used and the agreed hours. */
  readonly hours: readonly [string, string];
}

interface Sentences {
  readonly head: (named: Named) => string;
  readonly text: (named: Named) => string;
}

type Needs = Readonly<Record<AttentionKind, Sentences>>;
type Facts = Readonly<Record<AttentionKind, (count: string, named: Named) => string>>;

const NEEDS_IN_ENGLISH: Needs = {
  booking_in_doubt: {
    head: ({ party, detail }) =>
      detail === "parked"
        ? `The booking for ${party} is uncertain`
        : `The ledger has not answered for ${party}`,
    text: ({ detail }) =>
      detail === "parked"
        ? "The ledger has different data. It is not booked again automatically: correct the data there and ask again, or end the booking in the queue."
        : `The request was sent ${detail} minutes ago. Asking again never books twice.`,
  },
  delivery_failed: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Invoice" : "Credit note"} ${title} to ${party} was not sent`,
    text: ({ detail }) =>
      ({
        einvoice_not_configured:
          "It is booked. The customer requires e-invoices, and e-invoicing is not set up.",
        no_address: "It is booked. The customer has no e-mail address.",
      })[detail] ?? "It is booked. The mail could not be delivered.",
  },
  delivery_unknown: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Invoice" : "Credit note"} ${title} to ${party} may have arrived`,
    text: () => "Sending was interrupted. Check whether it arrived before you send it again.",
  },
  occurrence_failed: {
    head: ({ party }) => `The retainer of ${party} could not be invoiced`,
    text: ({ detail }) => detail,
  },
  plan_waits: {
    head: ({ party }) => `An assistant of ${party} has planned a change`,
    text: ({ title, detail }) => `${title} Expires in ${detail} min.`,
  },
  month_ready: {
    head: ({ month }) => `${month} is ready to close`,
    text: () => "The month has ended. Later months cannot be closed before it.",
  },
  rate_missing: {
    head: ({ title, month }) => `${title} has no rate in ${month}`,
    text: () => "Amounts in this currency are converted at an older rate until you add one.",
  },
  retainer_draft: {
    head: ({ party, day, is_over }) => `${party} ${is_over ? "started" : "starts"} on ${day}`,
    text: () => "The retainer is still a draft: nothing will be invoiced.",
  },
  milestone_open: {
    head: ({ title }) => `${title} is invoiced and not completed`,
    text: ({ party, day, detail }) =>
      `Invoice ${detail} of ${day} to ${party}. It is earned when you mark it as completed.`,
  },
  hours_missing: {
    head: ({ day }) => `You have no hours on ${day}`,
    text: () => "Register them now rather than at the end of the month.",
  },
  work_waits: {
    head: ({ title }) => `${title} waits for its invoice`,
    text: ({ party, day, hours }) =>
      `Work since ${day} for ${party}. ${hours[0]} h, nothing invoiced.`,
  },
  budget: {
    head: ({ title, hours }) => `${title} has used ${hours[0]} of ${hours[1]} h`,
    text: ({ party, day }) => `For ${party}, last worked on ${day}.`,
  },
  retainer_ends: {
    head: ({ party, day }) => `The last period of ${party} ends on ${day}`,
    text: () => "Nothing is invoiced after it unless the retainer is renewed.",
  },
};

const FACTS_IN_ENGLISH: Facts = {
  booking_in_doubt: (count) =>
    `${count} booking${s(count)} ${isOne(count) ? "is" : "are"} not confirmed by the ledger.`,
  delivery_failed: (count) =>
    `${count} document${s(count)} ${have(count)} not reached ${isOne(count) ? "its customer" : "their customers"}.`,
  delivery_unknown: (count) => `${count} document${s(count)} may or may not have arrived.`,
  occurrence_failed: (count) => `${count} retainer${s(count)} could not be invoiced.`,
  plan_waits: (count) => `${count} plan${s(count)} of an assistant ${wait(count)} for you.`,
  month_ready: (_count, { month }) => `${month} is ready to close.`,
  rate_missing: (count) => `${count} currenc${isOne(count) ? "y has" : "ies have"} no rate.`,
  retainer_draft: (count) => `${count} retainer${s(count)} ${wait(count)} to be activated.`,
  milestone_open: (count) => `${count} invoiced milestone${s(count)} ${wait(count)} to be reached.`,
  hours_missing: (_count, { day }) => `Your hours of ${day} are missing.`,
  work_waits: (count) => `Work on ${count.toLowerCase()} draft${s(count)} waits for its invoice.`,
  budget: (count) => `${count} budget${s(count)} ${isOne(count) ? "is" : "are"} nearly used.`,
  retainer_ends: (count) => `${count} retainer${s(count)} end${isOne(count) ? "s" : ""} soon.`,
};

const isOne = (count: string): boolean => count === "One" || count === "1";
const s = (count: string): string => (isOne(count) ? "" : "s");
const have = (count: string): string => (isOne(count) ? "has" : "have");
const wait = (count: string): string => (isOne(count) ? "waits" : "wait");

export const enToday = {
  nothing: "Nothing needs your attention today.",
  counts: ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"],
  going_out_by: (count: string, day: string) =>
    `${count} invoice${s(count)} go${isOne(count) ? "es" : ""} out by ${day}.`,
  /** For documents whose day has passed. */
  waiting_since: (count: string, day: string) =>
    `${count} invoice${s(count)} ${wait(count)} since ${day}.`,
  facts: FACTS_IN_ENGLISH,
  needs: NEEDS_IN_ENGLISH,
  needs_you: "Needs your attention",
  all_done: "All done. Items that need attention are listed here until they are done.",
  buttons: {
    queue: "See the queue",
    address: "Add an address",
    invoice: "Open invoice",
    credit_note: "Open credit note",
    customer: "Open customer",
    retainer: "Open retainer",
    period: "Open the period",
    assistants: "Read the plan",
    close: "Review and close",
    rate: "Set rate",
    hours: "Register hours",
    draft: "Open draft",
    milestone: "Say it is done…",
    week: "Open the week",
  },
  /** The name of a button among others of its kind. */
  button_of: (button: string, head: string) => `${button}: ${head}`,
  a_period: "a period",
  figures: "The month so far",
  earned_in: (month: string) => `Earned in ${month}`,
  against: (month: string) => ` against all of ${month}`,
  invoiced_in: (month: string) => `Invoiced in ${month}`,
  documents: (invoices: number, notes: number) =>
    `${invoices} invoice${invoices === 1 ? "" : "s"}, ${notes} credit note${notes === 1 ? "" : "s"}`,
  asset: "Earned, not invoiced",
  drafts: (count: string, oldest: string | null) =>
    `${count} ${count === "1" ? "draft" : "drafts"}${oldest === null ? "" : `, oldest work ${oldest}`}`,
  liability: "Invoiced, not earned",
  retainers: (count: number) => `${count} active retainer${count === 1 ? "" : "s"}`,
  no_rate: "An exchange rate is missing",
  going_out: "Going out",
  next_days: (days: number) => `Next ${days} days`,
  waits_since: (day: string) => `Waits since ${day}`,
  nothing_goes_out: "Nothing is invoiced automatically within a month.",
  and_more: (title: string, more: number) => (more === 0 ? title : `${title}, and ${more} more`),
  week: "Hours this week",
  of_people: (count: number) => `of ${count} ${count === 1 ? "person" : "people"}`,
  hours: (text: string) => `${text} h`,
  by_month: "Earned by month",
  highest: (month: string, amount: string) => `The highest is ${month} with ${amount}.`,
  bar: (month: string, earned: string, invoiced: string) =>
    `${month}: earned ${earned}, invoiced ${invoiced}`,
  as_table: "As a table",
  month: "Month",
  earned: "Earned",
  invoiced: "Invoiced",
  customers: "Your customers",
  customers_of: "The last 30 days",
  no_customers: "You have not worked for any customer in the last 30 days.",
  last_worked: (day: string) => `Last on ${day}`,
  of_month: (text: string, month: string) => `${text} h in ${month}`,
  steps: "The first steps",
  steps_hint: "In any order. Each step is ticked when it is done.",
  done: "Done",
  next_step: "Next step:",
  step: {
    company: "Enter your company details: name, address, CVR number and bank",
    customer: "Add your first customer",
    product: "Add your first product",
    invoice: "Issue your first invoice",
    assistant: "Connect your assistant",
  },
  minutes: (count: number) => `${count} min`,
};

type TodayWords = typeof enToday;

const erEn = (count: string): boolean => count === "En" || count === "Et" || count === "1";

const NEEDS_IN_DANISH: Needs = {
  booking_in_doubt: {
    head: ({ party, detail }) =>
      detail === "parked"
        ? `Bogføringen for ${party} er usikker`
        : `Bogholderiet har ikke svaret for ${party}`,
    text: ({ detail }) =>
      detail === "parked"
        ? "Bogholderiets oplysninger stemmer ikke. Der bogføres ikke igen automatisk: ret oplysningerne dér, og spørg igen, eller afslut bogføringen i køen."
        : `Forespørgslen blev sendt for ${detail} minutter siden. En ny forespørgsel bogfører aldrig to gange.`,
  },
  delivery_failed: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Faktura" : "Kreditnota"} ${title} til ${party} blev ikke sendt`,
    text: ({ detail }) =>
      ({
        einvoice_not_configured:
          "Den er bogført. Kunden ønsker e-faktura, og e-fakturering er ikke sat op.",
        no_address: "Den er bogført. Kunden har ingen e-mailadresse.",
      })[detail] ?? "Den er bogført. E-mailen kunne ikke leveres.",
  },
  delivery_unknown: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Faktura" : "Kreditnota"} ${title} til ${party} er måske nået frem`,
    text: () =>
      "Afsendelsen blev afbrudt. Undersøg, om dokumentet er nået frem, før du sender det igen.",
  },
  occurrence_failed: {
    head: ({ party }) => `Den faste aftale med ${party} kunne ikke faktureres`,
    text: ({ detail }) => detail,
  },
  plan_waits: {
    head: ({ party }) => `En assistent for ${party} har planlagt en ændring`,
    text: ({ title, detail }) => `${title} Udløber om ${detail} min.`,
  },
  month_ready: {
    head: ({ month }) => `${month} er klar til at blive lukket`,
    text: () => "Måneden er slut. Senere måneder kan ikke lukkes før den.",
  },
  rate_missing: {
    head: ({ title, month }) => `${title} har ingen kurs i ${month.toLowerCase()}`,
    text: () => "Beløb i valutaen omregnes til en ældre kurs, indtil der er angivet en.",
  },
  retainer_draft: {
    head: ({ party, day, is_over }) => `${party} ${is_over ? "startede" : "starter"} ${day}`,
    text: () => "Den faste aftale er stadig en kladde: intet bliver faktureret.",
  },
  milestone_open: {
    head: ({ title }) => `${title} er faktureret og ikke afsluttet`,
    text: ({ party, day, detail }) =>
      `Faktura ${detail} af ${day} til ${party}. Beløbet er optjent, når I markerer milepælen som nået.`,
  },
  hours_missing: {
    head: ({ day }) => `Du har ingen timer ${day}`,
    text: () => "Registrér dem nu i stedet for sidst på måneden.",
  },
  work_waits: {
    head: ({ title }) => `${title} venter på at blive faktureret`,
    text: ({ party, day, hours }) =>
      `Arbejde siden ${day} for ${party}. ${hours[0]} t, intet faktureret.`,
  },
  budget: {
    head: ({ title, hours }) => `${title} har brugt ${hours[0]} af ${hours[1]} t`,
    text: ({ party, day }) => `For ${party}, senest arbejdet på ${day}.`,
  },
  retainer_ends: {
    head: ({ party, day }) => `Sidste periode for ${party} slutter ${day}`,
    text: () => "Derefter faktureres intet, medmindre aftalen fornyes.",
  },
};

const FACTS_IN_DANISH: Facts = {
  booking_in_doubt: (count) =>
    `${count} bogføring${erEn(count) ? "" : "er"} er ikke bekræftet af bogholderiet.`,
  delivery_failed: (count) =>
    `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} er ikke nået frem.`,
  delivery_unknown: (count) =>
    `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} er måske nået frem.`,
  occurrence_failed: (count) =>
    `${count} fast${erEn(count) ? " aftale" : "e aftaler"} kunne ikke faktureres.`,
  plan_waits: (count) => `${count} plan${erEn(count) ? "" : "er"} fra en assistent venter på dig.`,
  month_ready: (_count, { month }) => `${month} er klar til at blive lukket.`,
  rate_missing: (count) => `${count} valuta${erEn(count) ? "" : "er"} har ingen kurs.`,
  retainer_draft: (count) =>
    `${count} fast${erEn(count) ? " aftale" : "e aftaler"} venter på at blive aktiveret.`,
  milestone_open: (count) =>
    `${erEn(count) ? "Én faktureret milepæl" : `${count} fakturerede milepæle`} er ikke nået.`,
  hours_missing: (_count, { day }) => `Dine timer ${day} mangler.`,
  work_waits: (count) =>
    `Arbejde på ${erEn(count) ? "én kladde" : `${count.toLowerCase()} kladder`} venter på at blive faktureret.`,
  budget: (count) => `${erEn(count) ? "Ét budget" : `${count} budgetter`} er næsten brugt.`,
  retainer_ends: (count) => `${count} fast${erEn(count) ? " aftale" : "e aftaler"} slutter snart.`,
};

export const daToday: TodayWords = {
  nothing: "Intet kræver din opmærksomhed i dag.",
  counts: ["Ingen", "En", "To", "Tre", "Fire", "Fem", "Seks", "Syv", "Otte", "Ni", "Ti"],
  going_out_by: (count, day) => `${count} faktura${erEn(count) ? "" : "er"} går ud senest ${day}.`,
  waiting_since: (count, day) =>
    erEn(count) ? `En faktura venter siden ${day}.` : `${count} fakturaer venter siden ${day}.`,
  facts: FACTS_IN_DANISH,
  needs: NEEDS_IN_DANISH,
  needs_you: "Venter på dig",
  all_done: "Alt er klaret. Her vises det, der kræver opmærksomhed, indtil det er klaret.",
  buttons: {
    queue: "Se køen",
    address: "Tilføj en adresse",
    invoice: "Åbn fakturaen",
    credit_note: "Åbn kreditnotaen",
    customer: "Åbn kunden",
    retainer: "Åbn aftalen",
    period: "Åbn perioden",
    assistants: "Læs planen",
    close: "Gennemse og luk",
    rate: "Angiv kurs",
    hours: "Registrér timer",
    draft: "Åbn kladden",
    milestone: "Meld færdig …",
    week: "Åbn ugen",
  },
  button_of: (button, head) => `${button}: ${head}`,
  a_period: "pr. periode",
  figures: "Måneden indtil nu",
  earned_in: (month) => `Optjent i ${month.toLowerCase()}`,
  against: (month) => ` mod hele ${month.toLowerCase()}`,
  invoiced_in: (month) => `Faktureret i ${month.toLowerCase()}`,
  documents: (invoices, notes) =>
    `${invoices} faktura${invoices === 1 ? "" : "er"}, ${notes} kreditnota${notes === 1 ? "" : "er"}`,
  asset: "Optjent, ikke faktureret",
  drafts: (count, oldest) =>
    `${count} ${count === "1" ? "kladde" : "kladder"}${oldest === null ? "" : `, ældste arbejde ${oldest}`}`,
  liability: "Faktureret, ikke optjent",
  retainers: (count) => `${count} ${count === 1 ? "fast aftale" : "faste aftaler"}`,
  no_rate: "En valutakurs mangler",
  going_out: "På vej ud",
  next_days: (days) => `Næste ${days} dage`,
  waits_since: (day) => `Venter siden ${day}`,
  nothing_goes_out: "Intet faktureres automatisk inden for en måned.",
  and_more: (title, more) => (more === 0 ? title : `${title} og ${more} til`),
  week: "Timer i denne uge",
  of_people: (count) => `af ${count} ${count === 1 ? "person" : "personer"}`,
  hours: (text) => `${text} t`,
  by_month: "Optjent pr. måned",
  highest: (month, amount) => `Den højeste er ${month} med ${amount}.`,
  bar: (month, earned, invoiced) => `${month}: optjent ${earned}, faktureret ${invoiced}`,
  as_table: "Som tabel",
  month: "Måned",
  earned: "Optjent",
  invoiced: "Faktureret",
  customers: "Dine kunder",
  customers_of: "De seneste 30 dage",
  no_customers: "Du har ikke arbejdet for nogen kunder de seneste 30 dage.",
  last_worked: (day) => `Senest ${day}`,
  of_month: (text, month) => `${text} t i ${month.toLowerCase()}`,
  steps: "De første skridt",
  steps_hint: "I vilkårlig rækkefølge. Hvert trin krydses af, når det er udført.",
  done: "Gjort",
  next_step: "Næste skridt:",
  step: {
    company: "Angiv jeres oplysninger: navn, adresse, CVR-nummer og bank",
    customer: "Opret den første kunde",
    product: "Opret den første ydelse",
    invoice: "Udsted den første faktura",
    assistant: "Forbind din assistent",
  },
  minutes: (count) => `${count} min`,
};
