/** Decides how a page follows a close: when it asks next, and when the close has ended. */

/** The progress of a close, in customers. */
export interface Progress {
  readonly is_running: boolean;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

interface ProgressState {
  readonly progress: Progress;
  /** The number of answers and failed requests so far. */
  readonly asked: number;
}

type ProgressEvent =
  | { readonly kind: "answered"; readonly progress: Progress }
  | { readonly kind: "lost" };

/** The first request follows after one second, each further one after three: a close takes seconds or minutes. */
const [FIRST_MS, NEXT_MS] = [1_000, 3_000];

export function progressFrom(progress: Progress): ProgressState {
  return { progress, asked: 0 };
}

/** Returns the state after an event. A lost answer keeps the last progress. */
export function progressAfter(state: ProgressState, event: ProgressEvent): ProgressState {
  const asked = state.asked + 1;
  return event.kind === "lost" ? { ...state, asked } : { progress: event.progress, asked };
}

/** Returns the wait before the next request, in milliseconds; null when the close has ended. */
export function nextRequest({ progress, asked }: ProgressState): number | null {
  if (!progress.is_running) return null;
  return asked === 0 ? FIRST_MS : NEXT_MS;
}
