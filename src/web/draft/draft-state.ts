/** The pure state of the draft editor. It names the request in progress; the response is an event like any other. */
import { calendarDate } from "../../domain/base/calendar.ts";
import type { Refused } from "../browser/send.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import { productChosen } from "./draft-product.ts";
import type { DraftStored } from "./draft-stored.ts";
import { type DraftFacts, type DraftSums, type ProductFacts, sumsOf } from "./draft-sums.ts";
import {
  type DraftChanges,
  saysTheSame,
  type TypedDraft,
  type TypedFaults,
  type TypedLine,
  withIds,
  withLine,
  withLineUnderstood,
} from "./draft-typed.ts";

/** Pauses in milliseconds: after the last key press, and before a save without a response is repeated. */
const PAUSE_MS = 600;
const AGAIN_MS = 3_000;
const MOST_UNDONE = 200;

/** The field under which the editor reports a draft that its author could no longer see. */
export const OWN_FIELDS = "lines";

/** One request: the typed draft in the form that the command takes, based on the version `seen`. */
export interface DraftSave {
  readonly typed: TypedDraft;
  readonly sent: DraftChanges & { readonly id: string; readonly seen: string };
}

/** The part of a draft that the browser keeps while it is not stored yet. */
export interface DraftCopy {
  /** The version that the person had seen. */
  readonly version: string;
  readonly typed: TypedDraft;
}

export interface DraftState {
  /** The user who types. */
  readonly person: string;
  readonly language: Language;
  readonly typed: TypedDraft;
  readonly stored: DraftStored;
  /** The stored draft, as it was typed. */
  readonly kept: TypedDraft;
  /** The products that were chosen since the page was opened. */
  readonly found: readonly ProductFacts[];
  readonly sending: DraftSave | null;
  /** Whether the last save got no response. */
  readonly is_lost: boolean;
  /** The refused values of the typed draft, by field. */
  readonly refused: ReadonlyMap<string, Refusal>;
  /** The version that another person made meanwhile. */
  readonly remote: string | null;
  /** The earlier typed drafts, the newest last. */
  readonly undo: readonly TypedDraft[];
  /** The key of a line that was added and not left yet: its faults are not shown. */
  readonly fresh: string | null;
  /** The address to open as soon as everything is stored. */
  readonly leaving: { readonly to: string } | null;
}

export type DraftEvent =
  | { readonly kind: "restore"; readonly copy: DraftCopy }
  | { readonly kind: "type"; readonly change: (draft: TypedDraft) => TypedDraft }
  | { readonly kind: "add"; readonly line: TypedLine }
  /** A field of a line was left, or the whole line. */
  | { readonly kind: "field_left" | "line_left"; readonly key: string }
  | { readonly kind: "choose"; readonly key: string; readonly product: ProductFacts }
  | { readonly kind: "undo" | "save" | "keep_mine" }
  | { readonly kind: "leave"; readonly to: string }
  | { readonly kind: "refresh"; readonly stored: DraftStored }
  | AnswerEvent;

/** The outcome of the save under way. */
export type AnswerEvent =
  | { readonly kind: "lost" }
  | { readonly kind: "done"; readonly stored: DraftStored }
  /** `current` is the stored draft where the save was based on an older version. */
  | { readonly kind: "refused"; readonly refused: Refused; readonly current: DraftStored | null };

/** Returns the state of a stored draft; `person` is the user who types. */
export function draftFrom(stored: DraftStored, person: string, language: Language): DraftState {
  return {
    person,
    language,
    typed: stored.typed,
    stored,
    kept: stored.typed,
    found: [],
    sending: null,
    is_lost: false,
    refused: new Map(),
    remote: null,
    undo: [],
    fresh: null,
    leaving: null,
  };
}

/** Returns the facts of the stored draft, with the products that were chosen since. */
export function draftFacts({ stored: { facts }, found }: DraftState): DraftFacts {
  const known = new Set(facts.products.map(({ id }) => id));
  return { ...facts, products: [...facts.products, ...found.filter(({ id }) => !known.has(id))] };
}

