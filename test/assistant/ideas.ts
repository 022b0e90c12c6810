/** What an assistant may plan in a random history: a tool with arguments that refer to existing resources. */
import { addDays, type Draw, type Studio } from "../revenue/studio.ts";
import type { Json } from "../support/world/world.ts";

/** Undefined where no suitable resource exists. */
type Idea = readonly [tool: string, args: Json] | undefined;

type Think = (studio: Studio, draw: Draw) => Promise<Idea>;

const invoices = (studio: Studio, status: string): Promise<Json[]> =>
  studio.all(`/invoices?status=${status}`);
const series = (studio: Studio): Promise<Json[]> => studio.all("/recurring-series");

const lineOf = (studio: Studio, draw: Draw, currency: string): Json => ({
  product_id: draw.oneOf(studio.products).id,
  ...draw.oneOf([
    { recognition_method: "value", agreed_value: studio.amount(draw, currency) },
    { recognition_method: "hours", hourly_rate: draw.oneOf([1000, 0.01, 333.3333]) },
  ]),
  assignees: draw.oneOf([[], [{ user_id: "me" }], [{ user_id: draw.oneOf(studio.users).id }]]),
});

async function seriesLine(studio: Studio, draw: Draw): Promise<[Json, Json] | undefined> {
  const one = draw.maybeOneOf(await series(studio));
  if (one === undefined) return undefined;
  const { data } = await studio.done(`GET /recurring-series/${one.id}/lines`);
  const line = draw.maybeOneOf<Json>(data);
  return line && [one, line];
}

const thoughts: Readonly<Record<string, Think>> = {
  customer: async (studio, draw) => {
    const fields = draw.oneOf<Json>([
      { email: draw.oneOf(["a@acme.example", "b@acme.example"]) },
      { email: null },
      { name: `Name ${draw.below(4)}` },
      { send_method: draw.oneOf(["email", "einvoice"]) },
    ]);
    const customer = draw.oneOf(studio.customers).id;
    return ["plan_save_customer", draw.often(80) ? { customer, ...fields } : { name: "New" }];
  },

  product: async (studio, draw) => {
    const product = draw.oneOf(studio.products).id;
    return ["plan_save_product", { product, default_price: draw.oneOf([1, 2.5, 1000]) }];
  },

  draft: async (studio, draw) => {
    const currency = studio.currency(draw);
    const lines = [lineOf(studio, draw, currency), lineOf(studio, draw, currency)];
    const customer = draw.oneOf(studio.customers).id;
    return ["plan_create_invoice", { customer, currency, lines: lines.slice(draw.below(2)) }];
  },

  change: async (studio, draw) => {
    const invoice = draw.maybeOneOf(await invoices(studio, draw.often(90) ? "draft" : "issued"));
    if (invoice === undefined) return undefined;
    const changes = draw.oneOf<Json>([
      { title: draw.oneOf(["One", "Two", null]) },
      { issue_date: studio.day(draw) },
      { customer: draw.oneOf(studio.customers).id },
      { lines: [lineOf(studio, draw, invoice.currency)] },
    ]);
    return ["plan_update_invoice", { invoice: invoice.id, ...changes }];
  },

  issue: async (studio, draw) => {
    const invoice = draw.maybeOneOf(await invoices(studio, "draft"));
    return invoice && ["plan_issue_invoice", { invoice: invoice.id }];
  },

  credit: async (studio, draw) => {
    const invoice = draw.maybeOneOf(await invoices(studio, "issued"));
    if (invoice === undefined) return undefined;
    const amount = studio.amount(draw, invoice.currency);
    const lines = [{ invoice_line_id: draw.oneOf<Json>(invoice.lines).id, amount }];
    const what = draw.oneOf<Json>([{ kind: "full" }, { kind: "partial", lines }]);
    // The day of the plan: the default would be a different one later.
    const credit_date = studio.today;
    return ["plan_create_credit_note", { invoice: invoice.id, credit_date, ...what }];
  },

  series: async (studio, draw) => {
    const start_date = studio.day(draw);
    return [
      "plan_create_series",
      {
        customer: draw.oneOf(studio.customers).id,
        frequency: "monthly",
        start_date,
        issue_timing: { mode: "end-of-period" },
        lines: [lineOf(studio, draw, "DKK")],
        activate: draw.often(60),
      },
    ];
  },

  header: async (studio, draw) => {
    const one = draw.maybeOneOf(await series(studio));
    if (one === undefined) return undefined;
    const changes = draw.oneOf<Json>([
      { end_date: addDays(studio.today, draw.oneOf([10, 60, 90])) },
      { activate: true },
      { auto_send: draw.often(50) },
    ]);
    return ["plan_update_series", { series: one.id, ...changes }];
  },

  lines: async (studio, draw) => {
    const found = await seriesLine(studio, draw);
    if (found === undefined) return undefined;
    const [{ id, currency }, { line_id }] = found;
    const scope = draw.oneOf(["this_only", "this_and_following", "all"]);
    const edit = draw.oneOf<Json>([
      { action: "add", line: lineOf(studio, draw, currency) },
      { action: "change", line_id, line: { discount: draw.oneOf([0, 10, 33.33]) } },
      { action: "remove", line_id },
    ]);
    return ["plan_edit_series_line", { series: id, scope, ...edit }];
  },

  occurrence: async (studio, draw) => {
    const one = draw.maybeOneOf(await series(studio));
    if (one === undefined) return undefined;
    const { data } = await studio.done(`GET /recurring-series/${one.id}/occurrences`);
    const period = draw.maybeOneOf<Json>(data)?.period;
    return period && ["plan_issue_occurrence", { series: one.id, period }];
  },

  work: async (studio, draw) => {
    const ids = (await invoices(studio, "draft")).flatMap(({ lines }) =>
      lines.map(({ id }: Json) => id),
    );
    const found = await seriesLine(studio, draw);
    if (found !== undefined) ids.push(found[1].line_id);
    const line_id = draw.maybeOneOf(ids);
    if (line_id === undefined) return undefined;
    const entry = { line_id, date: studio.past(draw), hours: draw.oneOf([0.01, 2.5, 8]) };
    if (draw.often(40)) return ["plan_register_work", { entries: [entry, { ...entry, hours: 1 }] }];
    return ["plan_register_work", { ...entry, user: draw.oneOf(["me", studio.users[0]?.id]) }];
  },

  reworked: async (studio, draw) => {
    const one = draw.maybeOneOf(await studio.all("/work-registrations"));
    if (one === undefined) return undefined;
    const change = draw.oneOf<Json>([
      { action: "delete" },
      { action: "change", hours: draw.oneOf([0.5, 3]) },
      { action: "change", billable: !one.billable },
    ]);
    return ["plan_register_work", { registration_id: one.id, ...change }];
  },
};

const WEIGHTS: Readonly<Record<string, number>> = { issue: 4, credit: 2, occurrence: 2, change: 2 };
const NAMES = Object.keys(thoughts).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] ?? 1 }, () => name),
);

export async function ideaOf(studio: Studio, draw: Draw): Promise<Idea> {
  return thoughts[draw.oneOf(NAMES)]?.(studio, draw);
}
