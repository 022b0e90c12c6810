/** Sends a request after a pause. Handles only the response to the newest: an earlier response may arrive later. */
import { useEffect } from "preact/hooks";

/** `about` identifies the request; null sends none. `pause` is in milliseconds. `ask` returns a response handler. */
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
