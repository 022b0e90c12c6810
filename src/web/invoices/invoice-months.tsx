/** The island that shows in which months an issued invoice is earned, after the page has loaded. */
import { useEffect, useState } from "preact/hooks";
import type { Month } from "../../domain/base/calendar.ts";
import { islandOf } from "../browser/island.ts";
import { send } from "../browser/send.ts";
import { Earned } from "../draft/draft-outcome.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, monthOf } from "../parts/format.ts";
import { explainedAt } from "../revenue/revenue-address.ts";

/** What is earned in a month, in all and by line, as text in minor units of the currency. */
export interface MonthShown {
  readonly month: Month;
  readonly earned: string;
  readonly lines: readonly {
    readonly line_id: string;
    readonly earned: string;
    /** The printed text of the line, where the page does not know it. */
    readonly text?: string;
    /** Whether the reader may not open the line's explanation: it is assigned to other people, or to no person. */
    readonly is_unexplained?: true;
  }[];
}

interface OfInvoice {
  readonly id: string;
  readonly currency: string;
  /** The printed texts of the lines by their ids. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether the amounts are only those that the reader earns. */
  readonly is_own: boolean;
}

function InvoiceMonths({ id, currency, texts, is_own }: OfInvoice) {
  const { words } = useReader();
  const [months, setMonths] = useState<readonly MonthShown[] | null>(null);
  const [waiting, setWaiting] = useState(words.figures.adding_up);
  useEffect(() => {
    void send<readonly MonthShown[]>("/app/invoices/months", { id }).then((answer) => {
      if ("done" in answer) setMonths(answer.done);
      else setWaiting(words.close.lost);
    });
  }, [id]);
  if (months === null) {
    return (
      <Card title={is_own ? words.draft.earned_own : words.draft.earned} id="when">
        <p class="pad quiet" role="status">
          {waiting}
        </p>
      </Card>
    );
  }
  return <MonthsEarned {...{ months, currency, texts, is_own }} />;
}

/** Shows amounts by month. Each leads to its explanation, or to the lines of the month, which do. */
export function MonthsEarned(props: Omit<OfInvoice, "id"> & { months: readonly MonthShown[] }) {
  const { months, currency, texts, is_own } = props;
  const shown = months.map(({ month, earned }) => ({ month, earned: BigInt(earned) }));
  const linesOf = new Map(months.map(({ month, lines }) => [month, lines]));
  // A month of several lines leads to its lines, each of which has an explanation.
  const explain = (month: Month): string | null => {
    const lines = linesOf.get(month) ?? [];
    const [first] = lines;
    if (first === undefined || lines.length > 1) return `#why-${month}`;
    return first.is_unexplained ? null : explainedAt("", first.line_id, month);
  };
  return (
    <>
      <Earned months={shown} is_own={is_own} currency={currency} explain={explain} />
      <ByLine months={months} currency={currency} texts={texts} />
    </>
  );
}

/** Lists the lines of months with several lines; nothing where each month has one. */
function ByLine(props: Pick<OfInvoice, "currency" | "texts"> & { months: readonly MonthShown[] }) {
  const { months, currency, texts } = props;
  const { words, language } = useReader();
  const several = months.filter(({ lines }) => lines.length > 1);
  if (several.length === 0) return null;
  return (
    <Card title={words.revenue.by_line} id="why">
      {several.map(({ month, lines }) => (
        <section class="why-month" id={`why-${month}`} aria-label={monthOf(language, month)}>
          <h3>{monthOf(language, month)}</h3>
          <ul class="why-lines">
            {lines.map(({ line_id, earned, text, is_unexplained }) => {
              const content = (
                <>
                  <span>{text ?? texts[line_id] ?? words.revenue.removed}</span>
                  <b class="num">{amountOf(language, BigInt(earned), currency)}</b>
                </>
              );
              return (
                <li key={line_id}>
                  {is_unexplained ? (
                    content
                  ) : (
                    <a href={explainedAt("", line_id, month)}>{content}</a>
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </Card>
  );
}

export const island = islandOf<OfInvoice>({ name: "invoice-months", View: InvoiceMonths });
