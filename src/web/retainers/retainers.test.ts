/** The list of retainers: rows by state, the months of all of them, and what a standard user sees. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
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
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  own = person.user_id;
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
    expect(sectionOf(await admin.get(`/retainers?customer=${id}`), "group-active")).toBe("");
    expect((await admin.get("/retainers?group=nothing&page=x&customer=y")).status).toBe(200);
  });

  it("takes at most 12 statements", async () => {
    expect(await statementsOf(() => admin.get("/retainers"))).toBeLessThanOrEqual(12);
  });
});
