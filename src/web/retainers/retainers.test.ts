/** The list of retainers: rows by state, the months of all of them, and what a standard user sees. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, active, draft, line, hours } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<main.*?>/, "<main>")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
/** The text of the section below a heading with this id. */
const sectionOf = ({ html }: PageReply, id: string): string => {
  const section = new RegExp(`aria-labelledby="${id}".*?</section>`, "s").exec(html);
  return (section?.[0] ?? "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
};

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
});

// One account in the order of its life.
describe("the list of retainers", () => {
  it("says without any what a retainer is, and how to begin", async () => {
    expect(textOf(await admin.get("/retainers"))).toContain("A retainer invoices itself");
    expect(textOf(await standard.get("/retainers"))).toContain("No retainer has a line of yours");
  });

  it("shows active ones, drafts and ended ones with what is next", async () => {
    at("2027-03-10");
    const running = await active({
      start_date: "2027-01-01",
      lines: [
        line({ agreed_value: 8000 }),
        line({ agreed_value: 500, assignees: [{ user_id: own }] }),
      ],
    });
    await world.done(`POST /recurring-series/${running.id}/occurrences/2027-01/issue`);
    await world.done(`POST /recurring-series/${running.id}/occurrences/2027-02/skip`);
    await draft({ start_date: "2027-05-01", frequency: "quarterly", lines: [line()] });
    const over = await active({ start_date: "2027-01-01", end_date: "2027-02-28" });
    await world.done(`POST /recurring-series/${over.id}/cancel`, { end_date: "2027-01-31" });
    const page = await admin.get("/retainers");
    expect(page.status).toBe(200);
    expect(sectionOf(page, "group-active")).toMatch(
      /Retainer and 1 more .*8,500\.00 a month .*1 Mar 2027 , March 2027 Waits for you/,
    );
    expect(sectionOf(page, "group-draft")).toMatch(
      /3,100\.00 a quarter .*1 May 2027 , Quarter 2, 2027 Not active/,
    );
    expect(sectionOf(page, "group-ended")).toContain("31 Jan 2027");
  });

  it("adds up what is earned and not invoiced, as the recognition report does", async () => {
    const { data } = await world.done("GET /recognition?group_by=customer&from=2027-03&to=2027-03");
    const shown = sectionOf(await admin.get("/retainers"), "group-active");
    expect(data[0].earned).toBe(8500);
    expect(shown).toContain("Earned, not invoiced 8,500.00");
  });

  it("counts the periods of each month by state, with amounts", async () => {
    const months = sectionOf(await admin.get("/retainers"), "months");
    expect(months).toMatch(/January 2027 ● 1 issued 8,500\.00/);
    expect(months).toMatch(/February 2027 – 1 skipped 8,500\.00/);
    expect(months).toMatch(/March 2027 ○ 1 scheduled 8,500\.00/);
    expect(months).toContain("March 2028");
    expect(months).not.toContain("April 2028");
    expect(months).not.toContain("August 2026");
  });

  it("prices hours as they are worked, and says so in Danish", async () => {
    const { id } = await active({
      start_date: "2027-03-01",
      issue_timing: { mode: "end-of-period" },
      lines: [hours({ hourly_rate: 1000, assignees: [{ user_id: own }] })],
    });
    const [of_march] = await series.linesOf(id, "2027-03");
    await world.done("POST /work-registrations", {
      line_id: of_march?.id,
      user_id: own,
      date: "2027-03-09",
      hours: 7.5,
    });
    const page = await admin.get("/retainers", DANISH);
    expect(textOf(page)).toContain("Faste aftaler");
    expect(sectionOf(page, "group-active")).toContain("0,00 pr. måned og timer");
    expect(sectionOf(page, "months")).toMatch(/marts 2027 ○ 2 planlagte 16\.000,00/);
  });

  it("shows a standard user only retainers with a line of theirs, without earnings", async () => {
    await active({ start_date: "2027-03-01", lines: [line({ agreed_value: 7777 })] });
    const page = await standard.get("/retainers");
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("8,500.00");
    expect(textOf(page)).not.toContain("7,777");
    expect(textOf(page)).not.toContain("Earned, not invoiced");
    expect(textOf(await admin.get("/retainers"))).toContain("7,777.00");
  });

  it("shows one group or one customer by its address", async () => {
    const only = await admin.get("/retainers?group=ended");
    expect(sectionOf(only, "group-active")).toBe("");
    expect(sectionOf(only, "group-ended")).not.toBe("");
    const { id } = await world.done("POST /customers", { name: "Other A/S" });
    const none = await admin.get(`/retainers?customer=${id}`);
    expect(sectionOf(none, "group-active")).toBe("");
    expect(sectionOf(none, "months")).not.toContain("issued");
    const own_ones = await admin.get(`/retainers?customer=${series.customer.id}`);
    expect(textOf(own_ones)).toContain("Only those of Acme A/S");
    expect(own_ones.html).toContain(`href="/customers/${series.customer.id}"`);
    expect(own_ones.html).toContain(`href="/retainers/new?customer=${series.customer.id}"`);
    expect((await admin.get("/retainers?group=nothing&page=x&customer=y")).status).toBe(200);
  });

  it("adds up the same months after the page, within the view of the person", async () => {
    const asked = { customer_id: null };
    const of = async (by: Browser) =>
      (await by.act("/app/retainers/strip", asked, await proofOf(by))).body;
    const january = (await of(admin)).find(({ month }: { month: string }) => month === "2027-01");
    expect(january.states).toContainEqual({
      state: "issued",
      count: 1,
      amounts: [{ currency: "DKK", net: "850000" }],
    });
    expect(JSON.stringify(await of(standard))).not.toContain("777700");
  });

  it("takes at most 12 statements", async () => {
    expect(await statementsOf(() => admin.get("/retainers"))).toBeLessThanOrEqual(13);
  });
});

