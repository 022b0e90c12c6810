/** The texts of the queue of bookings in a connected accounting system, in both languages. */
import type { Doubt, OpenState } from "../../features/ledger/booking/intent-state.ts";

const STATES_IN_ENGLISH: Readonly<Record<OpenState, string>> = {
  booking: "Waits for the ledger",
  unknown: "No answer yet",
  pending: "Accepted, not booked yet",
  parked: "In doubt",
};

const REASONS_IN_ENGLISH: Readonly<Record<Doubt, string>> = {
  GUID_CONFLICT: "The ledger has another document under this id.",
  FOREIGN_GUID: "The ledger has a document under this id that was not sent from here.",
  NUMBER_MISSING: "The ledger booked it without a number.",
  NUMBER_TAKEN: "The ledger gave it a number that another document has.",
  TOTAL_MISMATCH: "The ledger has another total.",
};

export const enQueue = {
  the_ledger: "the ledger",
  lead: (system: string) =>
    `Documents on their way to ${system}. Asking again never books twice. Look in ${system} before you settle one yourself.`,
  none: (system: string) => `Nothing waits: ${system} has booked everything.`,
  none_builtin: "Nothing waits: Matchbook keeps the books itself, and books immediately.",
  more: (count: number) => `And ${count} more.`,
  document: "Document",
  kind_of: (kind: string, customer: string | null) =>
    customer === null ? kind : `${kind} for ${customer}`,
  state: "State",
  states: STATES_IN_ENGLISH,
  reasons: REASONS_IN_ENGLISH,
  since: "Since",
  attempts: "Attempts",
  next: "Next attempt",
  waits_for_you: "Waits for you",
  ask_again: "Ask again",
  booked_as: "It was booked as…",
  let_go: "Let go…",
  adopt_title: (document: string) => `${document}: it was booked as`,
  adopt_means: (system: string) =>
    `Use this when ${system} has booked the document and Matchbook cannot see it. Copy its id and number from there: they cannot be changed afterwards.`,
  ledger_id: "Id in the ledger",
  ledger_id_hint: (system: string) => `As ${system} shows it.`,
  number: "Number",
  year: "Year of the number",
  year_hint: "Only where the ledger's numbers start again each year.",
  reason: "Reason",
  reason_hint: "It is kept in the audit trail.",
  adopt: "Yes, it was booked as this",
  release_title: (document: string) => `${document}: let go?`,
  release_means: (system: string) =>
    `Use this when ${system} has not booked the document. It is a draft again, and can be issued again. Ask twice before: the ledger must have answered that it does not have it.`,
  release: "Let it go",
  not_yet: "Not yet",
  ask_twice: "Ask again first: the ledger must have been searched twice without finding it.",
  was_booked:
    "The ledger had booked it at the last check. Adopt that booking, or remove it there and ask again.",
  busy: "The ledger is being asked right now. Try again in a moment.",
};

export const daQueue: typeof enQueue = {
  the_ledger: "bogholderiet",
  lead: (system) =>
    `Dokumenter på vej til ${system}. At spørge igen bogfører aldrig to gange. Se efter i ${system}, før du selv afgør et dokument.`,
  none: (system) => `Intet venter: ${system} har bogført alt.`,
  none_builtin: "Intet venter: Matchbook fører selv bogholderiet og bogfører med det samme.",
  more: (count) => `Og ${count} mere.`,
  document: "Dokument",
  kind_of: (kind, customer) => (customer === null ? kind : `${kind} til ${customer}`),
  state: "Tilstand",
  states: {
    booking: "Venter på bogholderiet",
    unknown: "Intet svar endnu",
    pending: "Modtaget, ikke bogført endnu",
    parked: "I tvivl",
  },
  reasons: {
    GUID_CONFLICT: "Bogholderiet har et andet dokument under dette id.",
    FOREIGN_GUID: "Bogholderiet har et dokument under dette id, som ikke er sendt herfra.",
    NUMBER_MISSING: "Bogholderiet bogførte det uden nummer.",
    NUMBER_TAKEN: "Bogholderiet gav det et nummer, som et andet dokument har.",
    TOTAL_MISMATCH: "Bogholderiet har et andet beløb.",
  },
  since: "Siden",
  attempts: "Forsøg",
  next: "Næste forsøg",
  waits_for_you: "Venter på dig",
  ask_again: "Spørg igen",
  booked_as: "Den blev bogført som …",
  let_go: "Giv slip …",
  adopt_title: (document) => `${document}: blev bogført som`,
  adopt_means: (system) =>
    `Brug dette, når ${system} har bogført dokumentet, og Matchbook ikke kan se det. Kopiér id og nummer derfra: de kan ikke ændres bagefter.`,
  ledger_id: "Id i bogholderiet",
  ledger_id_hint: (system) => `Som ${system} viser det.`,
  number: "Nummer",
  year: "Nummerets år",
  year_hint: "Kun hvor bogholderiets numre begynder forfra hvert år.",
  reason: "Begrundelse",
  reason_hint: "Den gemmes i revisionssporet.",
  adopt: "Ja, den blev bogført som dette",
  release_title: (document) => `${document}: giv slip?`,
  release_means: (system) =>
    `Brug dette, når ${system} ikke har bogført dokumentet. Det bliver en kladde igen og kan udstedes på ny. Spørg to gange først: bogholderiet skal have svaret, at det ikke har det.`,
  release: "Giv slip",
  not_yet: "Ikke endnu",
  ask_twice: "Spørg igen først: bogholderiet skal være gennemsøgt to gange uden at finde det.",
  was_booked:
    "Bogholderiet havde bogført det ved sidste kontrol. Overtag den bogføring, eller slet den dér og spørg igen.",
  busy: "Bogholderiet spørges netop nu. Prøv igen om lidt.",
};
