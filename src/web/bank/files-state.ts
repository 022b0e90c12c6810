/** The state of files that are dropped on the bank page: one is sent after the other, and one whose columns are not known waits. */
import type { Refusal } from "../words/refusal.ts";
import type { AskedProfile } from "./read-bank-file.ts";

export interface FilesState {
  readonly names: readonly string[];
  /** The index of the file that is sent or asked about; the number of files when all are done. */
  readonly at: number;
  readonly phase: "idle" | "sending" | "asks" | "keeping" | "stopped" | "done";
  readonly asked: AskedProfile | null;
  /** Why the present file was not read; `lost` for no answer. */
  readonly fault: Refusal | "lost" | "too_large" | null;
  /** A statement of each file that was read. */
  readonly brought: readonly string[];
  /** Whether a file was new. */
  readonly is_new: boolean;
}

export const NO_FILES: FilesState = {
  names: [],
  at: 0,
  phase: "idle",
  asked: null,
  fault: null,
  brought: [],
  is_new: false,
};

export type FilesEvent =
  | { readonly dropped: readonly string[] }
  | { readonly brought: string; readonly is_new: boolean }
  | { readonly asks: AskedProfile }
  | { readonly failed: NonNullable<FilesState["fault"]> }
  | { readonly keep: true }
  | { readonly again: true }
  | { readonly skip: true };

/** Returns the state after an event; events that do not fit the state change nothing. */
export function filesAfter(state: FilesState, event: FilesEvent): FilesState {
  if ("dropped" in event) {
    const is_busy = state.phase !== "idle" && state.phase !== "done";
    if (is_busy || event.dropped.length === 0) return state;
    return { ...NO_FILES, names: event.dropped, phase: "sending" };
  }
  if ("brought" in event) {
    const brought = [...state.brought, event.brought];
    return nextFile({ ...state, brought, is_new: state.is_new || event.is_new });
  }
  if ("asks" in event) return { ...state, phase: "asks", asked: event.asks, fault: null };
  if ("failed" in event) {
    const phase = state.phase === "keeping" ? "asks" : "stopped";
    return { ...state, phase, fault: event.failed };
  }
  if ("keep" in event)
    return state.phase === "asks" ? { ...state, phase: "keeping", fault: null } : state;
  if ("again" in event) return { ...state, phase: "sending", asked: null, fault: null };
  return nextFile(state);
}

function nextFile(state: FilesState): FilesState {
  const at = state.at + 1;
  const is_over = at >= state.names.length;
  return { ...state, at, asked: null, fault: null, phase: is_over ? "done" : "sending" };
}

/** Returns the address that shows what the files brought; null while there is nothing to show. */
export function addressAfter({ phase, brought, is_new }: FilesState): string | null {
  if (phase !== "done" || brought.length === 0) return null;
  return `/bank?brought=${brought.join(",")}${is_new ? "" : "&known=1"}`;
}