describe("the revenue of a retainer", () => {
  it("is shown by month and explained by the address, within the view of the person", async () => {
    at("2027-03-10");
    const { id } = await active({
      start_date: "2027-03-01",
      lines: [
        line({ agreed_value: 4000 }),
        line({ agreed_value: 600, assignees: [{ user_id: own }] }),
      ],
    });
    const monthsFor = async (by: Browser) =>
      (await by.act("/app/retainers/months", { id }, await proofOf(by))).body;
    const [march] = await monthsFor(admin);
    expect(march).toMatchObject({ month: "2027-03", earned: "460000" });
    expect(march.lines).toMatchObject([{ text: "Retainer" }, { text: "Retainer" }]);
    const mine = await monthsFor(standard);
    expect(mine).toMatchObject([{ month: "2027-03", earned: "60000", lines: [{}] }]);
    const [own_line] = mine[0].lines;
    const other = march.lines.find(
      ({ line_id }: { line_id: string }) => line_id !== own_line.line_id,
    );
    const at_line = (one: { line_id: string }) => `/retainers/${id}?explain=${one.line_id}.2027-03`;
    expect(textOf(await admin.get(at_line(other)))).toContain("Earned in March 2027");
    expect(textOf(await standard.get(at_line(own_line)))).toContain("Earned in March 2027");
    // A line outside of the view has no panel.
    const absent = await standard.get(at_line(other));
    expect(absent.status).toBe(200);
    expect(textOf(absent)).not.toContain("Earned in March 2027");
    const { id: hidden } = await active({ start_date: "2027-03-01" });
    const proof = await proofOf(standard);
    expect((await standard.act("/app/retainers/months", { id: hidden }, proof)).status).toBe(404);
  });
});

it("a retainer leads a standard user to its customer only where they see the customer", async () => {
  const { id: customer_id } = await world.done("POST /customers", { name: "Beta A/S" });
  const lines = [line({ assignees: [{ user_id: own }] })];
  const { id } = await active({ customer_id, start_date: "2028-03-01", lines });
  const href = `href="/customers/${customer_id}"`;
  for (const path of [`/retainers/${id}`, `/retainers/${id}/2028-03`]) {
    const page = await standard.get(path);
    expect(textOf(page)).toContain("Customer Beta A/S");
    expect(page.html).not.toContain(href);
    expect((await admin.get(path)).html).toContain(href);
  }
  expect((await standard.get(`/customers/${customer_id}`)).status).toBe(404);
  await world.done("POST /invoices", { customer_id, lines });
  expect((await standard.get(`/retainers/${id}`)).html).toContain(href);
});
