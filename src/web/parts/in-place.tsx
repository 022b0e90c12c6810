/**
 * A field that is edited where it stands: saved when it is left, one save at a time, taken back by Escape. What is typed while a save
 * is under way stays, and is saved after it when it was left.
 */
import { useRef, useState } from "preact/hooks";
import { type Answer, toldOf } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { Refusal } from "../words/refusal.ts";

interface Props<Value> {
  /** Names the field for who does not see it, and ties it to what is said of it. */
  readonly id: string;
  readonly label: string;
  /** What is stored, as it is written. */
  readonly shown: string;
  readonly input: { readonly inputMode?: "decimal"; readonly maxLength: number };
  /** What was typed, or why it is nothing that can be saved. */
  read(typed: string): { readonly value: Value } | { readonly refusal: Refusal };
  isStored(value: Value): boolean;
  /** Asks for it; what is `done` is what is shown from then on. */
  save(value: Value): Promise<Answer<unknown>>;
}

type State = "still" | "saving" | "saved" | "unsaved" | Refusal;

export function InPlace<Value>(props: Props<Value>) {
  const { id, label, shown, input } = props;
  const { words } = useReader();
  const [typed, draw] = useState<string | null>(null);
  const [state, tell] = useState<State>("still");
  // An answer finds what is typed by then, and what is stored by then, not what was when it was asked for.
  const now = useRef({ typed, is_saving: false, is_left: false, props });
  now.current.props = props;

  function type(text: string | null): void {
    now.current.typed = text;
    now.current.is_left = false;
    draw(text);
  }

  function takeBack(): void {
    type(null);
    tell("still");
  }

  async function leave(): Promise<void> {
    const { typed: text, is_saving } = now.current;
    now.current.is_left = true;
    if (text === null || is_saving) return;
    const read = now.current.props.read(text);
    if ("refusal" in read) return tell(read.refusal);
    if (now.current.props.isStored(read.value)) return takeBack();
    tell("saving");
    now.current.is_saving = true;
    const answer = await now.current.props.save(read.value);
    now.current.is_saving = false;
    const is_as_sent = now.current.typed === text;
    if (is_as_sent && "done" in answer) type(null);
    if (is_as_sent || now.current.typed === null) return tell(stateAfter(answer, is_as_sent));
    tell("still");
    // What was typed since waits for this when it was left before.
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

/** Of what was taken back meanwhile nobody wants to know that it was refused. */
function stateAfter(answer: Answer<unknown>, is_wanted: boolean): State {
  if ("done" in answer) return "saved";
  if (!is_wanted) return "still";
  return "lost" in answer ? "unsaved" : toldOf(answer.refused);
}
