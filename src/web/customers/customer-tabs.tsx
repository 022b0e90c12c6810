/** Further tabs of a customer's page: the hours worked for the customer, and the changes of their data. */
import type * as z from "zod";
import { userNames } from "../../features/access/people/queries.ts";
import type { CustomerSummary } from "../../features/overview/today/read-customer-summary.ts";
import { listWork } from "../../features/work/registrations/queries.ts";
import type { WorkResource } from "../../features/work/registrations/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Events } from "../activity/activity.tsx";
import { changesOf } from "../activity/changes-of.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { currencySign, dayInStyle, plainNumber, wholeAmountOf } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { AsOf, Day, Pill } from "../parts/values.tsx";

const MOST_HOURS = 50;
const MOST_CHANGES = 25;

type Work = z.output<typeof WorkResource>;

export function Balances({ summary, currency }: { summary: CustomerSummary; currency: string }) {
  const { words: all, language } = useReader();
  const words = all.today;
  const { balances, drafts, oldest_work } = summary;
  const oldest = oldest_work === null ? null : dayInStyle(language, oldest_work, "date");
  const unearned = balances?.oldest_unearned ?? null;
  const since = unearned === null ? null : dayInStyle(language, unearned, "date");
  const shown = [
    [words.asset, balances?.asset ?? null, words.drafts(String(drafts), oldest)],
    [words.liability, balances?.liability ?? null, all.customers.unearned_since(since)],
  ] as const;
  const missing = balances === null ? all.figures.adding_up : words.no_rate;
  return (
    <>
      <section class="card figures two" aria-label={all.customers.balances}>
        {shown.map(([label, amount, beside]) => (
          <div>
            <span class="label">{label}</span>
            <span class="value">
              {amount === null ? "–" : wholeAmountOf(language, amount, currency)}
              {amount !== null && <small>{` ${currencySign(language, currency)}`}</small>}
            </span>
            <span class="delta">{amount === null ? missing : beside}</span>
          </div>
        ))}
      </section>
      <AsOf at={balances?.as_of ?? null} />
    </>
  );
}

/** Shows registrations for the customer, the newest first. */
export async function hoursTab({ cx, query, reader }: PageRequest, customer: string, at: string) {
  const { words: all, language } = reader;
  const words = all.customers;
  const page = { customer, limit: MOST_HOURS, cursor: query.cursor };
  const { data, next_cursor } = pageFrom<Work>(await listWork(cx, page));
  const names = await userNames(
    cx,
    data.map(({ user_id }) => user_id),
  );
  return (
    <>
      <List
        label={words.card_tabs.hours}
        rows={data}
        empty={<p>{words.no_hours}</p>}
        columns={[
          { head: words.day, fold: "lead", cell: ({ date }) => <Day day={date} /> },
          { head: words.worker, cell: ({ user_id }) => names.get(user_id) ?? "–" },
          { head: words.note, cell: ({ note }) => note ?? "–" },
          {
            head: words.state,
            cell: ({ status, billable }) =>
              billable ? words.work_states[status] : <Pill>{words.not_billable}</Pill>,
          },
          {
            head: words.card_tabs.hours,
            kind: "number",
            fold: "end",
            cell: ({ hours }) => plainNumber(language, hours),
          },
        ]}
      />
      <Older address={at} cursor={next_cursor} text={all.older} />
    </>
  );
}

/** Shows changes of the customer's data, the newest first. */
export async function changesTab(request: PageRequest, id: string, at: string) {
  const { rows, names, next_cursor } = await changesOf(request, {
    types: ["customer"],
    ids: [id],
    limit: MOST_CHANGES,
    cursor: request.query.cursor,
  });
  return (
    <>
      <Events events={rows} names={names} is_admin />
      <Older address={at} cursor={next_cursor} text={request.reader.words.older} />
    </>
  );
}
