/**
 * The steps of a random history: each is a call as a person would make it, with drawn
 * values. Steps choose among existing records; without any, a step does nothing.
 */
import type { Json } from "../support/world/world.ts";
import { bringAlong, endOpening } from "./openings.ts";
import { addDays, addMonths, type Draw, daysIn, lastDay, type Studio } from "./studio.ts";

/** The result of a step, for the checks that follow it. */
interface Done {
  /** The accruals that it booked. */
  readonly booked?: readonly string[];
}

type Step = (studio: Studio, draw: Draw) => Promise<Done | undefined>;

const drafts = async (studio: Studio): Promise<Json[]> =>
  (await studio.all("/invoices?status=draft")).filter((one) => one.status === "draft");
const issued = async (studio: Studio): Promise<Json[]> =>
  (await studio.all("/invoices?status=issued")).filter((one) => one.status === "issued");
const series = (studio: Studio): Promise<Json[]> => studio.all("/recurring-series");
const isNothing = async (): Promise<undefined> => undefined;
const does =
  (act: (studio: Studio, draw: Draw) => Promise<unknown>): Step =>
  async (studio, draw) => {
    await act(studio, draw);
    return undefined;
  };

function assigneesOf(studio: Studio, draw: Draw): Json[] {
  const [anna, bo, cia] = studio.users.map((user) => ({ user_id: user.id }));
  return draw.oneOf([
    [],
    [anna],
    [anna, bo, cia],
    [
      { ...cia, distribution_percentage: 33.34 },
      { ...anna, distribution_percentage: 33.33 },
      { ...bo, distribution_percentage: 33.33 },
    ],
    [
      { ...bo, distribution_percentage: 0.01, hourly_rate_override: 333.3333 },
      { ...anna, distribution_percentage: 99.99 },
    ],
  ]);
}

/** A line by any method; a line of a series has no service period. */
function lineOf(studio: Studio, draw: Draw, currency: string, of_series: boolean): Json {
  const recognition_method = of_series
    ? draw.oneOf(["value", "value", "hours", "progress"])
    : draw.oneOf(["value", "value", "hours", "hours", "progress", "milestone", "on_issue"]);
  const from = studio.day(draw);
  const to = addDays(from, draw.oneOf([0, 27, 30, 58, 89, 364, 1]));
  const has_service = recognition_method === "value" && !of_series && draw.often(80);
  return {
    product_id: draw.oneOf(studio.products).id,
    recognition_method,
    ...(recognition_method === "hours"
      ? { hourly_rate: draw.oneOf([1000, 0.01, 333.3333, 950, 0.0001]) }
      : { agreed_value: studio.amount(draw, currency) }),
    ...(recognition_method === "progress" ? { budget_hours: draw.oneOf([3, 10, 0.01, 7.77]) } : {}),
    ...(has_service ? { service_from: from, service_to: to } : {}),
    discount: draw.oneOf([0, 0, 12.5, 0, 33.33, 0, 50, 0, 0, 100]),
    assignees: assigneesOf(studio, draw),
  };
}

function linesOf(studio: Studio, draw: Draw, currency: string, of_series = false): Json[] {
  const count = draw.oneOf([1, 1, 2, 3]);
  return Array.from({ length: count }, () => lineOf(studio, draw, currency, of_series));
}

/** Lines that accept work: of drafts, and the effective lines of series. */
async function workableLines(studio: Studio): Promise<string[]> {
  const ids = (await drafts(studio)).flatMap((invoice) =>
    invoice.lines.map((line: Json) => line.id),
  );
  for (const one of await series(studio)) {
    const { data } = await studio.done(`GET /recurring-series/${one.id}/lines`);
    ids.push(...data.map((line: Json) => line.line_id));
  }
  return ids;
}

const work = (studio: Studio): Promise<Json[]> => studio.all("/work-registrations");

async function registered(studio: Studio, draw: Draw): Promise<Json | undefined> {
  return draw.maybeOneOf(await work(studio));
}

