/** How a line is earned: a pill, and a panel with the five methods and the months in which each earns the line. */
import { calendarDate } from "../../domain/base/calendar.ts";
import { type RecognitionMethod, recognitionMethods } from "../../domain/sales/line.ts";
import { useReader } from "../frame/reader.ts";
import { DayInput } from "../parts/day-input.tsx";
import { amountOf, dayInStyle, dayOf, monthOf } from "../parts/format.ts";
import type { Language } from "../words/words.ts";
import type { LineActs } from "./draft-acts.ts";
import { type LineFields, saidOf } from "./draft-cell.tsx";
import { hoursUnderstood } from "./draft-number.ts";
import type { EarnedIn } from "./draft-sums.ts";
import { methodChosen, type TypedLine } from "./draft-typed.ts";
import { Glyph } from "./glyph.tsx";
import { Popover } from "./popover.tsx";
import { ReadAs } from "./read-as.tsx";

type Props = LineFields & { readonly acts: LineActs; readonly currency: string };

export function Method(props: Props) {
  const { line, index } = props;
  const { words: all, language } = useReader();
  const words = all.draft;
  const name = words.methods[line.method];
  const when = whenOf(line, language, words);
  return (
    <Popover
      class={`method m-${line.method}`}
      label={`${words.method}, ${words.line(index + 1)}: ${name} ${when}`}
      face={
        <>
          <Glyph name={line.method} />
          <span>{name}</span> <span class="when">{when}</span>
          <Glyph name="down" />
        </>
      }
      panel={() => <Methods {...props} />}
    />
  );
}

type Words = ReturnType<typeof useReader>["words"]["draft"];

/** Returns when the line is earned, in a few words. */
function whenOf(line: TypedLine, language: Language, words: Words): string {
  const { method, service_from, service_to, budget } = line;
  if (method === "hours") return words.as_worked;
  if (method === "milestone") return words.when_completed;
  if (method === "progress") return budget === "" ? words.no_budget : words.of_hours(budget);
  const [from, to] = [calendarDate(service_from), calendarDate(service_to)];
  if (method === "on_issue" || from === undefined || to === undefined) return words.on_date;
  const is_same_year = from.slice(0, 4) === to.slice(0, 4);
  const end = is_same_year ? dayInStyle(language, to, "short_date") : dayOf(language, to);
  return `${dayInStyle(language, from, "short_date")} – ${end}`;
}

function Methods(props: Props) {
  const { line, index, set, acts, currency } = props;
  const { words: all } = useReader();
  const words = all.draft;
  const months = acts.months(line, line.method);
  return (
    <fieldset>
      <legend>{`${words.method}, ${words.line(index + 1)}`}</legend>
      {recognitionMethods.map((method) => (
        <div key={method}>
          <label class="row small">
            <input
              type="radio"
              name={`method-${line.key}`}
              checked={method === line.method}
              onInput={() => set(methodChosen(line, method))}
            />
            <span>
              <strong>{words.methods[method]}</strong>
              <small class="quiet">{words.means[method]}</small>
              {method !== line.method && (
                <InShort months={acts.months(line, method)} currency={currency} />
              )}
            </span>
          </label>
          {method === line.method && (
            <div class="of-method">
              <Needed {...props} method={method} />
              {months !== null && <Months months={months} currency={currency} />}
            </div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

/** Shows the fields of a method: the period, or the budget. */
function Needed({
  line,
  index,
  wrong,
  set,
  acts,
  method,
}: Props & { readonly method: RecognitionMethod }) {
  const { words: all, language } = useReader();
  const words = all.draft;
  const of_line = words.line(index + 1);
  const day = (field: "service_from" | "service_to", label: string) => (
    <span class="field">
      <span>{label}</span>
      <DayInput
        class="input soft"
        label={`${label}, ${of_line}`}
        is_named
        value={line[field]}
        today={acts.today}
        {...saidOf(line, field, wrong)}
        onDay={(day) => set({ [field]: day })}
      />
    </span>
  );
  if (method === "value") {
    return (
      <div class="row">
        {day("service_from", words.from)}
        {day("service_to", words.to)}
      </div>
    );
  }
  if (method !== "progress") return null;
  return (
    <label class="field">
      <span>{words.budget}</span>
      <input
        class="input soft num"
        inputMode="decimal"
        maxLength={20}
        aria-label={`${words.budget}, ${of_line}`}
        value={line.budget}
        {...saidOf(line, "budget_hours", wrong)}
        onInput={({ currentTarget }) => set({ budget: currentTarget.value })}
      />
      <ReadAs typed={line.budget} shown={hoursUnderstood(language, line.budget)} />
    </label>
  );
}

interface Earning {
  readonly months: readonly EarnedIn[];
  readonly currency: string;
}

function Months({ months, currency }: Earning) {
  const { words, language } = useReader();
  if (months.length === 0) return <p class="tiny quiet">{words.draft.earned_none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and the keyboard must reach it.
    <ul class="months tiny" tabIndex={0} aria-label={words.draft.earned}>
      {months.map(({ month, earned }) => (
        <li key={month}>
          <span>{monthOf(language, month)}</span>
          <span class="num">{amountOf(language, earned, currency)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Says in one line when another method would earn the line. */
function InShort({ months, currency }: { months: Earning["months"] | null; currency: string }) {
  const { words, language } = useReader();
  const [first, last] = [months?.[0], months?.at(-1)];
  if (months === null || first === undefined || last === undefined) return null;
  const [from, to] = [monthOf(language, first.month), monthOf(language, last.month)];
  const text =
    first === last
      ? `${from}: ${amountOf(language, first.earned, currency)}`
      : words.draft.in_months(months.length, from, to);
  return <small>{text}</small>;
}
