/** The island that shows how far a close has come, and the result when it has ended. */
import { useEffect, useReducer } from "preact/hooks";
import type { Month } from "../../domain/base/calendar.ts";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { nextRequest, type Progress, progressAfter, progressFrom } from "./progress-state.ts";

interface Followed {
  readonly month: Month;
  readonly progress: Progress;
}

function CloseProgress({ month, progress: first }: Followed) {
  const words = useReader().words.close;
  const [state, dispatch] = useReducer(progressAfter, first, progressFrom);
  const { done, total, is_running } = state.progress;
  useEffect(() => {
    if (!is_running) location.reload();
    const wait = nextRequest(state);
    if (wait === null) return;
    const timer = setTimeout(async () => {
      const answer = await send<Progress>("/app/close/progress", { month });
      dispatch("done" in answer ? { kind: "answered", progress: answer.done } : { kind: "lost" });
    }, wait);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <div class="card pad">
      <p role="status" class="strong">
        {words.progress(done, total)}
      </p>
      <progress value={done} max={Math.max(1, total)} aria-label={words.progress(done, total)} />
      <p class="soft">{words.progress_text}</p>
    </div>
  );
}

export const island = islandOf<Followed>({ name: "close-progress", View: CloseProgress });
