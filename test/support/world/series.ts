/**
 * A world for tests of recurring series: a customer, a product, and short forms of calls on series. At the end it verifies that
 * no period was invoiced twice.
 */
import { afterAll, beforeAll, expect } from "vitest";
import { refusal } from "../http/refusal.ts";
import { invoiceOf, type Json, type Reply, useWorld, type WorldOptions } from "./world.ts";

export const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

export function useSeries(options: WorldOptions = {}) {
  const world = useWorld(options);
  const customer = world.made("POST /customers", { name: "Acme A/S", email: "ap@acme.example" });
  const product = world.made("POST /products", { name: "Retainer", account_number: 1010 });
  beforeAll(async () => {
    await world.done("PATCH /configuration", { default_auto_send: false });
  });
  afterAll(async () => {
    const { account_id } = world.account;
    const numbers = await world.sql(
      "select ledger_invoice_number::int as n from invoices where account_id = $1 and status = 'issued' order by 1",
      [account_id],
    );
    // Every issue takes one number, without a gap, unless an external ledger assigns the numbers.
    const first = numbers[0]?.n ?? 1;
    if (first === 1)
      expect(numbers.map(({ n }) => n)).toEqual(numbers.map((_, index) => index + 1));
  });

  /** A line by value, of 3100 by default. */
  const line = (fields: Json = {}): Json => ({
    product_id: product.id,
    recognition_method: "value",
    agreed_value: 3100,
    ...fields,
  });
  const hours = (fields: Json = {}): Json => ({
    product_id: product.id,
    recognition_method: "hours",
    hourly_rate: 1000,
    ...fields,
  });
  /** The body of a monthly series from 1 January 2027, with one line. */
  const body = (fields: Json = {}): Json => ({
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2027-01-01",
    lines: [line()],
    ...fields,
  });
  const at = (moment: string): void =>
    world.clock.set(moment.length === 10 ? `${moment}T08:00:00Z` : moment);
  const draft = (fields: Json = {}): Promise<Json> =>
    world.done("POST /recurring-series", body(fields));
  /** Activated at the world's current time. */
  const active = async (fields: Json = {}): Promise<Json> => {
    const { id } = await draft(fields);
    return world.done(`POST /recurring-series/${id}/activate`);
  };
  const rest = (method: string, id: string, rest_path = "", sent?: Json): Promise<Reply> =>
    world.rest(`${method} /recurring-series/${id}${rest_path}`, sent);
  const show = (id: string): Promise<Json> => world.done(`GET /recurring-series/${id}`);
  const change = (id: string, changes: Json): Promise<Reply> => rest("PATCH", id, "", changes);
  const cancel = (id: string, sent: Json = {}): Promise<Json> =>
    world.done(`POST /recurring-series/${id}/cancel`, sent);
  const issue = (id: string, period: string): Promise<Reply> =>
    rest("POST", id, `/occurrences/${period}/issue`);
  const issued = async (id: string, period: string): Promise<Json> =>
    invoiceOf(await world.done(`POST /recurring-series/${id}/occurrences/${period}/issue`));
  const skip = (id: string, period: string, verb = "skip"): Promise<Reply> =>
    rest("POST", id, `/occurrences/${period}/${verb}`);
  const occurrence = (id: string, period: string): Promise<Json> =>
    world.done(`GET /recurring-series/${id}/occurrences/${period}`);
  const occurrences = async (id: string, query = ""): Promise<Json[]> =>
    (await world.done(`GET /recurring-series/${id}/occurrences?limit=100&${query}`)).data;
  /** `2027-01 scheduled`, one for each period. */
  const statuses = async (id: string, query = ""): Promise<string[]> =>
    (await occurrences(id, query)).map(({ period, status }) => `${period} ${status}`);
  const linesOf = async (id: string, period: string): Promise<Json[]> =>
    (await world.done(`GET /recurring-series/${id}/occurrences/${period}/lines`)).data;
  /** The amounts with which the periods through a day will be invoiced. */
  const amounts = async (id: string, until: string): Promise<number[]> =>
    (await world.done(`GET /recurring-series/${id}/preview?until=${until}`)).occurrences.map(
      ({ net }: Json) => net,
    );
  const lineIds = async (id: string): Promise<string[]> =>
    (await rest("GET", id, "/lines")).body.data.map(({ line_id }: Json) => line_id);
  /** A draft of 8000 a month from February 2027, with the id of its line. */
  const retainer = async (fields: Json = {}): Promise<{ id: string; line_id: string }> => {
    const lines = [line({ agreed_value: 8000 })];
    const { id } = await draft({ start_date: "2027-02-01", lines, ...fields });
    const [line_id = ""] = await lineIds(id);
    return { id, line_id };
  };
  const add = (id: string, scope: string, agreed_value: number, fields: Json = {}) =>
    rest("POST", id, "/lines", { scope, line: line({ agreed_value }), ...fields });
  const edit = (id: string, line_id: string, scope: string, changes: Json, period?: string) =>
    rest("PATCH", id, `/lines/${line_id}`, { scope, period, line: changes });
  const remove = (id: string, line_id: string, scope: string, period?: string) =>
    rest("DELETE", id, `/lines/${line_id}?scope=${scope}${period ? `&period=${period}` : ""}`);
  const run = (): Promise<Json> => world.done("POST /scheduler-runs");
  /** The result of a run for one series: `issued 2027-01`, `failed 2027-02 PERIOD_LOCKED`. */
  const runOf = async (id: string): Promise<string[]> => {
    const { issued: done, skipped, failed } = await run();
    const of = (entries: Json[], text: (entry: Json) => string) =>
      entries.filter(({ series_id }) => series_id === id).map(text);
    return [
      ...of(done, ({ period }) => `issued ${period}`),
      ...of(skipped, ({ period, reason }) => `skipped ${period} ${reason}`),
      ...of(failed, ({ period, code }) => `failed ${period} ${code}`),
    ];
  };
  /** Every invoice of a series, by period: `[period, issue_date]`. */
  const invoicesOf = async (id: string): Promise<[string, string][]> => {
    const rows = await world.sql(
      "select period, issue_date from invoices where series_id = $1 and status = 'issued' order by period_index",
      [id],
    );
    return rows.map(({ period, issue_date }) => [period, issue_date]);
  };
  /** More copies of a series, which differ only in their ids; quicker than as many calls. */
  const copies = (id: string, count: number): Promise<Json[]> => copySeries(world, id, count);
  const refused = async (reply: Promise<Reply>): Promise<string> => refusal(await reply);

  return {
    world,
    customer,
    product,
    line,
    hours,
    body,
    at,
    draft,
    active,
    rest,
    show,
    change,
    cancel,
    issue,
    issued,
    skip,
    occurrence,
    occurrences,
    statuses,
    linesOf,
    amounts,
    lineIds,
    retainer,
    add,
    edit,
    remove,
    run,
    runOf,
    invoicesOf,
    copies,
    refused,
  };
}

