/** An account with earned revenue of each kind, for tests of reports: two customers with four contracts. */
import { beforeAll, expect } from "vitest";
import { type Studio, useStudios } from "./studio.ts";
import type { Json } from "./world.ts";

interface Report {
  readonly one: Studio;
  readonly eva: string;
  /** Acme is the studio's customer. */
  readonly beta: string;
  /** A second product, on account 1020. */
  readonly other: Json;
  /** An invoice of Acme, issued in February: three months of two users, and three months without a user. */
  readonly prepaid: Json;
  /** A draft by hours of Acme. */
  readonly open: Json;
  /** A draft by hours in USD of Beta. */
  readonly dollars: Json;
  /** A series of Beta, monthly from March on and never issued. */
  readonly series: Json;
}

/** The months of the reports; today is 10 March. */
export const RANGE = "from=2026-01&to=2026-05";
export const groupings = ["line", "customer", "user", "product", "month"] as const;

export function useReport() {
  const { studio } = useStudios();
  const reported: { report?: Report } = {};
  const report = (): Report => {
    if (reported.report === undefined) throw new Error("the report is not open yet");
    return reported.report;
  };
  beforeAll(async () => {
    reported.report = await createReport(await studio("2026-03-10"));
  });
  /** All rows of a query, which fit on one page. */
  const list = async (query: string): Promise<Json[]> => {
    const { data, has_more } = await report().one.done(`GET /recognition?limit=100&${query}`);
    expect(has_more).toBe(false);
    return data;
  };
  return { studio, report, list };
}

export function sum(entries: readonly Json[], field: string): number {
  return Math.round(entries.reduce((total, entry) => total + entry[field], 0) * 100) / 100;
}

async function createReport(one: Studio): Promise<Report> {
  const { bo, draft, issued, work, rate, service, hours, value, done } = one;
  const eva = await one.newUser();
  const beta = await one.newCustomer("Beta ApS");
  const other = await done("POST /products", { name: "Support", account_number: 1020 });
  await rate("USD", "2026-01-31", 7);
  const both = [
    { user_id: bo, distribution_percentage: 60 },
    { user_id: eva, distribution_percentage: 40 },
  ];
  const prepaid = await issued(
    [
      { ...service(3000, "2026-02-01", "2026-04-30"), assignees: both },
      { ...service(100, "2026-01-01", "2026-03-31"), product_id: other.id },
    ],
    { issue_date: "2026-02-10", external_id: "prepaid" },
  );
  const open = await draft([hours()]);
  await work(open, "2026-02-03", 2);
  await work(open, "2026-03-03", 3, { user_id: eva });
  await work(open, "2026-03-04", 1, { billable: false });
  const dollars = await draft([hours({ hourly_rate: 100 })], {
    customer_id: beta,
    currency: "USD",
  });
  await work(dollars, "2026-02-05", 8);
  const { id } = await done("POST /recurring-series", {
    customer_id: beta,
    frequency: "monthly",
    start_date: "2026-03-01",
    lines: [{ ...value(500), assignees: [{ user_id: eva }] }],
    issue_timing: { mode: "end-of-period" },
    external_id: "retainer",
  });
  const series = await done(`POST /recurring-series/${id}/activate`);
  return { one, eva, beta, other, prepaid, open, dollars, series };
}
