/** The retainers of a customer on the customer's page, each with its next invoice and its state. */
import { listSeriesOfCustomer } from "../../features/overview/series-list/list-of-customer.ts";
import { todayFor } from "../frame/day-asked.ts";
import type { PageRequest } from "../frame/page.tsx";
import { Card } from "../parts/facts.tsx";
import { List } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";

const MOST_RETAINERS = 10;

/** Lists the retainers that have not ended, with links to each, to all of them, and to a new one. */
export async function retainersCard(request: PageRequest, customer_id: string, is_active: boolean) {
  const { cx, reader } = request;
  const { words: all } = reader;
  const found = await listSeriesOfCustomer(cx, customer_id, todayFor(request), MOST_RETAINERS + 1);
  return (
    <Card title={all.customers.retainers} id="retainers">
      <List
        label={all.customers.retainers}
        rows={found.slice(0, MOST_RETAINERS)}
        empty={<p class="soft">{all.customers.no_retainers}</p>}
        columns={[
          {
            head: all.retainers.what,
            fold: "lead",
            cell: ({ id, what }) => (
              <a href={`/retainers/${id}`}>{what ?? all.retainers.no_lines}</a>
            ),
          },
          {
            head: all.retainer_draft.every,
            cell: ({ frequency }) => all.retainer.rhythms[frequency],
          },
          {
            head: all.retainers.next,
            fold: "end",
            cell: ({ next_due_on }) => <Day day={next_due_on} />,
          },
          {
            head: all.customers.state,
            cell: ({ group }) => (
              <Pill {...(group === "active" ? { kind: "ok" as const } : {})}>
                {all.retainer.whole_states[group]}
              </Pill>
            ),
          },
        ]}
      />
      <p class="pad row">
        {is_active && (
          <a class="button small" href={`/retainers/new?customer=${customer_id}`}>
            {all.retainers.add}
          </a>
        )}
        <a class="link" href={`/retainers?customer=${customer_id}`}>
          {all.customers.all_retainers}
        </a>
      </p>
    </Card>
  );
}
