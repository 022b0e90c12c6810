/** Twenty writers that change one account at once: each plays random steps, and shares what the others have made. */
import { drawnFrom } from "../ledger/random-faults.ts";
import type { Json, Reply } from "./world.ts";

type Ask = (call: string, body?: unknown) => Promise<Reply>;

export interface Played {
  readonly customer_id: string;
  readonly series_id: string;
  /** The changes that were certain to have an event of their own: `invoice.created <id>`, as often as they were made. */
  readonly played: Promise<readonly string[]>;
}

const WRITERS = 20;
const STEPS = 10;
const DAY = "2027-03-01";

/** Makes what every step needs, and begins to play; the seed decides the steps of each writer, and not what they meet. */
export async function playWriters(ask: Ask, seed: number): Promise<Played> {
  const certain: string[] = [];
  const made = { customers: [] as string[], drafts: [] as Json[], issued: [] as Json[] };
  const of_series = { series: [] as Json[], work: [] as string[] };
  let count = 0;

  /** Makes a call; a refusal by state is what parallel writers meet, anything else fails the test. */
  async function call(text: string, body?: unknown, type?: string): Promise<Json | undefined> {
    const { status, body: answer } = await ask(text, body);
    if (status >= 400 && ![404, 409, 422].includes(status)) {
      throw new Error(`${text} answered ${status}: ${JSON.stringify(answer)}`);
    }
    if (status >= 400) return undefined;
    const id = answer?.id ?? text.split("/")[2];
    if (type !== undefined) certain.push(`${type} ${id}`);
    return answer ?? {};
  }

  const product = await call("POST /products", { name: "Advice", default_price: 100 });
  const users: Json[] = [];
  for (let number = 0; number < WRITERS; number += 1) {
    const named = { name: `User ${number}`, email: `user-${number}@studio.example` };
    users.push(await call("POST /users", named));
  }
  const newCustomer = async (): Promise<Json> => {
    count += 1;
    const customer = await call("POST /customers", { name: `C ${count}` }, "customer.created");
    made.customers.push(customer.id);
    return customer;
  };
  const line = (rate: number): Json => ({
    product_id: product.id,
    recognition_method: "hours",
    hourly_rate: rate,
  });
  /** A new active series; undefined where its customer has been deactivated. */
  const newSeries = async (pick: Picker, customer_id: string): Promise<Json | undefined> => {
    const series = await call(
      "POST /recurring-series",
      {
        customer_id,
        frequency: "monthly",
        start_date: DAY,
        issue_timing: { mode: "manual" },
        lines: [line(100 + pick.below(900))],
      },
      "recurring_series.created",
    );
    if (series === undefined) return undefined;
    const { data } = await call(`GET /recurring-series/${series.id}/lines`);
    of_series.series.push({ id: series.id, line_id: data[0].line_id });
    await call(`POST /recurring-series/${series.id}/activate`, {}, "recurring_series.activated");
    return series;
  };

  /** The steps of a writer, each about as likely as it stands here. */
  const steps: readonly ((pick: Picker, user_id: string) => Promise<unknown>)[] = [
    () => newCustomer(),
    async (pick) => {
      count += 1;
      const path = `PATCH /customers/${pick(made.customers)}`;
      await call(path, { city: `City ${count}` }, "customer.updated");
    },
    (pick) =>
      call(`POST /customers/${pick(made.customers)}/${pick(["activate", "deactivate"])}`, {}),
    ...twice(async (pick: Picker) => {
      const body = { customer_id: pick(made.customers), auto_send: false };
      const lines = [line(100 + pick.below(900)), line(100)];
      const draft = await call("POST /invoices", { ...body, lines }, "invoice.created");
      if (draft !== undefined) made.drafts.push(draft);
    }),
    async (pick) => {
      if (made.drafts.length === 0) return;
      const { id, lines } = pick(made.drafts);
      count += 1;
      const changed = lines.map((one: Json) => ({ id: one.id, ...line(100 + pick.below(900)) }));
      const title = `Title ${count}`;
      await call(`PATCH /invoices/${id}`, { title, lines: changed }, "invoice.updated");
    },
    async (pick) => {
      if (made.drafts.length < 4) return;
      await call(`DELETE /invoices/${pick(made.drafts).id}`, undefined, "invoice.deleted");
    },
    ...twice(async (pick: Picker) => {
      if (made.drafts.length === 0) return;
      const issued = await call(`POST /invoices/${pick(made.drafts).id}/issue`, {});
      if (issued?.invoice ?? issued?.id) made.issued.push(issued.invoice ?? issued);
    }),
    async (pick) => {
      if (made.issued.length === 0) return;
      count += 1;
      const invoice = pick(made.issued).id;
      const fields = { external_id: `credit ${count}`, kind: "full", credit_date: DAY };
      await call("POST /credit-notes", { ...fields, invoice }, "credit_note.created");
    },
    (pick) => newSeries(pick, pick(made.customers)),
    async (pick) => {
      const { id, line_id } = pick(of_series.series);
      const change = { scope: "all", line: { hourly_rate: 100 + pick.below(900) } };
      await call(`PATCH /recurring-series/${id}/lines/${line_id}`, change);
    },
    async (pick) => {
      const { id } = pick(of_series.series);
      const path = `/recurring-series/${id}/occurrences/2027-0${3 + pick.below(3)}`;
      await call(`POST ${path}/${pick(["issue", "issue", "skip"])}`, {});
    },
    async (pick) => {
      if (of_series.series.length < 6) return;
      const { id } = pick(of_series.series);
      const end_date = pick(["2027-03-31", "2027-04-30"]);
      await call(`POST /recurring-series/${id}/cancel`, { end_date, credit: "none" });
    },
    ...twice(async (pick: Picker, user_id: string) => {
      if (made.drafts.length === 0) return;
      const [{ id: line_id }] = pick(made.drafts).lines;
      await register({ line_id, user_id, hours: (1 + pick.below(150)) / 100 });
    }),
    ...twice(async (pick: Picker, user_id: string) => {
      const period = `2027-0${3 + pick.below(4)}`;
      const path = `/recurring-series/${pick(of_series.series).id}/occurrences/${period}/lines`;
      const found = await call(`GET ${path}`);
      const [of_period] = found?.data ?? [];
      if (of_period === undefined) return;
      const hours = (1 + pick.below(150)) / 100;
      await register({ line_id: of_period.id, user_id, hours, billable: pick.below(4) > 0 });
    }),
    async (pick) => {
      if (of_series.work.length === 0) return;
      count += 1;
      const path = `PATCH /work-registrations/${pick(of_series.work)}`;
      await call(path, { note: `Note ${count}` }, "work_registration.updated");
    },
    async (pick) => {
      if (of_series.work.length < 5) return;
      const path = `DELETE /work-registrations/${pick(of_series.work)}`;
      await call(path, undefined, "work_registration.deleted");
    },
  ];

  async function register(body: Json): Promise<void> {
    const work = await call("POST /work-registrations", body, "work_registration.created");
    if (work !== undefined) of_series.work.push(work.id);
  }

  const { id: customer_id } = await newCustomer();
  const first = pickerOf(drawnFrom(seed));
  const { id: series_id } = await newSeries(first, customer_id);
  const writers = users.map(async ({ id }, number) => {
    const pick = pickerOf(drawnFrom(seed + number + 1));
    for (let step = 0; step < STEPS; step += 1) await pick(steps)(pick, id);
  });
  /** Ends with hours of each state, whatever the steps were. */
  const played = Promise.all(writers).then(async () => {
    const [user] = users;
    const { id: last_customer } = await newCustomer();
    const series = await newSeries(first, last_customer);
    for (const period of ["2027-03", "2027-04", "2027-05"]) {
      const path = `/recurring-series/${series.id}/occurrences/${period}`;
      const { data } = await call(`GET ${path}/lines`);
      await register({ line_id: data[0].id, user_id: user.id, hours: 0.5 });
    }
    await call(`POST /recurring-series/${series.id}/occurrences/2027-03/issue`, {});
    const cancelled = { end_date: "2027-04-30", credit: "none" };
    await call(`POST /recurring-series/${series.id}/cancel`, cancelled);
    return certain;
  });
  return { customer_id, series_id, played };
}

interface Picker {
  <Value>(values: readonly Value[]): Value;
  below(count: number): number;
}

function pickerOf(random: () => number): Picker {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  return Object.assign(pick, { below });
}

const twice = <Step>(step: Step): Step[] => [step, step];
