/** The texts of the list of retainers and of a retainer's page, in both languages. */
import type { OccurrenceState } from "../../features/recurring/series/schemas.ts";

const EVERY_IN_ENGLISH = {
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  half_yearly: "half-year",
  yearly: "year",
};

export const enRetainers = {
  title: "Retainers",
  add: "New retainer",
  none: "A retainer invoices itself: a customer, lines, a rhythm and a first day.",
  none_next: "Start one for a customer you invoice regularly.",
  none_seen:
    "No retainer has a line of yours. Retainers with a line assigned to you are listed here.",
  groups: { active: "Active", draft: "Drafts", ended: "Ended" },
  all: "Show all",
  months: "Retainers by month",
  months_hint: "6 months back, 12 ahead, net, without drafts",
  no_period: "no period",
  states: {
    issued: (count: number) => `${count} issued`,
    scheduled: (count: number) => `${count} scheduled`,
    failed: (count: number) => `${count} failed`,
    skipped: (count: number) => `${count} skipped`,
    dropped: (count: number) => `${count} dropped`,
  } satisfies Record<OccurrenceState, (count: number) => string>,
  customer: "Customer",
  what: "What",
  and_more: (text: string, count: number) => (count === 0 ? text : `${text} and ${count} more`),
  no_lines: "No lines yet",
  net: "Net a period",
  net_hours: "and hours",
  a: (every: keyof typeof EVERY_IN_ENGLISH) => `a ${EVERY_IN_ENGLISH[every]}`,
  next: "Next",
  next_none: "Nothing left",
  next_states: {
    scheduled: "Scheduled",
    late: "Waits for you",
    manual: "Issue it yourself",
    failed: "Failed",
    pending: "Being issued",
    draft: "Not active",
  },
  earned: "Earned, not invoiced",
  too_many: "There are too many waiting lines to add up here.",
  ends: "Ends",
  no_end: "No end",
  of_customer: (name: string) => `Only those of ${name}`,
};

const EVERY_IN_DANISH: typeof EVERY_IN_ENGLISH = {
  weekly: "uge",
  monthly: "måned",
  quarterly: "kvartal",
  half_yearly: "halvår",
  yearly: "år",
};

export const daRetainers: typeof enRetainers = {
  title: "Faste aftaler",
  add: "Ny fast aftale",
  none: "En fast aftale fakturerer sig selv: en kunde, linjer, en rytme og en første dag.",
  none_next: "Opret en for en kunde, I fakturerer regelmæssigt.",
  none_seen:
    "Ingen fast aftale har en linje til dig. Aftaler med en linje, du er tildelt, står her.",
  groups: { active: "Aktive", draft: "Kladder", ended: "Afsluttede" },
  all: "Vis alle",
  months: "Faste aftaler pr. måned",
  months_hint: "6 måneder tilbage, 12 frem, netto, uden kladder",
  no_period: "ingen periode",
  states: {
    issued: (count) => `${count} ${count === 1 ? "udstedt" : "udstedte"}`,
    scheduled: (count) => `${count} ${count === 1 ? "planlagt" : "planlagte"}`,
    failed: (count) => `${count} ${count === 1 ? "fejlet" : "fejlede"}`,
    skipped: (count) => `${count} sprunget over`,
    dropped: (count) => `${count} ${count === 1 ? "bortfaldet" : "bortfaldne"}`,
  },
  customer: "Kunde",
  what: "Hvad",
  and_more: (text, count) => (count === 0 ? text : `${text} og ${count} mere`),
  no_lines: "Ingen linjer endnu",
  net: "Netto pr. periode",
  net_hours: "og timer",
  a: (every) => `pr. ${EVERY_IN_DANISH[every]}`,
  next: "Næste",
  next_none: "Intet tilbage",
  next_states: {
    scheduled: "Planlagt",
    late: "Venter på dig",
    manual: "Udsted den selv",
    failed: "Fejlet",
    pending: "Udstedes",
    draft: "Ikke aktiv",
  },
  earned: "Optjent, ikke faktureret",
  too_many: "Der er for mange ventende linjer til at lægge dem sammen her.",
  ends: "Slutter",
  no_end: "Ingen slutdato",
  of_customer: (name) => `Kun dem for ${name}`,
};
