/** The progress of an import, and the next request. Pure: the island sends and renders. */
import type { Refusal } from "../words/refusal.ts";
import { type ImportFile, portionsOf } from "./import-rows.ts";

/** The outcome of a row, as the server reports it. */
type RowOutcome =
  | { readonly state: "new" }
  | { readonly state: "exists"; readonly id: string }
  | {
      readonly state: "refused";
      readonly reason: Refusal & { readonly field: string };
    };

export interface LookedAt {
  readonly outcomes: readonly RowOutcome[];
  /** A token of the shown outcome. */
  readonly agreed: string;
}

interface Portion {
  readonly rows: readonly number[];
  readonly agreed: string | null;
  readonly is_made: boolean;
}

export interface ImportState {
  /** In `stopped` and `shown` the import waits for the person. */
  readonly phase: "choosing" | "looking" | "shown" | "making" | "stopped" | "done";
  readonly file: ImportFile | null;
  readonly portions: readonly Portion[];
  /** The outcomes by row; null until an outcome is known. */
  readonly outcomes: readonly (RowOutcome | null)[];
  readonly made: number;
  /** Why the import is in this phase: the result differed from the preview, there was no response, or the server refused. */
  readonly note: "changed" | "lost" | { readonly refused: Refusal } | null;
}

export const CHOOSING: ImportState = {
  phase: "choosing",
  file: null,
  portions: [],
  outcomes: [],
  made: 0,
  note: null,
};

export type ImportEvent =
  | { readonly read: ImportFile }
  | { readonly looked: LookedAt; readonly portion: number }
  | { readonly agree: true }
  | { readonly made: number; readonly portion: number }
  | { readonly changed: true }
  | { readonly lost: true }
  | { readonly refused: Refusal }
  | { readonly again: true }
  | { readonly choose: true };

/** The next request: to preview a portion, or to create it. */
export type NextRequest = { readonly does: "look" | "make"; readonly portion: number };

export function nextOf({ phase, portions, outcomes }: ImportState): NextRequest | null {
  if (phase === "looking") {
    const portion = portions.findIndex(({ agreed }) => agreed === null);
    return portion < 0 ? null : { does: "look", portion };
  }
  if (phase !== "making") return null;
  const portion = portions.findIndex(
    ({ is_made, rows }) => !is_made && rows.some((row) => outcomes[row]?.state === "new"),
  );
  return portion < 0 ? null : { does: "make", portion };
}

export function after(state: ImportState, event: ImportEvent): ImportState {
  if ("choose" in event) return CHOOSING;
  if ("read" in event) return settled(lookedAgain({ ...CHOOSING, file: event.read }));
  if ("again" in event) {
    const { made } = state;
    return settled({ ...lookedAgain(state), made, note: null });
  }
  if ("agree" in event) return { ...state, phase: "making", note: null };
  if ("changed" in event) return settled({ ...lookedAgain(state), note: "changed" });
  if ("lost" in event) return { ...state, phase: "stopped", note: "lost" };
  if ("refused" in event) return { ...state, phase: "stopped", note: { refused: event.refused } };
  if ("looked" in event) return settled(looked(state, event));
  return settled(made(state, event));
}

/** Starts again with the same file, and keeps the number of rows created so far. */
function lookedAgain(state: ImportState): ImportState {
  const { file } = state;
  if (file === null) return state;
  return {
    ...state,
    phase: "looking",
    portions: portionsOf(file).map((rows) => ({ rows, agreed: null, is_made: false })),
    outcomes: file.rows.map(({ fault }) => {
      if (fault === null) return null;
      return { state: "refused", reason: { ...fault.refusal, field: fault.field } };
    }),
  };
}

function looked(
  state: ImportState,
  {
    looked: { outcomes, agreed },
    portion,
  }: { readonly looked: LookedAt; readonly portion: number },
): ImportState {
  const rows = state.portions[portion]?.rows ?? [];
  const of_row = new Map(rows.map((row, index) => [row, outcomes[index] ?? null]));
  return {
    ...state,
    portions: state.portions.map((one, index) => (index === portion ? { ...one, agreed } : one)),
    outcomes: state.outcomes.map((outcome, row) => of_row.get(row) ?? outcome),
  };
}

function made(
  state: ImportState,
  event: { readonly made: number; readonly portion: number },
): ImportState {
  return {
    ...state,
    made: state.made + event.made,
    portions: state.portions.map((one, index) =>
      index === event.portion ? { ...one, is_made: true } : one,
    ),
  };
}

/** Moves to the next phase when no request is left. */
function settled(state: ImportState): ImportState {
  if (nextOf(state) !== null) return state;
  if (state.phase === "looking") return { ...state, phase: "shown" };
  return state.phase === "making" ? { ...state, phase: "done" } : state;
}

/** The state of a row; `same` is a row that is left out because an earlier row has the same content. */
export type RowStatus = "new" | "exists" | "refused" | "same" | "unknown";

/** Returns the state that is shown for a row. */
export function statusOf({ file, outcomes }: ImportState, row: number): RowStatus {
  const same_as = file?.rows[row]?.same_as ?? null;
  if (same_as !== null) return "same";
  return outcomes[row]?.state ?? "unknown";
}

/** Returns the finished part of the work and the whole, in portions that were previewed or created. */
export function progressOf({ phase, portions, outcomes }: ImportState): {
  readonly done: number;
  readonly all: number;
} {
  if (phase === "looking") {
    return { done: portions.filter(({ agreed }) => agreed !== null).length, all: portions.length };
  }
  const to_make = portions.filter(({ rows }) => rows.some((row) => outcomes[row]?.state === "new"));
  return { done: to_make.filter(({ is_made }) => is_made).length, all: to_make.length };
}
