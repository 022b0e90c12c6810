/** The parts of sentences of plans in both languages: names, amounts, days and registrations of work (`da-plans.ts`). */
import { dayFrom } from "./da-warnings.ts";

/** The parts of a sentence by their names in its form. */
type Parts = Readonly<Record<string, string>>;
export type SentenceForm = readonly [form: RegExp, danish: (parts: Parts) => string | undefined];

/** Parts of forms. Quoted text has no quotes in it, and its meaning is never read. */
const KINDS = {
  text: '"[^"]*"',
  day: "\\d{4}-\\d{2}-\\d{2}",
  month: "\\d{4}-\\d{2}",
  money: "-?[\\d,]+(?:\\.\\d+)? (?:[A-Z]{3})?",
  number: "[\\d.]+",
  rhythm: "weekly|monthly|quarterly|half_yearly|yearly",
  any: ".+?",
} as const;

/** Returns the form of a whole sentence, in which `{name:kind}` is a part. */
function formOf(sentence: string): RegExp {
  const written = sentence.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  const source = written.replace(
    /\{(\w+):(\w+)\}/g,
    (_, name: string, kind: keyof typeof KINDS) => `(?<${name}>${KINDS[kind]})`,
  );
  return new RegExp(`^${source}$`, "s");
}

/** A sentence whose parts have their places in both languages. The Danish one is undefined where a part is of an unknown form. */
export function form(sentence: string, danish: (parts: Parts) => string | undefined): SentenceForm {
  return [formOf(sentence), danish];
}

/** A sentence without parts. */
export function fixed(sentence: string, danish: string): SentenceForm {
  return form(sentence, () => danish);
}

export const NOUNS: Readonly<Record<string, string>> = {
  invoice: "fakturaen",
  "credit note": "kreditnotaen",
};

const RHYTHMS: Readonly<Record<string, string>> = {
  weekly: "ugentlig",
  monthly: "månedlig",
  quarterly: "kvartalsvis",
  half_yearly: "halvårlig",
  yearly: "årlig",
};

/** The rhythm of a series, as in `en månedlig aftale`. */
export function rhythmOf(rhythm: string | undefined): string {
  return RHYTHMS[rhythm ?? ""] ?? "";
}

/** `2026-03-10` becomes `10.3.2026`. */
export function day(date: string | undefined): string {
  return dayFrom(date ?? "");
}

/** `1,250.00 DKK` becomes `1.250,00 kr.`; other currencies keep their code. */
export function money(text: string | undefined): string {
  const [amount = "", currency = ""] = (text ?? "").split(" ");
  return `${decimal(amount)} ${currency === "DKK" ? "kr." : currency}`.trim();
}

/** A number with a decimal comma, and points between thousands. */
export function decimal(text: string | undefined): string {
  return (text ?? "").replace(/[.,]/g, (sign) => (sign === "." ? "," : "."));
}

export function linesOf(count: string | undefined): string {
  return count === "1" ? "1 linje" : `${count} linjer`;
}

/** The months of a change of revenue: `2026-03 1.00 DKK becomes 2.00 DKK, …`. */
export function monthsOfRevenue(months: string | undefined): string {
  return (months ?? "")
    .replace(
      new RegExp(`(${KINDS.month}) (${KINDS.money}) becomes (${KINDS.money})`, "g"),
      (_, month: string, before: string, after: string) =>
        `${month} fra ${money(before)} til ${money(after)}`,
    )
    .replace(/, and (\d+) more months$/, " og $1 måneder mere");
}

/** The months of an issue: `2026-03 1.00 DKK, 7 more months through 2027-03, 5.00 DKK when milestones are completed`. */
export function revenueByMonth(months: string | undefined): string {
  const parts = (months ?? "")
    .replace(
      new RegExp(`(${KINDS.month}) (${KINDS.money})`, "g"),
      (_, month: string, amount: string) => `${month} ${money(amount)}`,
    )
    .replace(
      new RegExp(`(${KINDS.money}) when milestones are completed`),
      (_, amount: string) => `${money(amount)}, når milepæle er nået`,
    )
    .replace(/(\d+) more months through/, "$1 måneder mere til og med");
  return `Omsætning pr. måned: ${parts}.`;
}

const FIRST_INVOICE = new RegExp(
  `^(?<of_month>\\d{1,2}) (?<month>[A-Z][a-z]+) (?<year>\\d{4}); invoice of (?<date>${KINDS.day}): (?<was>${KINDS.money})(?: becomes (?<is>${KINDS.money})|, unchanged)$`,
);

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** The first invoice of an edit: `15 January 2027; invoice of 2027-01-15: 22,000.00 DKK becomes 25,000.00 DKK`. */
export function firstInvoice(effect: string): string | undefined {
  const parts = FIRST_INVOICE.exec(effect)?.groups;
  if (parts === undefined) return undefined;
  const { of_month, month = "", year, date, was, is } = parts;
  const amounts =
    is === undefined ? `uændret ${money(was)}` : `${money(was)} bliver til ${money(is)}`;
  const from = `${of_month}.${MONTHS.indexOf(month) + 1}.${year}`;
  return `: fra ${from}; faktura af ${day(date)}: ${amounts}`;
}

const WORK = new RegExp(
  `^(?<hours>${KINDS.number}) hours? of (?<who>${KINDS.text}) on (?<date>${KINDS.day}), (?<line>${KINDS.text}) for (?<customer>${KINDS.text})(?: \\(period (?<period>[^)]+)\\))?(?:, worth (?<worth>${KINDS.money}))?(?<unpaid>, not billable)?(?:, moved from (?<source>${KINDS.text}))?(?<deleted>, deleted)?$`,
);

/** A sentence about registrations of work, which stand between semicolons; undefined where one is of an unknown form. */
export function works(
  sentences: string | undefined,
  sentence: (works: string) => string,
): string | undefined {
  const shown = (sentences ?? "").split(/; (?=(?:[^"]*"[^"]*")*[^"]*$)/).map(work);
  return shown.includes(undefined) ? undefined : sentence(shown.join("; "));
}

/** One registration: who, when, on which line for which customer. */
function work(sentence: string): string | undefined {
  const parts = WORK.exec(sentence)?.groups;
  if (parts === undefined) return undefined;
  const { hours, who, date, line, customer, period, worth, unpaid, source, deleted } = parts;
  const of = period === undefined ? "" : ` (perioden ${period})`;
  const amount = worth === undefined ? "" : `, værdi ${money(worth)}`;
  const free = unpaid === undefined ? "" : ", ikke fakturerbart";
  const unit = hours === "1" ? "time" : "timer";
  const moved = source === undefined ? "" : `, flyttet fra ${source}`;
  const gone = deleted === undefined ? "" : ", slettes";
  return `${decimal(hours)} ${unit} af ${who} den ${day(date)}, ${line} for ${customer}${of}${amount}${free}${moved}${gone}`;
}
