/** The sentence of an explanation: in English that of the API, in Danish one that says the same. */
import { addToMonth, lastDayOf, type Month } from "../../domain/base/calendar.ts";
import { dayOf, moneyOfNumber, monthOf, plainNumber } from "../parts/format.ts";
import type { Language } from "../words/words.ts";
import type { ExplanationShown } from "./explanation-shown.ts";

type Progress = NonNullable<ExplanationShown["progress"]>;

/** Returns the sentence that explains the month. */
export function sentenceOf(language: Language, shown: ExplanationShown): string {
  return language === "da" ? sentenceInDanish(shown) : shown.sentence;
}

/** Returns the words beside the amount that is earned through a day, such as `2 of 3 months by 31 March`. */
export function partOf(language: Language, shown: ExplanationShown, through: string): string {
  return language === "da" ? partInDanish(shown, through) : partInEnglish(shown, through);
}

function partInEnglish({ progress, service_from, service_to }: ExplanationShown, day: string) {
  if (progress === null) return `Earned by ${day}`;
  const { unit } = progress;
  const [part, whole] = [shortened(progress.part), shortened(progress.whole)];
  const span =
    service_from === null || service_to === null
      ? ""
      : `${dayOf("en", service_from)} – ${dayOf("en", service_to)}: `;
  if (unit === "months" || unit === "days") return `${span}${part} of ${whole} ${unit} by ${day}`;
  if (unit === "hours") return `${part} of ${whole} budgeted hours by ${day}`;
  return `Earned by ${day}`;
}

const DANISH_UNITS = { months: "måneder", days: "dage", hours: "budgetterede timer" } as const;

function partInDanish({ progress, service_from, service_to }: ExplanationShown, day: string) {
  if (progress === null) return `Optjent til og med ${day}`;
  const { unit } = progress;
  const span =
    service_from === null || service_to === null || unit === "hours"
      ? ""
      : `${dayOf("da", service_from)} – ${dayOf("da", service_to)}: `;
  if (unit === "months" || unit === "days" || unit === "hours") {
    return `${span}${shareInDanish(progress)} ${DANISH_UNITS[unit]} til og med ${day}`;
  }
  return `Optjent til og med ${day}`;
}

/** Writes `1 af 3`; the parts are decimal text with a point. */
function shareInDanish({ part, whole }: Progress): string {
  return `${shortened(part).replace(".", ",")} af ${shortened(whole).replace(".", ",")}`;
}

/** Returns decimal text without zeros at its end: `2.500000` is `2.5`. */
function shortened(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}

function sentenceInDanish(shown: ExplanationShown): string {
  const month = shown.month as Month;
  const money = (amount: number) => moneyOfNumber("da", amount, shown.currency);
  const dayBy = (at: Month) => dayOf("da", lastDayOf(at));
  if (shown.recognition_method === null) {
    const booked = shown.accruals.map(
      ({ accrual_month, status, earned, currency }) =>
        `Bilaget for ${monthOf("da", accrual_month)} ${status === "booked" ? "har bogført" : "vil bogføre"} ${moneyOfNumber("da", earned, currency)}.`,
    );
    return [`Linjen er fjernet: Den optjente intet i ${monthOf("da", month)}.`, ...booked].join(
      " ",
    );
  }
  const is_rounded = /…$/.test(shown.exact_to_date);
  const rounded = is_rounded ? `, afrundet fra ${shown.exact_to_date.replace(".", ",")}` : "";
  const credits =
    shown.amount === shown.net ? "" : ` Efter kreditnotaer er beløbet ${money(shown.net)}.`;
  return [
    `I ${monthOf("da", month)} optjente linjen ${money(shown.earned)}:`,
    `${money(shown.earned_to_date)} til og med ${dayBy(month)}${rounded},`,
    `minus ${money(shown.earned_before)} til og med ${dayBy(addToMonth(month, -1))}.`,
    `${basisInDanish(shown, money)}${credits}`,
  ].join(" ");
}

/** Says of which amount the earned part is, and by what it is measured. */
function basisInDanish(shown: ExplanationShown, money: (amount: number) => string): string {
  const { progress, service_from, service_to, issue_date, completed_on } = shown;
  const less = shown.discount === 0 ? "" : ` minus ${plainNumber("da", shown.discount)} %`;
  const price =
    shown.recognition_method === "hours"
      ? `Timerne giver ${money(shown.amount)} i alt`
      : `Den aftalte pris er ${money(shown.agreed_value ?? 0)}${less}`;
  if (progress === null) return `${price}.`;
  switch (progress.unit) {
    case "months":
    case "days": {
      const span = `${dayOf("da", service_from ?? "")} til ${dayOf("da", service_to ?? "")}`;
      return `${price}, fordelt over ${span}: ${shareInDanish(progress)} ${DANISH_UNITS[progress.unit]}.`;
    }
    case "hours":
      return `${price}, optjent efter fremdrift: ${shareInDanish(progress)} budgetterede timer.`;
    case "currency":
      return shown.recognition_method === "hours"
        ? `${price}, optjent efterhånden som der arbejdes.`
        : `${price}, optjent efter fremdrift: ${shareInDanish(progress)}.`;
    case "issue":
      return issue_date === null
        ? `${price}, optjent ved udstedelsen, som ikke er sket.`
        : `${price}, optjent ved udstedelsen ${dayOf("da", issue_date)}.`;
    case "completion":
      return completed_on === null
        ? `${price}, optjent når milepælen er nået, hvad den ikke er.`
        : `${price}, optjent med milepælen, der blev nået ${dayOf("da", completed_on)}.`;
  }
}
