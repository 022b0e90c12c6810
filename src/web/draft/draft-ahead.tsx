/** Shows the outcome of an issue: the e-mail as it would arrive, and the journal entry with its two sides. */
import { useReader } from "../frame/reader.ts";
import { FactList, WithCure } from "../parts/facts.tsx";
import { amountOf, dayOf, moneyOf } from "../parts/format.ts";
import type { IssueAhead, SentMail } from "./draft-stored.ts";

export function Mail(mail: SentMail) {
  const { words: all } = useReader();
  const words = all.beside;
  const { from, from_name, to, reply_to, subject, text, attachments, is_sent, unsent, cure } = mail;
  const facts = [
    { name: words.from, value: from_name === null ? from : `${from_name} <${from}>` },
    { name: words.to, value: to ?? words.no_recipient },
    ...(reply_to === null ? [] : [{ name: words.reply_to, value: reply_to }]),
    { name: words.subject, value: <span class="strong">{subject}</span> },
    { name: words.attached, value: attachments.join(", ") },
  ];
  return (
    <>
      {unsent !== null && (
        <p class="note-warn">
          <WithCure text={words.unsent[unsent]} cure={cure} />
        </p>
      )}
      {unsent === null && !is_sent && <p class="quiet small">{words.not_sent}</p>}
      <FactList facts={facts} />
      <p class="mail-shown">{text.trimEnd()}</p>
    </>
  );
}

type SentEntry = Extract<IssueAhead, { readonly mail: unknown }>["entry"];

export function Entry({ entry }: { entry: SentEntry }) {
  const { words: all, language } = useReader();
  const words = all.beside;
  if (entry === null) return <p>{words.elsewhere}</p>;
  const { number, date, currency, functional_currency, postings } = entry;
  const is_foreign = currency !== functional_currency;
  const amounts = postings.map(({ amount }) => BigInt(amount));
  const money = (amount: bigint) => amountOf(language, amount, functional_currency);
  const sum = amounts.reduce((all, amount) => (amount > 0n ? all + amount : all), 0n);
  const side = (amount: bigint, foreign: string) => (
    <td class="num">
      {amount > 0n && money(amount)}
      {amount > 0n && is_foreign && <small>{moneyOf(language, sizeOf(foreign), currency)}</small>}
    </td>
  );
  return (
    <>
      <p>
        <span class="strong">{words.entry(number, dayOf(language, date))}</span>{" "}
        <span class="tiny quiet">{words.unless}</span>
      </p>
      {postings.length === 0 && <p>{words.worthless}</p>}
      {postings.length > 0 && (
        <table class="grid-table entry">
          <thead>
            <tr>
              <th scope="col">{words.account}</th>
              <th scope="col" class="num">
                {words.debit}
              </th>
              <th scope="col" class="num">
                {words.credit}
              </th>
            </tr>
          </thead>
          <tbody>
            {postings.map(({ currency_amount, ...posting }, at) => (
              <tr>
                <td>
                  <Account {...posting} />
                </td>
                {side(amounts[at] ?? 0n, currency_amount)}
                {side(-(amounts[at] ?? 0n), currency_amount)}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                {words.sum} {functional_currency}
              </th>
              <td class="num">{money(sum)}</td>
              <td class="num">{money(sum)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </>
  );
}

type SentPosting = NonNullable<SentEntry>["postings"][number];

function Account(posting: Omit<SentPosting, "currency_amount">) {
  const { words } = useReader();
  const { account_number, account_name, customer, vat_code } = posting;
  const beside = [customer, vat_code && words.beside.vat(vat_code)].filter(Boolean).join(", ");
  return (
    <>
      {account_number} {account_name}
      {beside !== "" && <small>{beside}</small>}
    </>
  );
}

function sizeOf(text: string): bigint {
  const amount = BigInt(text);
  return amount < 0n ? -amount : amount;
}
