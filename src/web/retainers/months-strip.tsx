/** The island that shows the strip of the months of many retainers, which follows after the page. */
import { useEffect, useState } from "preact/hooks";
import type { Month } from "../../domain/base/calendar.ts";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { AllMonths } from "./all-months.tsx";
import type { MonthSumsShown } from "./month-sums.ts";

interface OfAccount {
  readonly current: Month;
  /** The currency of the books. */
  readonly functional: string;
  readonly customer_id: string | null;
}

function MonthsStrip({ current, functional, customer_id }: OfAccount) {
  const { words } = useReader();
  const [months, setMonths] = useState<readonly MonthSumsShown[] | null>(null);
  const [waiting, setWaiting] = useState(words.figures.adding_up);
  useEffect(() => {
    void send<readonly MonthSumsShown[]>("/app/retainers/strip", { customer_id }).then((answer) => {
      if ("done" in answer) setMonths(answer.done);
      else setWaiting(words.close.lost);
    });
  }, [customer_id]);
  if (months !== null) return <AllMonths {...{ months, current, functional }} />;
  return (
    <Card title={words.retainers.months} id="months" hint={words.retainers.months_hint}>
      <p class="pad quiet" role="status">
        {waiting}
      </p>
    </Card>
  );
}

export const island = islandOf<OfAccount>({ name: "months-strip", View: MonthsStrip });
