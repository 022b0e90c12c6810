/** The texts of the week and of the team, in both languages. */
import type { CellLock } from "../../domain/work/cell.ts";
import type { HoursFault } from "../../domain/work/typed-hours.ts";

/** The values in a sentence about a locked cell of the timesheet, with dates and numbers in the reader's format. */
interface LockNames {
  readonly starts_on: string | null;
  readonly ended_on: string | null;
  readonly locked_to: string | null;
  readonly issued_on: string | null;
  readonly number: string | null;
  /** The names of the line's assignees. */
  readonly people: string;
}

type LockSentences = Readonly<Record<CellLock["code"], (names: LockNames) => string>>;

const LOCKED_IN_ENGLISH: LockSentences = {
  INVOICE_ALREADY_ISSUED: ({ issued_on, number }) =>
    issued_on === null || number === null
      ? "Issued: its hours are frozen."
      : `Issued on ${issued_on} as invoice ${number}: its hours are frozen.`,
  INVOICE_ISSUE_IN_PROGRESS: () => "Its invoice is being issued right now.",
  WORK_PERIOD_LOCKED: ({ locked_to }) =>
    locked_to === null ? "Locked." : `Hours are locked up to and including ${locked_to}.`,
  USER_NOT_ASSIGNED: ({ people }) =>
    people === ""
      ? "The line is not assigned to you."
      : `The line is not assigned to you: ask ${people}.`,
  WORK_DATE_OUTSIDE_PERIOD: ({ starts_on, ended_on }) =>
    starts_on !== null
      ? `Starts on ${starts_on}.`
      : ended_on !== null
        ? `Ended on ${ended_on}.`
        : "Nothing is agreed for this day.",
  WORK_DATE_IN_FUTURE: () => "This day is in the future.",
  SERIES_NOT_ACTIVE: () => "The retainer is not active yet.",
  OCCURRENCE_DROPPED: () => "The retainer was ended before this period: its hours do not change.",
  OCCURRENCE_SKIPPED: () => "This period of the retainer is skipped.",
  USER_INACTIVE: () => "This person is no longer active.",
  REGISTRATION_FOR_OTHERS_FORBIDDEN: () => "These are another person's hours.",
  DAILY_HOURS_EXCEEDED: () => "The day is full.",
  NOT_FOUND: () => "The line no longer exists.",
};

const LOCKED_IN_DANISH: LockSentences = {
  INVOICE_ALREADY_ISSUED: ({ issued_on, number }) =>
    issued_on === null || number === null
      ? "Udstedt: timerne ligger fast."
      : `Udstedt ${issued_on} som faktura ${number}: timerne ligger fast.`,
  INVOICE_ISSUE_IN_PROGRESS: () => "Fakturaen er ved at blive udstedt.",
  WORK_PERIOD_LOCKED: ({ locked_to }) =>
    locked_to === null ? "Låst." : `Timer er låst til og med ${locked_to}.`,
  USER_NOT_ASSIGNED: ({ people }) =>
    people === "" ? "Linjen er ikke tildelt dig." : `Linjen er ikke tildelt dig: spørg ${people}.`,
  WORK_DATE_OUTSIDE_PERIOD: ({ starts_on, ended_on }) =>
    starts_on !== null
      ? `Begynder ${starts_on}.`
      : ended_on !== null
        ? `Sluttede ${ended_on}.`
        : "Der er ikke aftalt noget for den dag.",
  WORK_DATE_IN_FUTURE: () => "Dagen ligger i fremtiden.",
  SERIES_NOT_ACTIVE: () => "Den faste aftale er ikke aktiv endnu.",
  OCCURRENCE_DROPPED: () => "Aftalen sluttede før denne periode: timerne ændres ikke.",
  OCCURRENCE_SKIPPED: () => "Denne periode af aftalen er sprunget over.",
  USER_INACTIVE: () => "Personen er ikke aktiv længere.",
  REGISTRATION_FOR_OTHERS_FORBIDDEN: () => "Det er en anden persons timer.",
  DAILY_HOURS_EXCEEDED: () => "Dagen er fuld.",
  NOT_FOUND: () => "Linjen findes ikke længere.",
};

type HoursFaults = Readonly<Record<HoursFault, string>>;

const FAULTS_IN_ENGLISH: HoursFaults = {
  unreadable: "This cannot be read as hours. Type 7.5, 7:30, +1 or =3+2.5.",
  too_fine: "Hours have at most two decimals.",
  below_zero: "That is less than 0.",
};

const FAULTS_IN_DANISH: HoursFaults = {
  unreadable: "Det kan ikke læses som timer. Skriv 7,5, 7:30, +1 eller =3+2,5.",
  too_fine: "Timer har højst to decimaler.",
  below_zero: "Det er mindre end 0.",
};

