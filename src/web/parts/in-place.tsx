/**
 * A field that is edited in its place. It is saved when the person leaves it, one save at a time; Escape resets it. Text that is
 * typed during a save stays; if the person has left the field, it is saved next.
 */
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import type { Answer } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { type InPlaceRules, type InPlaceState, inPlaceAfter, UNTOUCHED } from "./in-place-state.ts";

interface Props<Value> extends InPlaceRules<Value> {
  /** Identifies the field, and connects it to its status for screen readers. */
  readonly id: string;
  readonly label: string;
  /** The stored value, as text. */
  readonly shown: string;
  readonly input: { readonly inputMode?: "decimal"; readonly maxLength: number };
  /** Saves the value. The field then shows the value in the response's `done`. */
  save(value: Value): Promise<Answer<unknown>>;
}

export function InPlace<Value>(props: Props<Value>) {
  const { id, label, shown, input } = props;
  const { words } = useReader();
  const [state, dispatch] = useReducer(inPlaceAfter<Value>, UNTOUCHED as InPlaceState<Value>);
  const { typed, status, sending } = state;
  // A response is compared with the stored value when it arrives.
  const newest = useRef(props);
  newest.current = props;
  // Sent before a click on a link can leave the page.
  useLayoutEffect(() => {
    if (sending === null) return;
    void props.save(sending.value).then((answer) => {
      dispatch({ kind: "answer", answer, rules: newest.current });
    });
  }, [sending]);

  const fault = typeof status === "object" ? words.refused(status) : null;
  const said =
    fault ?? (typeof status === "string" && status !== "still" ? words.saving[status] : "");
  const described = `said-${id}`;
  return (
    <>
      <input
        class="input in-place"
        {...input}
        aria-label={label}
        aria-describedby={described}
        value={typed ?? shown}
        {...(fault === null ? {} : { "aria-invalid": "true" as const })}
        onInput={({ currentTarget }) => dispatch({ kind: "type", text: currentTarget.value })}
        onBlur={() => dispatch({ kind: "leave", rules: props })}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") currentTarget.blur();
          if (key === "Escape") dispatch({ kind: "reset" });
        }}
      />
      <span id={described} role="status" class={fault === null ? "tiny quiet" : "fault"}>
        {said}
      </span>
    </>
  );
}
