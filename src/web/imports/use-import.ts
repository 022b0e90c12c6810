/** Sends an import portion by portion: `import-state.ts` names the next request, and each response is an event. */
import { useEffect, useReducer } from "preact/hooks";
import { type Refused, send } from "../browser/send.ts";
import type { ImportFile } from "./import-rows.ts";
import {
  after,
  CHOOSING,
  type ImportEvent,
  type ImportState,
  type LookedAt,
  type NextRequest,
  nextOf,
} from "./import-state.ts";

export function useImport(): [ImportState, (event: ImportEvent) => void] {
  const [state, dispatch] = useReducer(after, CHOOSING);
  const asked = nextOf(state);
  const { file } = state;
  useEffect(() => {
    if (asked === null || file === null) return;
    let is_over = false;
    void answerTo(file, state, asked).then((event) => {
      if (!is_over) dispatch(event);
    });
    return () => {
      is_over = true;
    };
  }, [file, asked?.does, asked?.portion]);
  return [state, dispatch];
}

/** Sends one portion and reports the outcome. */
async function answerTo(
  { kind, rows }: ImportFile,
  { portions }: ImportState,
  { does, portion }: NextRequest,
): Promise<ImportEvent> {
  const one = portions[portion];
  const sent = { rows: one?.rows.map((row) => rows[row]?.sent) ?? [] };
  if (does === "look") {
    const answer = await send<LookedAt>(`/app/${kind}/import/look`, sent);
    if ("lost" in answer) return { lost: true };
    return "refused" in answer ? refusedBy(answer.refused) : { looked: answer.done, portion };
  }
  const confirmed = { ...sent, agreed: one?.agreed ?? "" };
  const answer = await send<{ readonly made: number }>(`/app/${kind}/import/make`, confirmed);
  if ("lost" in answer) return { lost: true };
  if ("done" in answer) return { made: answer.done.made, portion };
  return CHANGED.has(answer.refused.code) ? { changed: true } : refusedBy(answer.refused);
}

/** Refusals of a row that the preview accepted: another command has stored the same number in the meantime. */
const CHANGED: ReadonlySet<string> = new Set([
  "CHANGED_MEANWHILE",
  "PRODUCT_NUMBER_TAKEN",
  "EXTERNAL_ID_CONFLICT",
]);

function refusedBy(refused: Refused): ImportEvent {
  const { code, message } = refused;
  return code === "RESOURCE_BUSY" ? { lost: true } : { refused: { code, message } };
}
