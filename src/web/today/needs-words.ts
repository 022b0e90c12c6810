/** The sentences about what waits on the start page, in both languages: of each entry, and of each fact at the top of the page. */
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

/** Whether a count in English words or digits is one. */
export const isOne = (count: string): boolean => count === "One" || count === "1";
/** Returns the ending of an English noun. */
export const s = (count: string): string => (isOne(count) ? "" : "s");
const have = (count: string): string => (isOne(count) ? "has" : "have");
/** Returns the English verb for a count. */
export const wait = (count: string): string => (isOne(count) ? "waits" : "wait");

/** Whether a count in Danish words or digits is one. */
export const erEn = (count: string): boolean => count === "En" || count === "Et" || count === "1";

export const NEEDS_IN_ENGLISH: Needs = {
  booking_in_doubt: {
    head: ({ party, detail }) => {
      // The voucher that opens new books is of no customer.
      const of = party === "" ? "the move of the books" : party;
      return detail === "parked"
        ? `The booking for ${of} is uncertain`
        : `The ledger has not answered for ${of}`;
    },
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
      })[detail] ??
      (detail.startsWith("einvoice_")
        ? "It is booked. The e-invoice was not taken: its sending says why."
        : "It is booked. The mail could not be delivered."),
  },
  delivery_rejected: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Invoice" : "Credit note"} ${title} was refused by the side of ${party}`,
    text: () => "The e-invoice was sent, and its receiver did not take it.",
  },
  delivery_unknown: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Invoice" : "Credit note"} ${title} to ${party} may have arrived`,
    text: () => "Sending was interrupted. Check whether it arrived before you send it again.",
  },
  buyer_answered: {
    head: ({ title, party, is_invoice, detail }) => {
      const said = { RE: "rejects", UQ: "asks about", CA: "accepts with conditions" };
      const verb = said[detail.slice(0, 2) as keyof typeof said] ?? "has answered";
      return `${party} ${verb} ${is_invoice ? "invoice" : "credit note"} ${title}`;
    },
    text: ({ detail }) =>
      detail.length > 3
        ? `The buyer writes: ${detail.slice(3)}`
        : "The buyer gives no reason. Nothing is credited automatically.",
  },
  delivery_unconfirmed: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Invoice" : "Credit note"} ${title} to ${party} is not delivered yet`,
    text: ({ day }) =>
      `The access point took the e-invoice on ${day} and has not confirmed its delivery. Ask its operator.`,
  },
  occurrence_failed: {
    head: ({ party }) => `The retainer of ${party} could not be invoiced`,
    text: ({ detail }) => detail,
  },
  plan_waits: {
    head: ({ party }) => `An assistant of ${party} has planned a change`,
    text: ({ title, detail }) => `${title} Expires in ${detail} min.`,
  },
  webhook_failing: {
    head: ({ title }) => `Webhooks to ${title} fail`,
    text: ({ day }) =>
      `Since ${day} every attempt has failed. The events wait, and follow in order when it answers again.`,
  },
  webhook_disabled: {
    head: ({ title }) => `Webhooks to ${title} are disabled`,
    text: ({ detail }) =>
      ({
        gone: "The receiver answered that the address is gone. Change it, or delete the webhook.",
        failing: "Every attempt of five days failed. Enable it when the receiver works again.",
      })[detail] ?? "The operator of this service has disabled it.",
  },
  month_ready: {
    head: ({ month }) => `${month} is ready to close`,
    text: () => "The month has ended. Later months cannot be closed before it.",
  },
  rate_missing: {
    head: ({ title, month }) => `${title} has no rate in ${month}`,
    text: () => "Amounts in this currency are converted at an older rate until you add one.",
  },
  payments_overdue: {
    head: ({ party, title }) =>
      party === ""
        ? `${title} customers are late with their payments`
        : `${party} is late with a payment`,
    text: ({ day }) => `The earliest was due on ${day}.`,
  },
  bank_lines_wait: {
    head: ({ title }) =>
      title === "1"
        ? "1 line of the bank is not booked"
        : `${title} lines of the bank are not booked`,
    text: ({ day }) => `The earliest is of ${day}.`,
  },
  retainer_draft: {
    head: ({ party, day, is_over }) => `${party} ${is_over ? "started" : "starts"} on ${day}`,
    text: () => "The retainer is still a draft: nothing will be invoiced.",
  },
  receivables_not_begun: {
    head: () => "Matchbook does not know yet which invoices are paid",
    text: () => "Say which of the documents so far are still open. Until then nothing is overdue.",
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
  credit_waits: {
    head: ({ party, title }) =>
      party === "" ? `${title} customers have credit that waits` : `${party} has credit that waits`,
    text: ({ day }) => `Since ${day}. Use it for an invoice, or pay it back.`,
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

export const FACTS_IN_ENGLISH: Facts = {
  booking_in_doubt: (count) =>
    `${count} booking${s(count)} ${isOne(count) ? "is" : "are"} not confirmed by the ledger.`,
  delivery_failed: (count) =>
    `${count} document${s(count)} ${have(count)} not reached ${isOne(count) ? "its customer" : "their customers"}.`,
  delivery_rejected: (count) => `${count} document${s(count)} ${have(count)} been refused.`,
  delivery_unknown: (count) => `${count} document${s(count)} may or may not have arrived.`,
  buyer_answered: (count) =>
    `${count} document${s(count)} ${have(count)} an answer of ${isOne(count) ? "its buyer" : "their buyers"}.`,
  delivery_unconfirmed: (count) =>
    `${count} e-invoice${s(count)} ${have(count)} not been delivered yet.`,
  occurrence_failed: (count) => `${count} retainer${s(count)} could not be invoiced.`,
  plan_waits: (count) => `${count} plan${s(count)} of an assistant ${wait(count)} for you.`,
  webhook_failing: (count) => `${count} webhook${isOne(count) ? " fails" : "s fail"}.`,
  webhook_disabled: (count) => `${count} webhook${isOne(count) ? " is" : "s are"} disabled.`,
  month_ready: (_count, { month }) => `${month} is ready to close.`,
  rate_missing: (count) => `${count} currenc${isOne(count) ? "y has" : "ies have"} no rate.`,
  payments_overdue: (_count, { party, title }) =>
    party === "" ? `${title} customers are late.` : `${party} is late.`,
  bank_lines_wait: (_count, { title }) =>
    title === "1" ? "One line of the bank waits." : `${title} lines of the bank wait.`,
  retainer_draft: (count) => `${count} retainer${s(count)} ${wait(count)} to be activated.`,
  receivables_not_begun: () => "Receivables are not begun.",
  milestone_open: (count) => `${count} invoiced milestone${s(count)} ${wait(count)} to be reached.`,
  hours_missing: (_count, { day }) => `Your hours of ${day} are missing.`,
  work_waits: (count) => `Work on ${count.toLowerCase()} draft${s(count)} waits for its invoice.`,
  credit_waits: (_count, { party, title }) =>
    party === "" ? `${title} customers have credit.` : `${party} has credit.`,
  budget: (count) => `${count} budget${s(count)} ${isOne(count) ? "is" : "are"} nearly used.`,
  retainer_ends: (count) => `${count} retainer${s(count)} end${isOne(count) ? "s" : ""} soon.`,
};

export const NEEDS_IN_DANISH: Needs = {
  booking_in_doubt: {
    head: ({ party, detail }) => {
      const of = party === "" ? "flytningen af bogholderiet" : party;
      return detail === "parked"
        ? `Bogføringen for ${of} er usikker`
        : `Bogholderiet har ikke svaret for ${of}`;
    },
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
      })[detail] ??
      (detail.startsWith("einvoice_")
        ? "Den er bogført. E-fakturaen blev ikke modtaget: forsendelsen siger hvorfor."
        : "Den er bogført. E-mailen kunne ikke leveres."),
  },
  delivery_rejected: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Faktura" : "Kreditnota"} ${title} blev afvist hos ${party}`,
    text: () => "E-fakturaen blev sendt, men modtageren tog ikke imod den.",
  },
  delivery_unknown: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Faktura" : "Kreditnota"} ${title} til ${party} er måske nået frem`,
    text: () =>
      "Afsendelsen blev afbrudt. Undersøg, om dokumentet er nået frem, før du sender det igen.",
  },
  buyer_answered: {
    head: ({ title, party, is_invoice, detail }) => {
      const said = { RE: "afviser", UQ: "spørger til", CA: "godkender med betingelser" };
      const verb = said[detail.slice(0, 2) as keyof typeof said] ?? "har svaret på";
      return `${party} ${verb} ${is_invoice ? "faktura" : "kreditnota"} ${title}`;
    },
    text: ({ detail }) =>
      detail.length > 3
        ? `Køberen skriver: ${detail.slice(3)}`
        : "Køberen giver ingen grund. Intet krediteres automatisk.",
  },
  delivery_unconfirmed: {
    head: ({ title, party, is_invoice }) =>
      `${is_invoice ? "Faktura" : "Kreditnota"} ${title} til ${party} er ikke leveret endnu`,
    text: ({ day }) =>
      `Adgangspunktet modtog e-fakturaen ${day} og har ikke bekræftet, at den er leveret. Spørg operatøren.`,
  },
  occurrence_failed: {
    head: ({ party }) => `Den faste aftale med ${party} kunne ikke faktureres`,
    text: ({ detail }) => detail,
  },
  plan_waits: {
    head: ({ party }) => `En assistent for ${party} har planlagt en ændring`,
    text: ({ title, detail }) => `${title} Udløber om ${detail} min.`,
  },
  webhook_failing: {
    head: ({ title }) => `Webhooks til ${title} fejler`,
    text: ({ day }) =>
      `Siden ${day} er alle forsøg mislykket. Hændelserne venter og følger i rækkefølge, når der svares igen.`,
  },
  webhook_disabled: {
    head: ({ title }) => `Webhooks til ${title} er slået fra`,
    text: ({ detail }) =>
      ({
        gone: "Modtageren svarede, at adressen er nedlagt. Ret den, eller slet webhooken.",
        failing: "Alle forsøg i fem døgn mislykkedes. Slå den til, når modtageren virker igen.",
      })[detail] ?? "Tjenestens driftsansvarlige har slået den fra.",
  },
  month_ready: {
    head: ({ month }) => `${month} er klar til at blive lukket`,
    text: () => "Måneden er slut. Senere måneder kan ikke lukkes før den.",
  },
  rate_missing: {
    head: ({ title, month }) => `${title} har ingen kurs i ${month.toLowerCase()}`,
    text: () => "Beløb i valutaen omregnes til en ældre kurs, indtil der er angivet en.",
  },
  payments_overdue: {
    head: ({ party, title }) =>
      party === ""
        ? `${title} kunder er forsinket med betalingen`
        : `${party} er forsinket med en betaling`,
    text: ({ day }) => `Den tidligste forfaldt ${day}.`,
  },
  bank_lines_wait: {
    head: ({ title }) =>
      title === "1"
        ? "1 linje fra banken er ikke bogført"
        : `${title} linjer fra banken er ikke bogført`,
    text: ({ day }) => `Den ældste er fra ${day}.`,
  },
  retainer_draft: {
    head: ({ party, day, is_over }) => `${party} ${is_over ? "startede" : "starter"} ${day}`,
    text: () => "Den faste aftale er stadig en kladde: intet bliver faktureret.",
  },
  receivables_not_begun: {
    head: () => "Matchbook ved endnu ikke, hvilke fakturaer der er betalt",
    text: () =>
      "Sig, hvilke af dokumenterne indtil nu der stadig er åbne. Indtil da kaldes intet forfaldent.",
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
  credit_waits: {
    head: ({ party, title }) =>
      party === "" ? `${title} kunder har noget til gode` : `${party} har noget til gode`,
    text: ({ day }) => `Siden ${day}. Anvend det på en faktura, eller betal det tilbage.`,
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

export const FACTS_IN_DANISH: Facts = {
  booking_in_doubt: (count) =>
    `${count} bogføring${erEn(count) ? "" : "er"} er ikke bekræftet af bogholderiet.`,
  delivery_failed: (count) =>
    `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} er ikke nået frem.`,
  delivery_rejected: (count) => `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} er afvist.`,
  delivery_unknown: (count) =>
    `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} er måske nået frem.`,
  buyer_answered: (count) =>
    `${erEn(count) ? "Ét dokument" : `${count} dokumenter`} har fået svar fra køberen.`,
  delivery_unconfirmed: (count) =>
    `${erEn(count) ? "Én e-faktura" : `${count} e-fakturaer`} er ikke leveret endnu.`,
  occurrence_failed: (count) =>
    `${count} fast${erEn(count) ? " aftale" : "e aftaler"} kunne ikke faktureres.`,
  plan_waits: (count) => `${count} plan${erEn(count) ? "" : "er"} fra en assistent venter på dig.`,
  webhook_failing: (count) => `${count} webhook${erEn(count) ? "" : "s"} fejler.`,
  webhook_disabled: (count) => `${count} webhook${erEn(count) ? "" : "s"} er slået fra.`,
  month_ready: (_count, { month }) => `${month} er klar til at blive lukket.`,
  rate_missing: (count) => `${count} valuta${erEn(count) ? "" : "er"} har ingen kurs.`,
  payments_overdue: (_count, { party, title }) =>
    party === ""
      ? `${title} kunder er forsinket med betalingen.`
      : `${party} er forsinket med en betaling.`,
  receivables_not_begun: () => "Tilgodehavender er ikke begyndt.",
  credit_waits: (_count, { party, title }) =>
    party === "" ? `${title} kunder har noget til gode.` : `${party} har noget til gode.`,
  bank_lines_wait: (_count, { title }) =>
    title === "1" ? "Én linje fra banken venter." : `${title} linjer fra banken venter.`,
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
