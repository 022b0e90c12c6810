/** Asks the server once for a part of a page that is computed after the page has loaded. */
import { useEffect, useState } from "preact/hooks";
import { send } from "./send.ts";

/**
 * Returns `first`, or the server's answer once it has arrived: `answer` is null until then, and `is_lost` where there is none.
 * Nothing is sent where `first` is known.
 */
export function useAnswer<Result>(
  action: `/app/${string}`,
  sent: unknown,
  first: Result | null,
): { readonly answer: Result | null; readonly is_lost: boolean } {
  const [answer, setAnswer] = useState(first);
  const [is_lost, setLost] = useState(false);
  useEffect(() => {
    if (first !== null) return;
    let is_shown = true;
    void send<Result>(action, sent).then((outcome) => {
      if (!is_shown) return;
      if ("done" in outcome) setAnswer(outcome.done);
      else setLost(true);
    });
    return () => {
      is_shown = false;
    };
  }, []);
  return { answer, is_lost };
}
