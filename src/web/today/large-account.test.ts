/**
 * Today, and the page of a customer with a series of 80,000 unbilled lines: neither page adds up the lines during a request. The
 * limit is on the processor time of this process, which runs service and test; the database has its own.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { slowness } from "../../../test/support/run/slowness.ts";
import { useSeries } from "../../../test/support/world/series.ts";
import { addUpWanted, figuresOf } from "../../features/revenue/reports/report-figures.ts";
import { balancesOf } from "../../features/revenue/reports/report-groups.ts";
import type { EstimatedLines } from "../../features/revenue/revenue-facts/count-lines.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { schedulerContext } from "../../platform/runtime/services.ts";

const { world, customer, line, active, at } = useSeries({ knows_origin: true });
let admin: Browser;

const MOST_SECONDS = 0.5;
const DANISH = { "accept-language": "da" };
const FEW: EstimatedLines = { documents: 0, waiting: 0 };

beforeAll(async () => {
  at("2026-03-10");
  // 160 weeks of 500 lines, through the end of March.
  const series = {
    frequency: "weekly",
    start_date: "2023-03-13",
    issue_timing: { mode: "manual" },
  };
  await active({ ...series, lines: Array.from({ length: 500 }, () => line()) });
  admin = await openConsent(world).signedInAdmin();
});

/** The least processor time of three calls in seconds, divided by the slowness, to exclude other work of the process. */
async function secondsOf(call: () => Promise<unknown>): Promise<number> {
  const seconds: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6 / slowness());
  }
  return Math.min(...seconds);
}

async function textOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { html } = await admin.get(path, headers);
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

describe("Today", () => {
  it("answers without delay and stores the same figures that an immediate calculation returns", async () => {
    expect(await secondsOf(() => admin.get("/today"))).toBeLessThan(MOST_SECONDS);
    expect(await addUpWanted(world.services)).toBe(1);
    expect(await addUpWanted(world.services)).toBe(0);

    const cx = await schedulerContext(world.services, world.account.account_id);
    const configuration = await getConfiguration(cx);
    const [row] = await world.sql(
      "select computed_at, content, false as is_old from revenue_figures",
    );
    const kept = await figuresOf(cx, configuration, row as never, FEW);
    const now = await figuresOf(cx, configuration, null, FEW);
    expect(kept?.as_of).not.toBeNull();
    expect(kept?.months).toEqual(now?.months);
    expect(now?.months.map(({ earned }) => earned)).not.toContain(0n);
  });

  it("states the moment of the figures", async () => {
    const small = { customer_id: customer.id, lines: [line({ agreed_value: 10 })] };
    const invoice = await world.done("POST /invoices", small);
    await world.done(`POST /invoices/${invoice.id}/issue`);
    expect(await textOf("/today")).toMatch(/Earned in March 6,835,365 DKK .* Figures of /);
    expect(await secondsOf(() => admin.get("/today"))).toBeLessThan(MOST_SECONDS);
  });
});

describe("the page of a customer", () => {
  const path = (): string => `/customers/${customer.id}`;

  it("answers without delay that the balances are being calculated", async () => {
    expect(await secondsOf(() => admin.get(path()))).toBeLessThan(MOST_SECONDS);
    expect(await textOf(path())).toContain("Being calculated: check again in a minute");
    expect(await textOf(path(), DANISH)).toContain("Beregnes: se igen om et minut");
  });

  it("shows the same balances as an immediate calculation, with their moment", async () => {
    expect(await addUpWanted(world.services)).toBe(1);
    const cx = await schedulerContext(world.services, world.account.account_id);
    const { asset } = await balancesOf(cx, await getConfiguration(cx), customer.id);
    const shown = ((asset ?? 0n) / 100n).toLocaleString("en");
    expect(await textOf(path())).toMatch(
      new RegExp(`Earned, not invoiced ${shown} DKK .* Figures of `),
    );
    expect(await textOf(path(), DANISH)).toContain("Tal fra");
    expect(await addUpWanted(world.services)).toBe(0);

    await world.sql("update customer_balances set computed_at = computed_at - interval '1 hour'");
    await admin.get(path());
    const wanted = await world.sql("select from customer_balances where wanted_at > computed_at");
    expect(wanted, "old balances of a page that was read").toHaveLength(1);
  });

  it("adds up the balances of a small customer within the request", async () => {
    const { id } = await world.done("POST /customers", { name: "Small A/S" });
    await active({ customer_id: id, start_date: "2026-03-01" });
    const text = await textOf(`/customers/${id}`);
    expect(text).toContain("Earned, not invoiced 3,100 DKK");
    expect(text).not.toContain("Figures of");
  });
});