/**
 * Returns the sums of the typed draft, with its faults. A person who does not see the whole account sees only drafts with a line
 * of their own. A draft without such a line has a fault, so that it is not saved.
 */
export function draftSums(state: DraftState): DraftSums {
  const { typed, stored, person, language } = state;
  const sums = sumsOf(typed, draftFacts(state), language);
  const is_seen =
    stored.own_months === null ||
    typed.lines.some(({ assignees }) => assignees.some(({ user_id }) => user_id === person));
  if (is_seen) return sums;
  const fault = { code: "not_allowed", message: "" } as const;
  return { ...sums, faults: new Map([...sums.faults, [OWN_FIELDS, fault]]) };
}

/** Returns the faults that are shown: a line that was just added has none until it is left. */
export function shownFaults({ typed, fresh }: DraftState, faults: TypedFaults): TypedFaults {
  const index = typed.lines.findIndex(({ key }) => key === fresh);
  if (index < 0) return faults;
  return new Map([...faults].filter(([field]) => !field.startsWith(`lines[${index}].`)));
}

/** Returns how far the typed draft is stored. */
export function savingOf(
  state: DraftState,
): "saved" | "typing" | "saving" | "lost" | "refused" | "changed" {
  const { typed, kept, sending, is_lost, refused, remote } = state;
  if (remote !== null) return "changed";
  if (typed === kept) return "saved";
  if (sending?.typed === typed) return "saving";
  if (is_lost) return "lost";
  return refused.size > 0 ? "refused" : "typing";
}

/** Returns the pause before the draft is saved without a request of the person, in milliseconds; null where no save follows. */
export function pauseOf(state: DraftState): number | null {
  if (state.sending !== null) return null;
  const saving = savingOf(state);
  if (saving === "lost") return AGAIN_MS;
  return saving === "typing" ? PAUSE_MS : null;
}

/** Returns the copy that the browser keeps until the draft is stored; null when all of it is stored. */
export function copyOf({ typed, kept, stored }: DraftState): DraftCopy | null {
  return typed === kept ? null : { version: stored.version, typed };
}

/** Returns the address to which a person leaves now: null until everything is stored. */
export function exitOf({ leaving, typed, kept }: DraftState): DraftState["leaving"] {
  return typed === kept ? leaving : null;
}

export function draftAfter(state: DraftState, event: DraftEvent): DraftState {
  const { stored, remote } = state;
  switch (event.kind) {
    case "restore":
      return restored(state, event.copy);
    case "type":
      return retyped(state, event.change(state.typed));
    case "add": {
      const { line } = event;
      const { typed } = state;
      return { ...retyped(state, { ...typed, lines: [...typed.lines, line] }), fresh: line.key };
    }
    case "field_left":
      return understood(state, event.key);
    case "line_left":
      return understood(state.fresh === event.key ? { ...state, fresh: null } : state, event.key);
    case "undo":
      return undone(state);
    case "choose":
      return chosen(state, event.key, event.product);
    case "save":
      return saved(state);
    case "leave":
      return leftOrSaved({ ...state, leaving: { to: event.to } });
    case "keep_mine":
      if (remote === null) return state;
      return saved({ ...state, stored: { ...stored, version: remote }, remote: null });
    case "refresh": {
      // A change outside the draft: the typed text and the version that was seen stay.
      const { facts, view, warnings } = event.stored;
      return { ...state, stored: { ...stored, facts, view, warnings } };
    }
    default:
      return answered(state, event);
  }
}

/** Resumes the draft that was typed before the page was left. */
function restored(state: DraftState, { version, typed }: DraftCopy): DraftState {
  const { stored, language } = state;
  if (saysTheSame(typed, stored.typed, language)) return state;
  if (version === stored.version) return saved({ ...state, typed });
  return { ...state, typed, stored: { ...stored, version }, remote: stored.version };
}

