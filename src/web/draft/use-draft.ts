/**
 * Saves a draft while it is typed: in the browser with each change, so that a reload loses nothing, and on the server a moment
 * after the last key press. `draft-state.ts` has the decisions; this file has the network, the timers and the browser's store.
 */
import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";
import { openOver } from "../browser/dialog.ts";
import { keepAt, keptValueAt } from "../browser/kept.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";
import {
  type AnswerEvent,
  copyOf,
  type DraftCopy,
  type DraftEvent,
  type DraftSave,
  type DraftState,
  draftAfter,
  draftFrom,
  exitOf,
  pauseOf,
} from "./draft-state.ts";
import type { DraftStored, Named } from "./draft-stored.ts";
import { withCustomer } from "./draft-typed.ts";

/** The state of the editor, the function that changes it, and the choice of another person's version. */
export interface Draft {
  readonly state: DraftState;
  readonly dispatch: (event: DraftEvent) => void;
  /** Discards the typed changes, and shows the stored draft. */
  readonly showRemote: () => void;
}

/** `person` is the user who types; `chosen` a customer that was made for the draft a moment ago. */
export function useDraft(initial: DraftStored, person: string, chosen: Named | null): Draft {
  const { language } = useReader();
  const [state, dispatch] = useReducer(draftAfter, null, () =>
    draftFrom(initial, person, language),
  );
  // A number means something else in another language, so each language has a separate key in the browser's store.
  const place = `draft ${person} ${initial.id} ${language}`;
  const [is_ready, setReady] = useState(false);
  const { typed, kept, stored, sending } = state;

  useEffect(() => {
    const copy = keptValueAt(place) as DraftCopy | null;
    if (copy !== null) dispatch({ kind: "restore", copy });
    if (chosen !== null) {
      dispatch({ kind: "type", change: (draft) => withCustomer(draft, chosen.id) });
      // A reload does not choose the customer again.
      history.replaceState(history.state, "", location.pathname);
    }
    setReady(true);
  }, []);
  useLayoutEffect(() => {
    const copy = copyOf(state);
    if (is_ready) keepAt(place, copy && JSON.stringify(copy));
  }, [is_ready, typed, kept, stored.version]);

  const pause = pauseOf(state);
  useEffect(() => {
    if (pause === null) return;
    const save = () => dispatch({ kind: "save" });
    const timer = setTimeout(save, pause);
    // When the connection is back, the draft is saved without a pause.
    addEventListener("online", save);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", save);
    };
  }, [pause, typed]);
  const sent = sending?.sent;
  useEffect(() => {
    if (sent !== undefined) void answerTo(sent, language).then(dispatch);
  }, [sent]);

  const exit = exitOf(state);
  useEffect(() => {
    if (exit !== null) void openOver(exit.to);
  }, [exit]);

  function showRemote(): void {
    keepAt(place, null);
    location.reload();
  }
  return { state, dispatch, showRemote };
}

/** Sends a save and reports the outcome. After a refusal because of a newer version, reads that version. */
async function answerTo(sent: DraftSave["sent"], language: Language): Promise<AnswerEvent> {
  const answer = await send<DraftStored>("/app/drafts/save", { ...sent, language });
  if ("lost" in answer) return { kind: "lost" };
  if ("done" in answer) return { kind: "done", stored: answer.done };
  const { refused } = answer;
  if (refused.code !== "CHANGED_MEANWHILE") return { kind: "refused", refused, current: null };
  const read = await send<DraftStored>("/app/drafts/read", { id: sent.id, language });
  return { kind: "refused", refused, current: "done" in read ? read.done : null };
}
