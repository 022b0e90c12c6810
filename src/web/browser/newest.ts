/** Asks after a pause without changes, and handles only the answer to the newest question: an earlier answer may arrive later. */
import { useEffect } from "preact/hooks";

/** `about` is the question; null asks nothing. `pause` is in milliseconds. `ask` returns a function that handles its answer. */
export function useNewest(
  about: string | null,
  pause: number,
  ask: (about: string) => Promise<() => void>,
): void {
  useEffect(() => {
    if (about === null) return;
    let is_newest = true;
    const asking = setTimeout(async () => {
      const handle = await ask(about);
      if (is_newest) handle();
    }, pause);
    return () => {
      is_newest = false;
      clearTimeout(asking);
    };
  }, [about]);
}
