/** Waits until the example year is played, and then shows the page again. Without scripts the reader reloads it. */
import { useEffect } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";

/** The pause before the first question, and between later ones, in milliseconds. */
const PAUSES_MS = { first: 1_000, later: 3_000 } as const;

function StudioWait() {
  const { words } = useReader();
  useEffect(() => {
    let timer = setTimeout(ask, PAUSES_MS.first);
    async function ask() {
      const answer = await send<{ readonly is_ready: boolean }>("/app/studio", {
        seen: "preparing",
      });
      if ("done" in answer && answer.done.is_ready) location.reload();
      else timer = setTimeout(ask, PAUSES_MS.later);
    }
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="notice" role="status">
      {words.studio_wait.preparing}
    </p>
  );
}

export const island = islandOf({ name: "studio-wait", View: StudioWait });
