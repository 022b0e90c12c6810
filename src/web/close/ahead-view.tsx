/** Shows a month before its close: what would be booked, the checklist and the balances. */
import { firstDayOf, type Month } from "../../domain/base/calendar.ts";
import { curedFrom } from "../frame/cured-from.ts";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Card } from "../parts/facts.tsx";
import { dayInStyle } from "../parts/format.ts";
import type { MonthAheadShown, RefusedShown } from "./ahead-shown.ts";
import type { FactsShown } from "./checklist.ts";
import { Checklist } from "./checklist-view.tsx";
import { AfterClose, Becomes, Unassigned, Vouchers } from "./vouchers-view.tsx";

export interface AheadProps {
  readonly month: Month;
  readonly facts: FactsShown;
  readonly may_close: boolean;
  /** Null until the bookings are computed. */
  readonly ahead: MonthAheadShown | null;
  /** What stands in the place of the bookings until then. */
  readonly waiting?: string;
}

export function AheadView({ month, facts, may_close, ahead, waiting = "" }: AheadProps) {
  const { words: all, language } = useReader();
  const words = all.close;
  const name = dayInStyle(language, firstDayOf(month), "month");
  return (
    <div class="closing">
      {may_close && (ahead === null || ahead.blockers.length === 0) && (
        <p class="to-close">
          <ConfirmLink class="button main" href={`/close/${month}/confirm`}>
            {words.close_with(name, ahead?.warnings.length ?? 0)}
          </ConfirmLink>
        </p>
      )}
      <div class="stack">
        {ahead === null ? (
          <Card title={words.vouchers} id="vouchers">
            <p class="pad soft" role="status">
              {waiting}
            </p>
          </Card>
        ) : (
          <>
            <Vouchers ahead={ahead} />
            <Refused
              customers={ahead.refused}
              month={month}
              title={words.refused(ahead.failed)}
              id="refused"
            />
            <Unassigned lines={ahead.unassigned_lines} month={month} />
          </>
        )}
      </div>
      <div class="stack">
        <Checklist month={month} facts={facts} ahead={ahead} />
        {ahead !== null && (
          <Becomes month={month} currency={ahead.currency} becomes={ahead.becomes} />
        )}
        <AfterClose month={month} />
      </div>
    </div>
  );
}

/** Lists the customers whose booking is refused, each with the reason; nothing where there is none. */
export function Refused(props: {
  customers: readonly RefusedShown[];
  month: Month;
  title: string;
  id: string;
}) {
  const { customers, month, title, id } = props;
  const { words: all } = useReader();
  if (customers.length === 0) return null;
  return (
    <Card title={title} id={id}>
      <ul class="checklist">
        {customers.map(({ customer_id, customer, refusal }) => (
          <li key={customer_id} class="bad">
            <span>
              <a class="link" href={curedFrom(`/customers/${customer_id}`, month)} data-no-prefetch>
                {customer}
              </a>
              <span class="quiet"> {all.refused(refusal)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
