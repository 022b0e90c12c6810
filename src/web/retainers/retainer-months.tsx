/** The island that shows what a retainer has earned by month, after the page has loaded. Each amount leads to its explanation. */
import { useEffect, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { useReader } from "../frame/reader.ts";
import { type MonthShown, MonthsEarned } from "../invoices/invoice-months.tsx";
import { Card } from "../parts/facts.tsx";

interface OfRetainer {
  readonly id: string;
  readonly currency: string;
  /** Whether the amounts are only those that the reader earns. */
  readonly is_own: boolean;
}

function RetainerMonths({ id, currency, is_own }: OfRetainer) {
  const { words } = useReader();
  const [months, setMonths] = useState<readonly MonthShown[] | null>(null);
  const [waiting, setWaiting] = useState(words.figures.adding_up);
  useEffect(() => {
    void send<readonly MonthShown[]>("/app/retainers/months", { id }).then((answer) => {
      if ("done" in answer) setMonths(answer.done);
      else setWaiting(words.close.lost);
    });
  }, [id]);
  if (months !== null) return <MonthsEarned {...{ months, currency, is_own }} texts={{}} />;
  return (
    <Card title={is_own ? words.draft.earned_own : words.draft.earned} id="when">
      <p class="pad quiet" role="status">
        {waiting}
      </p>
    </Card>
  );
}

export const island = islandOf<OfRetainer>({ name: "retainer-months", View: RetainerMonths });