/** Drafts of accruals whose month has ended, of any customer: those that a person might book. */
async function accruals(studio: Studio, status: string): Promise<Json[]> {
  const found: Json[] = [];
  for (const { id } of studio.customers) {
    const list = await studio.all(`/customers/${id}/accruals`);
    found.push(...list.filter((one) => one.status === status).reverse());
  }
  return found;
}

const all = {
  draft: does(async (studio, draw) => {
    const currency = studio.currency(draw);
    const { body, status } = await studio.ask("POST /invoices", {
      customer_id: draw.oneOf(studio.customers).id,
      currency,
      lines: linesOf(studio, draw, currency),
      ...(draw.often(60) ? { issue_date: studio.day(draw) } : {}),
    });
    const line = body.lines?.find((one: Json) => one.recognition_method !== "value");
    if (status === 201 && line) await register(studio, draw, line.id);
  }),

  change: does(async (studio, draw) => {
    const invoice = draw.maybeOneOf(await drafts(studio));
    if (!invoice) return;
    const at = draw.below(Math.max(1, invoice.lines.length));
    const lines = invoice.lines.map((line: Json, index: number) =>
      index === at ? changed(studio, draw, line, invoice.currency) : line,
    );
    if (draw.often(15)) lines.push(lineOf(studio, draw, invoice.currency, false));
    else if (draw.often(10)) lines.splice(at, 1);
    await studio.ask(`PATCH /invoices/${invoice.id}`, {
      lines: lines.map((line: Json, index: number) => ({ ...line, position: index + 1 })),
    });
  }),

  header: does(async (studio, draw) => {
    const invoice = draw.maybeOneOf(await drafts(studio));
    if (!invoice) return;
    const change = draw.oneOf([
      { customer_id: draw.oneOf(studio.customers).id },
      { issue_date: studio.day(draw) },
      { currency: studio.currency(draw) },
    ]);
    await studio.ask(`PATCH /invoices/${invoice.id}`, change);
  }),

  remove: does(async (studio, draw) => {
    const invoice = draw.maybeOneOf(await drafts(studio));
    if (invoice) await studio.ask(`DELETE /invoices/${invoice.id}`);
  }),

  work: does(async (studio, draw) => {
    const line_id = draw.maybeOneOf(await workableLines(studio));
    if (line_id) await register(studio, draw, line_id);
  }),

  workChange: does(async (studio, draw) => {
    const one = await registered(studio, draw);
    if (!one) return;
    const change = draw.oneOf([
      { hours: draw.oneOf([0.01, 2.5, 8]) },
      { date: studio.past(draw) },
      { user_id: draw.oneOf(studio.users).id },
      { billable: !one.billable },
    ]);
    await studio.ask(`PATCH /work-registrations/${one.id}`, change);
  }),

  workMove: does(async (studio, draw) => {
    const [one, line_id] = [
      await registered(studio, draw),
      draw.maybeOneOf(await workableLines(studio)),
    ];
    if (one && line_id) await studio.ask(`PATCH /work-registrations/${one.id}`, { line_id });
  }),

  workRemove: does(async (studio, draw) => {
    const one = await registered(studio, draw);
    if (one) await studio.ask(`DELETE /work-registrations/${one.id}`);
  }),

  complete: does(async (studio, draw) => {
    const invoices = [...(await drafts(studio)), ...(await issued(studio))];
    const lines = invoices.flatMap((invoice) =>
      invoice.lines
        .filter(({ recognition_method: by }: Json) => by === "milestone" || by === "progress")
        .map((line: Json) => `/invoices/${invoice.id}/lines/${line.id}/complete`),
    );
    const path = draw.maybeOneOf(lines);
    if (!path) return;
    if (draw.often(30)) await studio.ask(`DELETE ${path}`);
    else await studio.ask(`POST ${path}`, { completed_on: studio.past(draw) });
  }),

  issue: does(async (studio, draw) => {
    const invoice = draw.maybeOneOf(await drafts(studio));
    if (!invoice) return;
    if (draw.often(40)) {
      await studio.ask(`PATCH /invoices/${invoice.id}`, { issue_date: studio.day(draw) });
    }
    await studio.ask(`POST /invoices/${invoice.id}/issue`);
  }),

  credit: does(async (studio, draw) => {
    const invoice = draw.maybeOneOf(await issued(studio));
    if (!invoice) return;
    const is_full = draw.often(35);
    const lines = invoice.lines.map((line: Json) => ({
      invoice_line_id: line.id,
      amount: studio.amount(draw, invoice.currency),
    }));
    await studio.ask("POST /credit-notes", {
      external_id: studio.fresh(),
      invoice: invoice.id,
      credit_date: draw.often(50) ? studio.today : studio.day(draw),
      ...(is_full ? { kind: "full" } : { kind: "partial", lines }),
    });
  }),

  series: does(async (studio, draw) => {
    const currency = studio.currency(draw);
    const start_date = studio.day(draw);
    const { body, status } = await studio.ask("POST /recurring-series", {
      customer_id: draw.oneOf(studio.customers).id,
      currency,
      frequency: draw.oneOf(["monthly", "monthly", "quarterly", "weekly"]),
      start_date,
      ...(draw.often(50) ? { end_date: addDays(start_date, draw.oneOf([40, 70, 100])) } : {}),
      ...(draw.often(30) ? { alignment: "calendar" } : {}),
      issue_timing: {
        mode: draw.oneOf(["start-of-period", "end-of-period", "end-of-period", "manual"]),
      },
      lines: linesOf(studio, draw, currency, true),
    });
    if (status === 201 && draw.often(85)) {
      await studio.ask(`POST /recurring-series/${body.id}/activate`, {
        past_periods: draw.oneOf(["keep", "skip", "keep"]),
      });
    }
  }),

  seriesEdit: does(async (studio, draw) => {
    const one = draw.maybeOneOf(await series(studio));
    if (!one) return;
    const { data } = await studio.done(`GET /recurring-series/${one.id}/lines`);
    const line = draw.maybeOneOf<Json>(data);
    if (!line) return;
    const { data: periods } = await studio.done(`GET /recurring-series/${one.id}/occurrences`);
    const period = draw.maybeOneOf<Json>(periods)?.period;
    const scope = draw.oneOf(["all", "this_only", "this_and_following"]);
    const change = draw.oneOf<Json>([
      { agreed_value: studio.amount(draw, one.currency) },
      { product_id: draw.oneOf(studio.products).id },
      { discount: draw.oneOf([0, 33.33]) },
      { assignees: assigneesOf(studio, draw) },
    ]);
    await studio.ask(`PATCH /recurring-series/${one.id}/lines/${line.line_id}`, {
      scope,
      ...(scope === "all" ? {} : { period }),
      line: change,
    });
  }),

  occurrence: does(async (studio, draw) => {
    const one = draw.maybeOneOf(await series(studio));
    if (!one) return;
    const { data } = await studio.done(`GET /recurring-series/${one.id}/occurrences`);
    const period = draw.maybeOneOf<Json>(data)?.period;
    if (!period) return;
    const verb = draw.oneOf(["issue", "issue", "skip", "unskip"]);
    await studio.ask(`POST /recurring-series/${one.id}/occurrences/${period}/${verb}`);
  }),

  scheduler: does((studio) => studio.ask("POST /scheduler-runs")),

  cancel: does(async (studio, draw) => {
    const one = draw.maybeOneOf(await series(studio));
    if (!one) return;
    await studio.ask(`POST /recurring-series/${one.id}/cancel`, {
      ...(draw.often(60) ? { end_date: studio.day(draw) } : {}),
      credit: draw.oneOf(["prorated", "prorated", "none"]),
    });
    if (draw.often(70)) await studio.ask("POST /scheduler-runs");
  }),

  book: async (studio, draw) => {
    const open = (await accruals(studio, "draft")).filter(
      (one) => lastDay(one.accrual_month) < studio.today,
    );
    const one = draw.often(80) ? open[0] : draw.maybeOneOf(open);
    if (!one) return isNothing();
    const { status, body } = await studio.ask(`POST /accruals/${one.id}/book`);
    return status === 200 ? { booked: [body.id] } : undefined;
  },

  reopen: does(async (studio, draw) => {
    const booked = await accruals(studio, "booked");
    const one = draw.often(70) ? booked.at(-1) : draw.maybeOneOf(booked);
    if (one) await studio.ask(`POST /accruals/${one.id}/reopen`, { reason: "A mistake" });
  }),

  close: async (studio, draw) => {
    const before = new Set((await accruals(studio, "booked")).map((one) => one.id));
    const month = addMonths(studio.month, draw.oneOf([-1, -2, -1, -3]));
    await studio.ask("POST /period-closes", { month, lock: draw.often(60) });
    const booked = (await accruals(studio, "booked")).map((one) => one.id);
    return { booked: booked.filter((id) => !before.has(id)) };
  },

  reopenClose: does(async (studio, draw) => {
    const closes = await studio.all("/period-closes");
    const one = draw.often(70) ? closes[0] : draw.maybeOneOf(closes);
    if (one) await studio.ask(`POST /period-closes/${one.month}/reopen`, { reason: "A mistake" });
  }),

  lock: does(async (studio, draw) => {
    const month = studio.drawMonth(draw);
    const period_lock_date = draw.oneOf([null, lastDay(month), `${month}-15`, null]);
    await studio.ask("PATCH /configuration", { period_lock_date });
  }),

  opening: does((studio, draw) => bringAlong(studio, draw, assigneesOf(studio, draw))),

  openingEnd: does(endOpening),

  convention: does((studio, draw) =>
    studio.ask("PATCH /configuration", {
      recognition_convention: draw.oneOf(["daily", "monthly"]),
    }),
  ),

  rate: does((studio, draw) =>
    studio.ask(`PUT /exchange-rates/${studio.foreign}/${studio.day(draw)}`, {
      rate: studio.rate(draw),
    }),
  ),

  clock: does(async (studio, draw) => {
    const month = studio.month;
    const days = daysIn(month) - Number(studio.today.slice(8));
    await studio.moveTo(addDays(studio.today, draw.oneOf([days + 1, days, 1, days + 3, 7, 33])));
  }),
} as const satisfies Record<string, Step>;

