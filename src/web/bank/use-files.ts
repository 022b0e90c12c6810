/** Sends dropped files one after the other, and keeps the columns that a person has named. `files-state.ts` decides what follows. */
import { useEffect, useReducer, useRef } from "preact/hooks";
import type { CsvProfile } from "../../domain/receivables/csv-profile.ts";
import { type Answer, firstReason, send, sendFile } from "../browser/send.ts";
import {
  addressAfter,
  type FilesEvent,
  type FilesState,
  filesAfter,
  NO_FILES,
} from "./files-state.ts";
import type { FileRead } from "./read-bank-file.ts";

/** The page says this limit. */
const MOST_BYTES = 10_000_000;
/** The server decides by its content whether a file is XML or CSV. */
const CONTENT_TYPE = "text/csv";

export interface Files {
  readonly state: FilesState;
  readonly dispatch: (event: FilesEvent) => void;
  drop(files: readonly File[]): void;
  /** The bytes of the file that is asked about. */
  present(): Promise<Uint8Array>;
  keep(profile: CsvProfile): Promise<void>;
}

/** `bank_account` is the one of CSV files; null for the default one. */
export function useFiles(bank_account: string | null): Files {
  const [state, dispatch] = useReducer(filesAfter, NO_FILES);
  const files = useRef<readonly File[]>([]);
  const { phase, at } = state;
  useEffect(() => {
    if (phase !== "sending") return;
    const file = files.current[at];
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return dispatch({ failed: "too_large" });
    const query = bank_account === null ? "" : `?bank_account=${bank_account}`;
    void sendFile<FileRead>(`/app/bank/files${query}`, CONTENT_TYPE, file).then((answer) =>
      dispatch(eventOf(answer)),
    );
  }, [phase, at]);
  useEffect(() => {
    const address = addressAfter(state);
    if (address !== null) location.assign(address);
  }, [state]);
  return {
    state,
    dispatch,
    drop(dropped) {
      if (phase !== "idle" && phase !== "done") return;
      files.current = dropped;
      dispatch({ dropped: dropped.map(({ name }) => name) });
    },
    present: async () => new Uint8Array((await files.current[at]?.arrayBuffer()) ?? []),
    async keep(profile) {
      dispatch({ keep: true });
      const kept = { bank_account: state.asked?.bank_account, profile };
      const answer = await send("/app/bank/profile", kept);
      dispatch("done" in answer ? { again: true } : failureOf(answer));
    },
  };
}

function eventOf(answer: Answer<FileRead>): FilesEvent {
  if (!("done" in answer)) return failureOf(answer);
  const { done } = answer;
  return "asks" in done ? { asks: done.asks } : done;
}

function failureOf(answer: Exclude<Answer<unknown>, { readonly done: unknown }>): FilesEvent {
  return { failed: "lost" in answer ? "lost" : firstReason(answer.refused) };
}
