/** The table of an entry: its accounts, with debit and credit. */
import type { Money } from "../../domain/base/money.ts";
import { useReader } from "../frame/reader.ts";
import { amountOf } from "./format.ts";

/** Shows postings; an amount above 0 is a debit, in minor units. `label` names the table for screen readers. */
export function DebitCredit(props: {
  label: string;
  heads: { readonly account: string; readonly debit: string; readonly credit: string };
  postings: readonly { readonly account: string; readonly amount: Money }[];
  currency: string;
}) {
  const { label, heads, postings, currency } = props;
  const { language } = useReader();
  const side = (amount: Money) => (amount > 0n ? amountOf(language, amount, currency) : "");
  return (
    <table class="entries" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{heads.account}</th>
          <th scope="col" class="num">
            {heads.debit}
          </th>
          <th scope="col" class="num">
            {heads.credit}
          </th>
        </tr>
      </thead>
      <tbody>
        {postings.map(({ account, amount }) => (
          <tr>
            <td>{account}</td>
            <td class="num">{side(amount)}</td>
            <td class="num">{side(-amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
