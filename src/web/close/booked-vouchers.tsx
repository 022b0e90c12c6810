/** The booked vouchers of a closed month, each with the lines behind it; every amount of a line leads to its explanation. */
import type {
  BookedVoucher,
  BookedVoucherLine,
} from "../../features/revenue/closes/read-booked.ts";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";
import { amountOf, currencySign } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { explainedAt } from "../revenue/revenue-address.ts";
import { WhyLines } from "./vouchers-view.tsx";

export function BookedVouchers(props: {
  vouchers: readonly BookedVoucher[];
  /** The number of all vouchers of the month. */
  count: number;
  currency: string;
  /** Whether vouchers are entries with pages of their own. */
  has_books: boolean;
}) {
  const { vouchers, count, currency, has_books } = props;
  const { words: all, language } = useReader();
  const words = all.close;
  const amount = (value: bigint) => amountOf(language, value, currency);
  return (
    <Card
      title={words.booked}
      id="booked"
      hint={words.in_currency(currencySign(language, currency))}
    >
      <List
        label={words.booked}
        rows={vouchers}
        empty={<p class="soft">{words.no_vouchers}</p>}
        columns={[
          {
            head: words.customer,
            cell: (voucher) => (
              <>
                <a class="link" href={`/customers/${voucher.customer_id}`}>
                  {voucher.customer}
                </a>
                <LinesOf voucher={voucher} currency={currency} />
              </>
            ),
          },
          {
            head: words.voucher,
            cell: ({ voucher_number, voucher_guid }) => {
              const number = voucher_number?.toString() ?? words.unnumbered;
              if (!has_books || voucher_guid === null) return number;
              return (
                <a class="link" href={`/ledger/entries/${voucher_guid}`}>
                  {number}
                </a>
              );
            },
          },
          { head: words.earned, kind: "number", cell: ({ earned }) => amount(earned) },
          { head: words.invoiced, kind: "number", cell: ({ invoiced }) => amount(invoiced) },
        ]}
      />
      {count > vouchers.length && (
        <p class="pad soft">{words.more_vouchers(count - vouchers.length)}</p>
      )}
    </Card>
  );
}

function LinesOf({ voucher, currency }: { voucher: BookedVoucher; currency: string }) {
  const { lines, line_count, customer } = voucher;
  if (lines.length === 0) return null;
  return (
    <WhyLines customer={customer} more={line_count - lines.length}>
      {lines.map((line) => (
        <MovedBy line={line} currency={currency} />
      ))}
    </WhyLines>
  );
}

function MovedBy({ line, currency }: { line: BookedVoucherLine; currency: string }) {
  const { words: all, language } = useReader();
  const { line_id, month, text, moved } = line;
  const amount = amountOf(language, moved, currency);
  return (
    <li>
      <span>{text}</span>
      <a
        class="why num"
        href={explainedAt("", line_id, month)}
        aria-label={all.close.why_amount(text, amount)}
      >
        {amount}
      </a>
    </li>
  );
}