/** Makes copies of a series, which differ only in their ids; returns the ids. */
export function copySeries(
  { sql }: { sql(text: string, values?: unknown[]): Promise<Json[]> },
  id: string,
  count: number,
): Promise<Json[]> {
  return sql(
    `with copies as (select gen_random_uuid() as id from generate_series(1, $2::int)),
     series as (
       insert into recurring_series (account_id, id, customer_id, currency, frequency, alignment, start_date, end_date,
         timing_mode, offset_days, auto_send, status, activated_on, next_due_on, document, updated_at)
       select s.account_id, c.id, s.customer_id, s.currency, s.frequency, s.alignment, s.start_date, s.end_date,
         s.timing_mode, s.offset_days, s.auto_send, s.status, s.activated_on, s.next_due_on,
         replace(s.document, s.id::text, c.id::text), clock_timestamp()
       from recurring_series s, copies c where s.id = $1 returning id),
     lines as (
       select gen_random_uuid() as line_id, c.id as series_id, l.line_id as old, l.account_id
       from series_lines l, copies c where l.series_id = $1),
     made as (
       insert into series_lines (account_id, line_id, series_id) select account_id, line_id, series_id from lines),
     versions as (
       insert into series_line_versions (account_id, line_id, from_index, content)
       select v.account_id, l.line_id, v.from_index, v.content
       from lines l join series_line_versions v on v.line_id = l.old)
     select id from series`,
    [id, count],
  );
}
