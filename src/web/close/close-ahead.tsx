/** The island that adds up the bookings of a month after the page has loaded: an account may have many lines. */
import { useEffect, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { MonthAheadShown } from "./ahead-shown.ts";
import { type AheadProps, AheadView } from "./ahead-view.tsx";

type Loading = Pick<AheadProps, "month" | "facts" | "may_close">;

function CloseAhead(props: Loading) {
  const { month } = props;
  const words = useReader().words.close;
  const [ahead, setAhead] = useState<MonthAheadShown | null>(null);
  const [waiting, setWaiting] = useState(words.adding_up);
  useEffect(() => {
    let is_shown = true;
    void send<MonthAheadShown>("/app/close/ahead", { month }).then((answer) => {
      if (!is_shown) return;
      if ("done" in answer) setAhead(answer.done);
      else setWaiting(words.lost);
    });
    return () => {
      is_shown = false;
    };
  }, [month]);
  return <AheadView {...props} ahead={ahead} waiting={waiting} />;
}

export const island = islandOf<Loading>({ name: "close-ahead", View: CloseAhead });