export const enHours = {
  week: (number: number) => `Week ${number}`,
  week_of: (name: string) => `Hours of ${name}.`,
  hint: "Type hours and continue: a cell is saved when you leave it. 7.5, 7:30, +1 and =3+2.5 all work.",
  before: "Previous week",
  after: "Next week",
  this_week: "This week",
  last_lines: "Lines of last week",
  add_line: "Add a line",
  add: "Add",
  no_more: "All lines that are open for your work are listed here.",
  person: "Whose hours",
  show: "Show",
  team: "Team",
  own: "My work",
  team_hint: "Hours by person and day. A weekday that has passed without hours is marked.",
  name: "Name",
  line: "Line",
  grid: "Hours by line and day",
  hours: "Hours",
  days: "Days of the week",
  sum: "Week",
  day: "Day",
  of_norm: (hours: string) => `of ${hours}`,
  missing: "Missing",
  inactive: "Inactive",
  nothing:
    "No line is open for your work this week. Lines on drafts and retainers to which you are assigned are listed here.",
  gone_line: "A line that no longer exists",
  methods: {
    hours: "By hours",
    value: "Over time",
    progress: "By progress",
    milestone: "At a milestone",
    on_issue: "When issued",
  },
  rate: (amount: string) => `${amount} an hour`,
  budget: (used: string, budget: string) => `${used} of ${budget} h`,
  cell: (line: string, day: string) => `${line}, ${day}`,
  cell_note: (note: string) => `note: ${note}`,
  note: "Note",
  billable: "Billable",
  price: (hours: string, rate: string, amount: string) => `${hours} × ${rate} = ${amount}`,
  several: (count: number, last: string) =>
    `${count} registrations; a change changes the last one, ${last}.`,
  locks: LOCKED_IN_ENGLISH,
  faults: FAULTS_IN_ENGLISH,
  below_others: (hours: string) => `The day's other registrations here are ${hours} already.`,
  too_much: (hours: string, weekday: string) => `That makes ${hours} hours on ${weekday}.`,
  meanwhile: (hours: string) => `Changed elsewhere in the meantime, to ${hours}.`,
  remote: "Show theirs",
  mine: "Keep mine",
  all_saved: "All saved",
  saving: "Saving…",
  unsaved: (count: number) => `${count} not saved yet`,
  offline: (count: number) => `No connection: ${count} not saved yet`,
  again: "Try again",
  left_elsewhere: (week: string) => `Hours of ${week} are not saved yet.`,
  skipped: (count: number) =>
    count === 1 ? "One locked cell is not changed." : `${count} locked cells are not changed.`,
  more: "+0.25",
  less: "−0.25",
  keys: {
    move: "move",
    next: "next line",
    edit: "edit",
    back: "undo",
    note: "note",
    billable: "billable",
    copy: "a cell",
    row: "the row",
    undo: "undo",
    week: "week",
    this_week: "this week",
    add: "add a line",
    last: "lines of last week",
  },
};

export const daHours: typeof enHours = {
  week: (number) => `Uge ${number}`,
  week_of: (name) => `Timer for ${name}.`,
  hint: "Skriv timer, og fortsæt: en celle gemmes, når du forlader den. 7,5, 7:30, +1 og =3+2,5 virker alle.",
  before: "Forrige uge",
  after: "Næste uge",
  this_week: "Denne uge",
  last_lines: "Linjer fra sidste uge",
  add_line: "Tilføj en linje",
  add: "Tilføj",
  no_more: "Alle linjer, der er åbne for dit arbejde, vises her.",
  person: "Timer for",
  show: "Vis",
  team: "Holdet",
  own: "Mit arbejde",
  team_hint: "Timer for hver person og dag. En hverdag, der er gået uden timer, er markeret.",
  name: "Navn",
  line: "Linje",
  grid: "Timer efter linje og dag",
  hours: "Timer",
  days: "Ugens dage",
  sum: "Uge",
  day: "Dag",
  of_norm: (hours) => `af ${hours}`,
  missing: "Mangler",
  inactive: "Inaktiv",
  nothing:
    "Ingen linje er åben for dit arbejde i denne uge. Her vises linjer på kladder og faste aftaler, som du er tildelt.",
  gone_line: "En linje, der ikke findes længere",
  methods: {
    hours: "Efter timer",
    value: "Over tid",
    progress: "Efter fremdrift",
    milestone: "Ved milepæl",
    on_issue: "Ved udstedelse",
  },
  rate: (amount) => `${amount} i timen`,
  budget: (used, budget) => `${used} af ${budget} t`,
  cell: (line, day) => `${line}, ${day}`,
  cell_note: (note) => `note: ${note}`,
  note: "Note",
  billable: "Faktureres",
  price: (hours, rate, amount) => `${hours} × ${rate} = ${amount}`,
  several: (count, last) => `${count} registreringer; en ændring ændrer den sidste, ${last}.`,
  locks: LOCKED_IN_DANISH,
  faults: FAULTS_IN_DANISH,
  below_others: (hours) => `Dagens andre registreringer her er allerede ${hours}.`,
  too_much: (hours, weekday) => `Det bliver ${hours} timer ${weekday}.`,
  meanwhile: (hours) => `Ændret et andet sted i mellemtiden, til ${hours}.`,
  remote: "Vis deres",
  mine: "Behold mit",
  all_saved: "Alt er gemt",
  saving: "Gemmer …",
  unsaved: (count) => `${count} ikke gemt endnu`,
  offline: (count) => `Ingen forbindelse: ${count} ikke gemt endnu`,
  again: "Prøv igen",
  left_elsewhere: (week) => `Timer i ${week} er ikke gemt endnu.`,
  skipped: (count) =>
    count === 1 ? "En låst celle ændres ikke." : `${count} låste celler ændres ikke.`,
  more: "+0,25",
  less: "−0,25",
  keys: {
    move: "flyt",
    next: "næste linje",
    edit: "ret",
    back: "fortryd",
    note: "note",
    billable: "faktureres",
    copy: "en celle",
    row: "rækken",
    undo: "fortryd",
    week: "uge",
    this_week: "denne uge",
    add: "tilføj linje",
    last: "linjer fra sidste uge",
  },
};
