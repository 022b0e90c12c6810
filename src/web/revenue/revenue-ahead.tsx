/** The island that adds up the revenue of a large account after the page has loaded. */
import { useEffect, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import type { RevenueShown } from "./revenue-shown.ts";
import { RevenueView } from "./revenue-view.tsx";

interface OfAddress {
  /** Path and query of the page. */
  readonly address: string;
  /** The customer on whose page the revenue stands. */
  readonly customer: string | null;
  readonly language: "en" | "da";
}

function RevenueAhead({ address, customer, language }: OfAddress) {
  const words = useReader().words.revenue;
  const [shown, setShown] = useState<RevenueShown | null>(null);
  const [waiting, setWaiting] = useState(words.adding_up);
  useEffect(() => {
    let is_open = true;
    void send<RevenueShown>("/app/revenue/report", { address, customer, language }).then(
      (answer) => {
        if (!is_open) return;
        if ("done" in answer) setShown(answer.done);
        else setWaiting(words.lost);
      },
    );
    return () => {
      is_open = false;
    };
  }, [address]);
  if (shown !== null) return <RevenueView shown={shown} />;
  return (
    <div class="card pad">
      <p class="quiet" role="status">
        {waiting}
      </p>
    </div>
  );
}

export const island = islandOf<OfAddress>({ name: "revenue-ahead", View: RevenueAhead });
