/** Reads what is typed in a form, also what was typed before its island was alive. */
import { useEffect, useRef } from "preact/hooks";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import type { TypedFields } from "../parts/fields.tsx";

/** Fields of the request, which are none of the resource. */
const OF_REQUEST = ["csrf", "customer_id", "seen", "do", "preview", "digest"];
const DAYS = ["start_date", "end_date"];

/** Returns the values of the fields of a form by name. A box that is not checked is empty, a day is `YYYY-MM-DD`. */
function typedIn(form: HTMLFormElement, today: CalendarDate | null): TypedFields {
  const typed: Record<string, string> = {};
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    const { name, value } = field;
    if (name === "" || OF_REQUEST.includes(name)) continue;
    const is_box = field instanceof HTMLInputElement && field.type === "checkbox";
    const day = today !== null && DAYS.includes(name) ? readDay(value, today) : undefined;
    typed[name] = is_box && !field.checked ? "" : day === undefined ? value : (day ?? "");
  }
  return typed;
}

/**
 * Returns the reference of the form. When its island is alive, `setTyped` receives what was typed before: until then it is in the
 * fields alone. `today` is the day from which days are read, or null for a form without any.
 */
export function useTypedBefore(
  setTyped: (change: (now: TypedFields) => TypedFields) => void,
  today: CalendarDate | null,
) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { current } = form;
    if (current === null) return;
    const typed = Object.entries(typedIn(current, today));
    setTyped((now) => {
      const changed = typed.filter(([name, value]) => (now[name] ?? "") !== value);
      return changed.length === 0 ? now : { ...now, ...Object.fromEntries(changed) };
    });
  }, []);
  return form;
}
