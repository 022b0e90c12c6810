/** The form of a retainer's header: rhythm, first and last day, when its periods are invoiced, and whether they are sent. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import { alignments, frequencies, timingModes } from "../../domain/series/period.ts";
import type { Series } from "../../features/recurring/series/series.ts";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { island as dayField } from "../parts/day-field.tsx";
import { DayInput } from "../parts/day-input.tsx";
import { Entry, Labelled } from "../parts/entry.tsx";
import { fieldsOf, type TypedFields } from "../parts/fields.tsx";

/** The names of the fields, which are those of the API. */
export const HEADER_FIELDS = [
  "frequency",
  "alignment",
  "start_date",
  "end_date",
  "issue_timing.mode",
  "issue_timing.offset_days",
  "auto_send",
] as const;

/** The fields at which refusals of the whole header are shown. */
export const HEADER_BLAMES = {
  SERIES_TIMING_CONFLICT: "issue_timing.mode",
  SERIES_END_BEFORE_ISSUED: "end_date",
  FINAL_PERIOD_ALREADY_ISSUED: "end_date",
} as const;

/** Returns the values of the form, as the API takes them; `today` is the day from which typed days are read. */
export function sentHeader(form: TypedFields, today: CalendarDate): Record<string, unknown> {
  const mode = form["issue_timing.mode"] ?? "";
  const typed = form["issue_timing.offset_days"]?.trim() ?? "";
  const offset_days = /^-?\d{1,3}$/.test(typed) ? Number(typed) : typed;
  return {
    frequency: form.frequency ?? "",
    alignment: form.alignment ?? "",
    start_date: dayTyped(form.start_date, today) ?? "",
    end_date: dayTyped(form.end_date, today),
    issue_timing: {
      mode,
      ...(typed === "" || mode === "manual" ? {} : { offset_days }),
    },
    auto_send: form.auto_send === "" ? null : form.auto_send === "true",
  };
}

/** Returns the day that is meant; null for none, and a text that means no day as it is, which the command refuses. */
function dayTyped(typed: string | undefined, today: CalendarDate): string | null {
  const day = readDay(typed ?? "", today);
  return day === undefined ? (typed ?? "") : day;
}

/** Returns the values of the fields for a stored series. */
export function typedHeader(series: Series): TypedFields {
  return {
    frequency: series.frequency,
    alignment: series.alignment,
    start_date: series.start_date,
    end_date: series.end_date ?? "",
    "issue_timing.mode": series.timing.mode,
    "issue_timing.offset_days": String(series.timing.offset_days),
    auto_send: series.auto_send === null ? "" : String(series.auto_send),
  };
}

export function HeaderFields(props: {
  typed: TypedFields;
  faults: Faults;
  today: CalendarDate;
  /** Receives a day that has changed, inside an island; without it the fields are islands of their own. */
  onDay?: (name: "start_date" | "end_date", day: string) => void;
}) {
  const { typed, faults, today, onDay } = props;
  const { words: all } = useReader();
  const words = all.retainer_draft;
  const { select } = fieldsOf(typed, faults);
  const day = (name: "start_date" | "end_date", label: string, hint: string) => (
    <Labelled
      name={name}
      label={label}
      hint={hint}
      faults={faults}
      field={(said) => {
        const field = {
          id: name,
          name,
          label,
          value: dayTyped(typed[name], today) ?? "",
          today,
          is_required: name === "start_date",
          ...said,
        };
        if (onDay === undefined) return <Island of={dayField} with={field} />;
        return <DayInput {...field} onDay={(next) => onDay(name, next)} />;
      }}
    />
  );
  return (
    <fieldset class="fields two-columns">
      <legend>{words.rhythm}</legend>
      {select(
        "frequency",
        words.every,
        frequencies.map((one) => [one, all.retainer.rhythms[one]]),
      )}
      {select(
        "alignment",
        words.alignment,
        alignments.map((one) => [one, words.alignments[one]]),
      )}
      {day("start_date", words.start, words.start_hint)}
      {day("end_date", words.end, words.end_hint)}
      {select(
        "issue_timing.mode",
        words.timing,
        timingModes.map((one) => [one, words.timings[one]]),
      )}
      <Entry
        name="issue_timing.offset_days"
        label={words.offset}
        hint={words.offset_hint}
        value={typed["issue_timing.offset_days"] ?? "0"}
        most={4}
        faults={faults}
      />
      {select("auto_send", words.sends, [
        ["", words.send_as_account],
        ["true", words.send_yes],
        ["false", words.send_no],
      ])}
    </fieldset>
  );
}
