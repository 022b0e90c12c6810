/** The hours registered on an invoice or on one of its lines: the registrations behind a sum of hours. */
import type * as z from "zod";
import { type CalendarDate, weekKeyOf } from "../../domain/base/calendar.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { listWork, sumOfWork } from "../../features/work/registrations/queries.ts";
import type { WorkResource } from "../../features/work/registrations/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen } from "../frame/seen.ts";
import { hoursOf, plainNumber } from "../parts/format.ts";
import { List, Older } from "../parts/list.tsx";
import { Day, Pill } from "../parts/values.tsx";

const MOST_HOURS = 50;

type Work = z.output<typeof WorkResource>;

export const registeredHoursPage: WebPage = definePage(
  "GET /invoices/:id/hours",
  "person",
  ofSeen("invoice", show),
);

/** Shows the registrations, the newest first. People who do not see the account see their own. */
async function show({ cx, id, query, reader }: PageRequest): Promise<PageAnswer> {
  const { words: all, language } = reader;
  const words = all.registered;
  const { invoice } = await getInvoice(cx, id);
  const index = invoice.lines.findIndex((line) => line.id === query.line);
  const line = invoice.lines[index];
  const is_admin = isAdmin(cx);
  const filters = {
    invoice: id,
    ...(line === undefined ? {} : { line: line.id }),
    ...(is_admin ? {} : { user: cx.caller.person.user_id }),
  };
  const [found, sum] = await Promise.all([
    listWork(cx, { ...filters, limit: MOST_HOURS, cursor: query.cursor }),
    sumOfWork(cx, { ...filters, billable: true }),
  ]);
  const { data, next_cursor } = pageFrom<Work>(found);
  const names = await userNames(
    cx,
    data.map(({ user_id }) => user_id),
  );
  const weekOf = ({ date, user_id }: Work) =>
    `/hours/${weekKeyOf(date as CalendarDate)}${is_admin ? `?user=${user_id}` : ""}`;
  const here = `/invoices/${id}/hours${line === undefined ? "" : `?line=${line.id}`}`;
  const content = (
    <>
      {!is_admin && <p class="small quiet">{words.own}</p>}
      <List
        label={words.title}
        rows={data}
        empty={<p>{words.none}</p>}
        columns={[
          {
            head: all.customers.day,
            cell: (work) => (
              <a class="link" href={weekOf(work)}>
                <Day day={work.date} />
              </a>
            ),
          },
          { head: all.customers.worker, cell: ({ user_id }) => names.get(user_id) ?? "–" },
          { head: all.customers.note, cell: ({ note }) => note ?? "–" },
          {
            head: all.customers.card_tabs.hours,
            kind: "number",
            cell: ({ hours, billable }) => (
              <>
                {!billable && <Pill>{all.customers.not_billable}</Pill>}{" "}
                {plainNumber(language, hours)}
              </>
            ),
          },
        ]}
      />
      <Older address={here} cursor={next_cursor} text={all.older} />
      <p class="row">
        <strong>{words.sum(hoursOf(language, sum))}</strong>
        <span class="grow" />
        <a class="button" href={`/invoices/${id}`}>
          {words.back}
        </a>
      </p>
    </>
  );
  const title =
    line === undefined
      ? words.title
      : words.of_line(index + 1, line.description_override ?? line.product_name);
  return { title, content };
}
