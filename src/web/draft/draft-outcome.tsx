/** The totals of a draft, and the months in which it is earned. */

import { scaledToNumber } from "../../domain/base/money.ts";
import { PERCENT_DECIMALS } from "../../domain/sales/line.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, monthOf, plainNumber } from "../parts/format.ts";
import type { DraftSums, EarnedIn } from "./draft-sums.ts";

export function Totals({ sums, currency }: { sums: DraftSums; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.draft;
  const { totals, vat, nets } = sums;
  const money = (amount: bigint) => amountOf(language, amount, currency);
  return (
    <section class="card sums" aria-label={words.totals}>
      <dl>
        <dt>{words.net}</dt>
        <dd class="num">{money(totals.net)}</dd>
        {vat.map((entry) => (
          <>
            <dt>
              {words.vat(
                plainNumber(language, scaledToNumber(BigInt(entry.rate), PERCENT_DECIMALS)),
              )}
            </dt>
            <dd class="num">{money(entry.vat)}</dd>
          </>
        ))}
        <dt class="total">{words.total(currency)}</dt>
        <dd class="num total">
          <output>{money(totals.gross)}</output>
        </dd>
      </dl>
      {nets.includes(null) && <p class="tiny quiet">{words.incomplete}</p>}
    </section>
  );
}

/** Shows bars next to amounts. The bar of the largest amount takes the full width. */
export function Earned(props: {
  months: readonly EarnedIn[];
  /** Whether the amounts are only those that the reader earns. */
  is_own: boolean;
  currency: string;
  /** Returns the address that explains the amount of a month; null without one. */
  explain?: (month: EarnedIn["month"]) => string | null;
}) {
  const { months, is_own, currency, explain } = props;
  const { words, language } = useReader();
  const most = months.reduce(
    (size, { earned }) => (sizeOf(earned) > size ? sizeOf(earned) : size),
    1n,
  );
  return (
    <Card title={is_own ? words.draft.earned_own : words.draft.earned} id="when">
      {months.length === 0 && <p class="pad quiet">{words.draft.earned_none}</p>}
      <ul class="earned pad">
        {months.map(({ month, earned }) => (
          <li key={month}>
            <span>{monthOf(language, month)}</span>
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="6" rx="1" class="rest" />
              <rect width={Number((sizeOf(earned) * 100n) / most)} height="6" rx="1" class="part" />
            </svg>
            <EarnedAmount
              month={month}
              amount={amountOf(language, earned, currency)}
              href={explain?.(month) ?? null}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Shows the amount of a month; with an address as the link to its explanation. */
function EarnedAmount(props: { month: EarnedIn["month"]; amount: string; href: string | null }) {
  const { month, amount, href } = props;
  const { words, language } = useReader();
  if (href === null) return <span class="num">{amount}</span>;
  const { open_cell, earned } = words.revenue;
  return (
    <a class="why num" href={href} aria-label={open_cell(earned, monthOf(language, month), amount)}>
      {amount}
    </a>
  );
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
