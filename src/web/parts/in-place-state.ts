/** The state of a field that is edited in its place: the typed text, the save under way, and its outcome. Pure. */
import { type Answer, firstReason } from "../browser/send.ts";
import type { Refusal } from "../words/refusal.ts";

export interface InPlaceState<Value> {
  /** The typed text; null where the field shows the stored value. */
  readonly typed: string | null;
  readonly status: "still" | "saving" | "saved" | "unsaved" | Refusal;
  readonly sending: { readonly text: string; readonly value: Value } | null;
  /** Whether the person has left the field since the last key press. */
  readonly is_left: boolean;
}

export interface InPlaceRules<Value> {
  /** Reads the typed value, or returns why it cannot be saved. */
  read(typed: string): { readonly value: Value } | { readonly refusal: Refusal };
  isStored(value: Value): boolean;
}

export type InPlaceEvent<Value> =
  | { readonly kind: "type"; readonly text: string }
  | { readonly kind: "reset" }
  | { readonly kind: "leave"; readonly rules: InPlaceRules<Value> }
  | {
      readonly kind: "answer";
      readonly answer: Answer<unknown>;
      readonly rules: InPlaceRules<Value>;
    };

export const UNTOUCHED = { typed: null, status: "still", sending: null, is_left: false } as const;

export function inPlaceAfter<Value>(
  state: InPlaceState<Value>,
  event: InPlaceEvent<Value>,
): InPlaceState<Value> {
  switch (event.kind) {
    case "type":
      return { ...state, typed: event.text, is_left: false };
    case "reset":
      return { ...UNTOUCHED, sending: state.sending };
    case "leave":
      return left(state, event.rules);
    case "answer":
      return answered(state, event.answer, event.rules);
  }
}

/** Returns the state after leaving the field. One save runs at a time: text left during it waits for the response. */
function left<Value>(
  state: InPlaceState<Value>,
  { read, isStored }: InPlaceRules<Value>,
): InPlaceState<Value> {
  const { typed, sending } = state;
  const after = { ...state, is_left: true };
  if (typed === null || sending !== null) return after;
  const found = read(typed);
  if ("refusal" in found) return { ...after, status: found.refusal };
  if (isStored(found.value)) return UNTOUCHED;
  return { ...after, status: "saving", sending: { text: typed, value: found.value } };
}

function answered<Value>(
  state: InPlaceState<Value>,
  answer: Answer<unknown>,
  rules: InPlaceRules<Value>,
): InPlaceState<Value> {
  const { typed, sending, is_left } = state;
  if (sending === null) return state;
  const is_done = "done" in answer;
  if (typed === sending.text) {
    if (is_done) return { ...UNTOUCHED, status: "saved" };
    const status = "lost" in answer ? "unsaved" : firstReason(answer.refused);
    return { ...state, sending: null, status };
  }
  // After a reset during the save, a refusal is not shown.
  if (typed === null) return { ...UNTOUCHED, status: is_done ? "saved" : "still" };
  const over = { ...state, sending: null, status: "still" as const };
  return is_left ? left(over, rules) : over;
}
