/**
 * A field that is edited in its place. It is saved when the person leaves it, one save at a time; Escape resets it. Text that is
 * typed during a save stays; if the person has left the field, it is saved next.
 */
import { useRef, useState } from "preact/hooks";
import { type Answer, firstReason } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { Refusal } from "../words/refusal.ts";

interface Props<Value> {
  /** Identifies the field, and connects it to its status for screen readers. */
  readonly id: string;
  readonly label: string;
  /** The stored value, as text. */
  readonly shown: string;
  readonly input: { readonly inputMode?: "decimal"; readonly maxLength: number };
  /** The typed value, or why it cannot be saved. */
  read(typed: string): { readonly value: Value } | { readonly refusal: Refusal };
  isStored(value: Value): boolean;
  /** Saves the value. What the answer has as `done` is shown from then on. */
  save(value: Value): Promise<Answer<unknown>>;
}

type State = "still" | "saving" | "saved" | "unsaved" | Refusal;

export function InPlace<Value>(props: Props<Value>) {
  const { id, label, shown, input } = props;
  const { words } = useReader();
  const [typed, setTyped] = useState<string | null>(null);
  const [state, setState] = useState<State>("still");
  // An answer needs what is typed and stored when it arrives, not what was when the save began.
  const now = useRef({ typed, is_saving: false, is_left: false, props });
  now.current.props = props;

  function type(text: string | null): void {
    now.current.typed = text;
    now.current.is_left = false;
    setTyped(text);
  }

  function takeBack(): void {
    type(null);
    setState("still");
  }

  async function leave(): Promise<void> {
    const { typed: text, is_saving } = now.current;
    now.current.is_left = true;
    if (text === null || is_saving) return;
    const read = now.current.props.read(text);
    if ("refusal" in read) return setState(read.refusal);
    if (now.current.props.isStored(read.value)) return takeBack();
    setState("saving");
    now.current.is_saving = true;
    const answer = await now.current.props.save(read.value);
    now.current.is_saving = false;
    const is_as_sent = now.current.typed === text;
    if (is_as_sent && "done" in answer) type(null);
    if (is_as_sent || now.current.typed === null) return setState(stateAfter(answer, is_as_sent));
    setState("still");
    // Text that was typed and left during this save has waited for its end.
    if (now.current.is_left) await leave();
  }

  const fault = typeof state === "object" ? words.refused(state) : null;
  const said = fault ?? (typeof state === "string" && state !== "still" ? words.saving[state] : "");
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
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={leave}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") currentTarget.blur();
          if (key === "Escape") takeBack();
        }}
      />
      <span id={described} role="status" class={fault === null ? "tiny quiet" : "fault"}>
        {said}
      </span>
    </>
  );
}

/** After a reset during the save, a refusal is not shown. */
function stateAfter(answer: Answer<unknown>, is_wanted: boolean): State {
  if ("done" in answer) return "saved";
  if (!is_wanted) return "still";
  return "lost" in answer ? "unsaved" : firstReason(answer.refused);
}
