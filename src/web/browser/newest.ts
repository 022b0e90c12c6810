/** Asks once nothing was changed for a moment, and listens to the answer of the newest question alone: an earlier one may come later. */
import { useEffect } from "preact/hooks";

/** `about` is what is asked; null asks nothing. `pause` is in milliseconds; `ask` answers what to do with its answer. */
export function useNewest(
  about: string | null,
  pause: number,
  ask: (about: string) => Promise<() => void>,
): void {
  useEffect(() => {
    if (about === null) return;
    let is_newest = true;
    const asking = setTimeout(async () => {
      const tell = await ask(about);
      if (is_newest) tell();
    }, pause);
    return () => {
      is_newest = false;
      clearTimeout(asking);
    };
  }, [about]);
}
