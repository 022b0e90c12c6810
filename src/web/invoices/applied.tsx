/** What was applied to a document, or of a payment: the other side, day, amount and entry of each allocation. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import type { AppliedAllocation } from "../../features/receivables/payment-states/read-applied.ts";
import { useReader } from "../frame/reader.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { dayOf } from "../parts/format.ts";
import { Amount, Day } from "../parts/values.tsx";

interface AppliedProps {
  readonly allocations: readonly AppliedAllocation[];
  /** The side that is shown: that of the other item. */
  readonly side: "debit" | "credit";
  /** The currency of the books. */
  readonly functional: string;
  readonly is_admin: boolean;
}

type Item = AppliedAllocation["debit"];

/** Returns the page of an item; null for one without a page of its own. */
export function pageOfItem({ kind, id }: Item): string | null {
  if (kind === "invoice") return `/invoices/${id}`;
  if (kind === "credit_note") return `/credit-notes/${id}`;
  if (kind === "reminder") return `/reminders/${id}`;
  return kind === "payment" || kind === "refund" ? `/payments/${id}` : null;
}

/** Shows allocations, the earliest first. Those that were reversed say so, and since when. */
export function Applied(props: AppliedProps) {
  return (
    <ul class="applied-list">
      {props.allocations.map((allocation) => (
        <Row key={allocation.id} {...props} allocation={allocation} />
      ))}
    </ul>
  );
}

function Row(props: AppliedProps & { readonly allocation: AppliedAllocation }) {
  const { allocation, side, functional, is_admin } = props;
  const { words: all, language } = useReader();
  const words = all.payments;
  const { id, currency, amount, rounding, date, reversed_on, entry_no, entry } = allocation;
  const item = allocation[side];
  const name = words.items[item.kind](item.number);
  const shown = (money: bigint) => scaledToNumber(money, currencyDigits(currency));
  return (
    <li>
      <span>
        <Named item={item} name={name} is_admin={is_admin} />
        <small class="quiet">
          <Day day={date} />
          {entry !== null && is_admin && (
            <>
              {" · "}
              <a class="link" href={`/ledger/entries/${entry}`}>
                {all.issued_record.entry(String(entry_no))}
              </a>
            </>
          )}
          {rounding !== 0n && (
            <>
              {" · "}
              {words.rounded}{" "}
              <Amount value={shown(rounding)} currency={currency} functional={functional} />
            </>
          )}
          {reversed_on !== null && ` · ${words.reversed_on(dayOf(language, reversed_on))}`}
        </small>
      </span>
      <span class={reversed_on === null ? "num" : "num quiet"}>
        <Amount value={shown(amount)} currency={currency} functional={functional} />
      </span>
      {is_admin && reversed_on === null && allocation.debit.kind !== "refund" && (
        <ConfirmLink
          href={`/allocations/${id}/take-back`}
          class="button small"
          label={words.unapply_of(name)}
        >
          {words.unapply}
        </ConfirmLink>
      )}
    </li>
  );
}

/** Names the other side. Payments have pages for admins only. */
function Named({ item, name, is_admin }: { item: Item; name: string; is_admin: boolean }) {
  const href = pageOfItem(item);
  const is_money = item.kind === "payment" || item.kind === "refund";
  if (href === null || (is_money && !is_admin)) return <>{name}</>;
  return (
    <a class="link" href={href}>
      {name}
    </a>
  );
}
