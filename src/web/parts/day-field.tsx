/**
 * The field for a day as an island of its own, in forms and filters that the server reads. It says what is wrong with a typed day
 * when it is left; without scripts the server says it.
 */
import { useState } from "preact/hooks";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import { islandOf } from "../browser/island.ts";
import { useReader } from "../frame/reader.ts";
import { DayInput, type DayInputProps } from "./day-input.tsx";

type Props = Omit<DayInputProps, "onDay" | "onLeave"> & {
  /** The last day that the field takes, and what is said of a later one. */
  readonly latest?: LatestDay;
};

export interface LatestDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly said: string;
}

function DayField({ latest, ...field }: Props) {
  const { words } = useReader();
  const [note, setNote] = useState("");
  const id = `${field.name}-note`;
  function left(text: string): void {
    // The server has said already what is wrong with it.
    if (field["aria-invalid"] && text === field.value) return;
    const day = readDay(text, field.today as CalendarDate);
    const is_late = latest !== undefined && (day ?? "") > latest.day;
    setNote(day === undefined ? words.draft.must_be_day : is_late ? latest.said : "");
  }
  const described = [field["aria-describedby"], note && id].filter(Boolean).join(" ");
  return (
    <>
      <DayInput
        {...field}
        {...(note === "" ? {} : { "aria-invalid": "true" as const })}
        {...(described === "" ? {} : { "aria-describedby": described })}
        onDay={() => setNote("")}
        onLeave={left}
      />
      {note !== "" && (
        <span class="fault" id={id}>
          {note}
        </span>
      )}
    </>
  );
}

export const island = islandOf<Props>({ name: "day-field", View: DayField });
