/** The island that shows in which months an issued invoice is earned, after the page has loaded. */
import { useEffect, useState } from "preact/hooks";
import type { Month } from "../../domain/base/calendar.ts";
import type { IslandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { Earned } from "../draft/draft-outcome.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";

/** What the invoice earns in a month, as text in minor units of its currency. */
export interface MonthShown {
  readonly month: Month;
  readonly earned: string;
}

interface OfInvoice {
  readonly id: string;
  readonly currency: string;
}

function InvoiceMonths({ id, currency }: OfInvoice) {
  const { words } = useReader();
  const [months, setMonths] = useState<readonly MonthShown[] | null>(null);
  const [waiting, setWaiting] = useState(words.today.adding_up);
  useEffect(() => {
    void send<readonly MonthShown[]>("/app/invoices/months", { id }).then((answer) => {
      if ("done" in answer) setMonths(answer.done);
      else setWaiting(words.close.lost);
    });
  }, [id]);
  if (months === null) {
    return (
      <Card title={words.draft.earned} id="when">
        <p class="pad quiet" role="status">
          {waiting}
        </p>
      </Card>
    );
  }
  const shown = months.map(({ month, earned }) => ({ month, earned: BigInt(earned) }));
  return <Earned months={shown} is_own={false} currency={currency} />;
}

export const island: IslandOf<OfInvoice> = { name: "invoice-months", View: InvoiceMonths };
