/** The texts of the end of a retainer, in both languages. */

const isOne = (count: number): boolean => count === 1;

export const enRetainerEnd = {
  link: "End…",
  title: (name: string) => `End ${name}?`,
  ended: (name: string) => `${name} has ended`,
  strip: "Last period",
  end_with: "End with",
  last_day: "Last day of service",
  last_day_hint: "It may be in the past. A period that contains it is cut.",
  ends_already: (day: string) => `It already ends on ${day}: a new end is an earlier day.`,
  credit: "Invoiced periods beyond it",
  prorated: "Credit the days that are not used",
  no_credit: "Keep them: no credit notes",
  reason: "Reason",
  reason_hint: "For your colleagues; the customer does not see it.",
  effects: "What the end does",
  ends: "Ends on",
  discarded: "The retainer is discarded: nothing of it was invoiced, and nothing will be.",
  credits: "Credit notes",
  no_credits: "None.",
  credit_of: (amount: string, is_full: boolean) =>
    is_full ? `${amount} net, the whole invoice` : `${amount} net, a part of the invoice`,
  dropped: "Dropped periods",
  none_dropped: "None.",
  dropped_text: (names: string, more: number) =>
    more === 0 ? `${names}.` : `${names}, and ${more} more.`,
  hours: "Hours in them",
  hours_of: (hours: string, name: string) => `${hours} h of ${name} would be on no line.`,
  move_to: "Move these hours to",
  move_nowhere: "Leave them: a draft of the customer can take them later",
  months: "Revenue by month",
  month: "Month",
  before: "Before",
  after: "After",
  too_many:
    "The retainer has too many lines to add up its months here. The end itself is possible.",
  discard: "Discard the retainer",
  end_now: (day: string, credited: string | null) =>
    credited === null ? `End on ${day}` : `End on ${day} and credit ${credited}`,
  changed:
    "The retainer has changed since you saw this, and it was not ended. This is the current effect.",
  unmoved: (count: number) =>
    isOne(count)
      ? "The retainer has ended. One registration could not be moved."
      : `The retainer has ended. ${count} registrations could not be moved.`,
};

export const daRetainerEnd: typeof enRetainerEnd = {
  link: "Afslut …",
  title: (name) => `Afslut ${name}?`,
  ended: (name) => `${name} er afsluttet`,
  strip: "Sidste periode",
  end_with: "Slut med",
  last_day: "Ydelsens sidste dag",
  last_day_hint: "Den må ligge tilbage i tiden. En periode, der rummer den, afkortes.",
  ends_already: (day) => `Den slutter allerede den ${day}: en ny slutning er en tidligere dag.`,
  credit: "Fakturerede perioder efter den",
  prorated: "Kreditér de dage, der ikke bruges",
  no_credit: "Behold dem: ingen kreditnotaer",
  reason: "Begrundelse",
  reason_hint: "Til dine kolleger; kunden ser den ikke.",
  effects: "Det sker der",
  ends: "Slutter",
  discarded: "Aftalen kasseres: intet af den er faktureret, og intet bliver det.",
  credits: "Kreditnotaer",
  no_credits: "Ingen.",
  credit_of: (amount, is_full) =>
    is_full ? `${amount} netto, hele fakturaen` : `${amount} netto, en del af fakturaen`,
  dropped: "Perioder, der bortfalder",
  none_dropped: "Ingen.",
  dropped_text: (names, more) => (more === 0 ? `${names}.` : `${names} og ${more} mere.`),
  hours: "Timer i dem",
  hours_of: (hours, name) => `${hours} t af ${name} ville ikke stå på nogen linje.`,
  move_to: "Flyt timerne til",
  move_nowhere: "Lad dem ligge: en kladde til kunden kan tage dem senere",
  months: "Omsætning pr. måned",
  month: "Måned",
  before: "Før",
  after: "Efter",
  too_many:
    "Aftalen har for mange linjer til at lægge dens måneder sammen her. Den kan godt afsluttes.",
  discard: "Kassér aftalen",
  end_now: (day, credited) =>
    credited === null ? `Afslut den ${day}` : `Afslut den ${day} og kreditér ${credited}`,
  changed:
    "Aftalen er ændret, siden du så dette, og den blev ikke afsluttet. Dette er den aktuelle virkning.",
  unmoved: (count) =>
    isOne(count)
      ? "Aftalen er afsluttet. Én registrering kunne ikke flyttes."
      : `Aftalen er afsluttet. ${count} registreringer kunne ikke flyttes.`,
};