function retyped(state: DraftState, typed: TypedDraft): DraftState {
  if (typed === state.typed) return state;
  const undo = [...state.undo, state.typed].slice(-MOST_UNDONE);
  return { ...state, typed, undo, is_lost: false, refused: new Map(), leaving: null };
}

/**
 * Shows the numbers of a line as they were understood. The content stays the same, so the draft is stored as far as it was, and
 * a save under way is still the save of this draft.
 */
function understood(state: DraftState, key: string): DraftState {
  const { typed, kept, sending, language, stored } = state;
  const next = withLineUnderstood(typed, key, language, stored.facts.currency);
  if (next === typed) return state;
  return {
    ...state,
    typed: next,
    kept: kept === typed ? next : kept,
    sending: sending?.typed === typed ? { ...sending, typed: next } : sending,
  };
}

/** Makes a product that of a line; from then on, the draft knows the product. */
function chosen(state: DraftState, key: string, product: ProductFacts): DraftState {
  const { typed, found, language } = state;
  const { products, ...facts } = draftFacts(state);
  const line = typed.lines.find((one) => one.key === key);
  if (line === undefined) return state;
  const earlier = products.find(({ id }) => id === line.product_id);
  const from = calendarDate(typed.issue_date) ?? facts.today;
  const change = productChosen(line, product, earlier, { ...facts, language, from });
  return retyped({ ...state, found: [...found, product] }, withLine(typed, key, change));
}

function undone(state: DraftState): DraftState {
  const before = state.undo.at(-1);
  if (before === undefined) return state;
  // Lines that the server stored since then keep the ids that it gave them.
  const typed = withIds(before, state.typed, idsOf(state.typed));
  return { ...retyped(state, typed), undo: state.undo.slice(0, -1) };
}

function idsOf({ lines }: TypedDraft): readonly string[] {
  return lines.map(({ id }) => id ?? "");
}

/** Sends what can be saved, one save at a time. Another person's version is overwritten only after a confirmation. */
function saved(state: DraftState): DraftState {
  const { typed, kept, stored, sending, remote } = state;
  if (sending !== null || typed === kept || remote !== null) return state;
  const { changes, faults } = draftSums(state);
  if (faults.size > 0) return state;
  const sent = { ...changes, id: stored.id, seen: stored.version };
  return { ...state, sending: { typed, sent }, is_lost: false };
}

/** Opens the address to leave to, or saves. The person stays on the page where something cannot be stored. */
function leftOrSaved(state: DraftState): DraftState {
  if (state.leaving === null || state.typed === state.kept) return state;
  const after = saved(state);
  return after.sending === null ? { ...after, leaving: null } : after;
}

function answered(state: DraftState, event: AnswerEvent): DraftState {
  const { sending, typed } = state;
  if (sending === null) return state;
  const over = { ...state, sending: null };
  if (event.kind === "done") return adopted(over, sending.typed, event.stored);
  if (event.kind === "lost") return { ...over, is_lost: true, leaving: null };
  const { refused, current } = event;
  // The stored draft is the one that was sent: only an earlier response was lost.
  if (current !== null && saysTheSame(current.typed, sending.typed, state.language)) {
    return adopted(over, sending.typed, current);
  }
  if (refused.code === "CHANGED_MEANWHILE") {
    return { ...over, remote: String(refused.details.version), leaving: null };
  }
  const is_as_sent = typed === sending.typed;
  return { ...over, refused: is_as_sent ? refusalsOf(refused) : new Map(), leaving: null };
}

/** Gives new lines the ids with which they were stored. */
function adopted(state: DraftState, sent: TypedDraft, stored: DraftStored): DraftState {
  const typed = withIds(state.typed, sent, idsOf(stored.typed));
  const kept = state.typed === sent ? typed : sent;
  return leftOrSaved({ ...state, stored, typed, kept, refused: new Map() });
}

function refusalsOf({ code, message, field_errors }: Refused): ReadonlyMap<string, Refusal> {
  if (field_errors.length === 0) return new Map([["", { code, message }]]);
  return new Map(field_errors.map((error) => [error.field, error]));
}
