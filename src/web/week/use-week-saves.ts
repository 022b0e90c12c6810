/** Stores the cells of the grid one after another, and keeps the unstored content in the browser. */
import { useEffect, useRef, useState } from "preact/hooks";
import { keepAt, keptAt, placesKept } from "../browser/kept.ts";
import { send } from "../browser/send.ts";
import { keptFrom, restored } from "./week-grid-kept.ts";
import {
  cellAt,
  nextSave,
  type SavedAnswer,
  type WeekEvent,
  type WeekState,
} from "./week-grid-state.ts";

/** The pauses before a save without a response is repeated, in milliseconds: longer after each attempt. */
const PAUSES = [1_000, 2_000, 5_000, 15_000];

interface WeekSaves {
  /** The person's weeks with content in this browser that is not stored yet. */
  readonly elsewhere: readonly string[];
  /** Opens an address as soon as everything that can be stored is stored. */
  leave(address: string): void;
}

export function useWeekSaves(
  state: WeekState,
  dispatch: (event: WeekEvent) => void,
  of: {
    readonly user_id: string;
    readonly week: string;
    readonly days: readonly { readonly date: string }[];
  },
): WeekSaves {
  const { user_id, week, days } = of;
  const prefix = `hours ${user_id} `;
  const [is_ready, setReady] = useState(false);
  const [elsewhere, setElsewhere] = useState<readonly string[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const tries = useRef(0);
  const is_sending = useRef(false);

  useEffect(() => {
    for (const event of restored(state, keptAt(prefix + week))) dispatch(event);
    setElsewhere(placesKept(prefix).filter((one) => one !== week));
    setReady(true);
  }, []);
  useEffect(() => {
    if (is_ready) keepAt(prefix + week, keptFrom(state));
  }, [is_ready, state.rows]);

  const save = is_ready ? nextSave(state) : null;
  useEffect(() => {
    if (save === null || is_sending.current) return;
    const line = state.rows[save.place.row]?.line;
    const cell = cellAt(state, save.place);
    const date = days[save.place.day]?.date;
    if (line === undefined || cell === undefined) return;
    is_sending.current = true;
    // Content that was wanted after this render is not part of the save.
    dispatch({ kind: "sending", save });
    const seen = cell.known.map(({ id, version: updated_at }) => ({ id, updated_at }));
    const entries = save.entries.map((one) => ({ ...one, hours: asNumber(one.hours) }));
    const sent = { user_id, line_id: line.line_id, date, seen, entries };
    void send<SavedAnswer>("/app/hours/save", sent).then((answer) => {
      is_sending.current = false;
      const is_busy = "refused" in answer && answer.refused.code === "RESOURCE_BUSY";
      const is_lost = "lost" in answer || is_busy;
      tries.current = is_lost ? tries.current + 1 : 0;
      if ("done" in answer) dispatch({ kind: "done", answer: answer.done });
      else if ("refused" in answer && !is_busy)
        dispatch({ kind: "refused", refused: answer.refused });
      else dispatch({ kind: "lost" });
    });
  }, [save === null, save?.place, save?.entries]);

  useEffect(() => {
    if (!state.is_lost) return;
    const again = () => dispatch({ kind: "again" });
    const pause = PAUSES[Math.min(tries.current, PAUSES.length) - 1] ?? PAUSES[0];
    const timer = setTimeout(again, pause);
    addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [state.is_lost]);

  const is_busy = state.sending !== null || save !== null;
  useEffect(() => {
    if (next !== null && !is_busy) location.assign(next);
  }, [next, is_busy]);
  return { elsewhere, leave: setNext };
}

/** Returns hours as the API takes them, from 1/100 of an hour. */
function asNumber(hours: bigint): number {
  return Number(hours) / 100;
}