function changed(studio: Studio, draw: Draw, line: Json, currency: string): Json {
  const is_hours = line.recognition_method === "hours";
  return draw.oneOf<() => Json>([
    () =>
      is_hours
        ? { ...line, hourly_rate: draw.oneOf([0.01, 1200, 333.3333]) }
        : { ...line, agreed_value: studio.amount(draw, currency) },
    () => ({ ...line, product_id: draw.oneOf(studio.products).id }),
    () => ({ ...line, assignees: assigneesOf(studio, draw) }),
    () => ({ ...line, discount: draw.oneOf([0, 33.33, 100]) }),
    () => (line.budget_hours ? { ...line, budget_hours: draw.oneOf([1, 5, 100]) } : line),
    () => ({ ...lineOf(studio, draw, currency, false), id: line.id }),
  ])();
}

async function register(studio: Studio, draw: Draw, line_id: string): Promise<void> {
  await studio.ask("POST /work-registrations", {
    line_id,
    user_id: draw.oneOf(studio.users).id,
    date: studio.past(draw),
    hours: draw.oneOf([2, 0.01, 7.77, 0.03, 1.5]),
    billable: !draw.often(10),
  });
}

export type StepName = keyof typeof all;
export const steps: Readonly<Record<StepName, Step>> = all;

/** The relative frequency of each step. */
export const weights: Readonly<Record<StepName, number>> = {
  draft: 16,
  change: 8,
  header: 4,
  remove: 2,
  work: 12,
  workChange: 5,
  workMove: 3,
  workRemove: 2,
  complete: 5,
  issue: 16,
  credit: 7,
  series: 6,
  seriesEdit: 3,
  occurrence: 4,
  scheduler: 4,
  cancel: 3,
  book: 18,
  reopen: 4,
  close: 5,
  reopenClose: 2,
  lock: 3,
  opening: 8,
  openingEnd: 3,
  convention: 2,
  rate: 4,
  clock: 12,
};
