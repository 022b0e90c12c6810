/**
 * The names of months and weekdays, as in CLDR, and the parts of a date in their order. `Intl` has them too, but a browser loads it
 * for the first date of a page: 10 ms, or 40 on a slow processor, before the page works.
 */
import type { Language } from "../words/words.ts";

interface Names {
  readonly months: readonly string[];
  readonly short_months: readonly string[];
  /** From Sunday on, like `Date.getUTCDay`. */
  readonly weekdays: readonly string[];
  readonly short_weekdays: readonly string[];
  /** The mark after the number of a day. */
  readonly after_day: string;
}

const list = (names: string) => names.split(" ");

const NAMES: Readonly<Record<Language, Names>> = {
  en: {
    months: list(
      "January February March April May June July August September October November December",
    ),
    // British English abbreviates only September to four letters.
    short_months: list("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
    weekdays: list("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
    short_weekdays: list("Sun Mon Tue Wed Thu Fri Sat"),
    after_day: "",
  },
  da: {
    months: list(
      "januar februar marts april maj juni juli august september oktober november december",
    ),
    short_months: list("jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec."),
    weekdays: list("søndag mandag tirsdag onsdag torsdag fredag lørdag"),
    short_weekdays: list("søn. man. tirs. ons. tors. fre. lør."),
    after_day: ".",
  },
};

/** The parts of a date `YYYY-MM-DD` as texts of a language. */
export interface DayParts {
  /** `19` or `19.` */
  readonly day: string;
  readonly month: string;
  /** `Nov` or `nov.` */
  readonly short_month: string;
  readonly year: string;
  readonly weekday: string;
  /** `Thu` or `tors.` */
  readonly short_weekday: string;
}

/** Returns the parts of a date. Throws a RangeError for a text that is no date. */
export function dayParts(language: Language, date: string): DayParts {
  const names = NAMES[language];
  const at = new Date(`${date}T12:00:00Z`);
  // Throws for a text that is no date.
  const [year = "", month = ""] = at.toISOString().split("-");
  const of = (all: readonly string[], index: number) => all[index] ?? "";
  return {
    day: `${at.getUTCDate()}${names.after_day}`,
    month: of(names.months, Number(month) - 1),
    short_month: of(names.short_months, Number(month) - 1),
    year,
    weekday: of(names.weekdays, at.getUTCDay()),
    short_weekday: of(names.short_weekdays, at.getUTCDay()),
  };
}
