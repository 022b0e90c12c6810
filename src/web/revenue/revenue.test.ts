/** The revenue page: its amounts are those of the API, and a standard user sees only their own. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openStudio, type Studio } from "../../../test/support/world/studio.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const world = useWorld({ knows_origin: true });
const DANISH = { "accept-language": "da" };
const RANGE = "from=2026-01&to=2026-06";
let admin: Browser;
let standard: Browser;
let studio: Studio;
let person: string;
let acme: string;
let beta: string;
/** Lines of the standard user and of another person. */
let own_line: string;
let other_line: string;

beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const made = await oauth.person();
  standard = made.browser;
  person = made.user_id;
  studio = await openStudio(world, world.account);
  studio.at("2026-03-20");
  acme = studio.customer;
  beta = (await studio.done("POST /customers", { name: "Beta & Sons" })).id;
  const mine = { assignees: [{ user_id: person }] };
  const shared = {
    assignees: [
      { user_id: person, distribution_percentage: 25 },
      { user_id: studio.bo, distribution_percentage: 75 },
    ],
  };
  const others = { assignees: [{ user_id: studio.bo }] };
  const first = await studio.issued(
    [
      { ...studio.service(9000, "2026-02-01", "2026-04-30"), ...mine },
      { ...studio.value(1000), ...others },
    ],
    { issue_date: "2026-02-10" },
  );
  own_line = first.lines[0].id;
  other_line = first.lines[1].id;
  await studio.issued([{ ...studio.value(500), ...shared }], {
    customer_id: beta,
    issue_date: "2026-01-10",
  });
  await studio.work(await studio.draft([studio.hours()]), "2026-03-03", 2);
  await studio.issued([studio.value(70)], { issue_date: "2026-03-11" });
});

const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

const shown = (amount: number): string =>
  amount.toLocaleString("en-GB", { minimumFractionDigits: 2 }).replace("-", "\u2212");

/** The amounts of the matrix by row and month, as the page writes them. */
function matrixIn({ html }: PageReply): Map<string, string[]> {
  const table = /<table class="grid-table matrix">[\s\S]*?<\/table>/.exec(html)?.[0] ?? "";
  const rows = table.match(/<tr>[\s\S]*?<\/tr>/g) ?? [];
  const cellsOf = (row: string) =>
    (row.match(/<t[dh][^>]*>[\s\S]*?<\/t[dh]>/g) ?? []).map((cell) =>
      cell
        .replace(/<small>[\s\S]*?<\/small>/g, "")
        .replace(/<[^>]*>/g, "")
        .trim(),
    );
  return new Map(
    rows.slice(1).map((row) => {
      const [name = "", ...amounts] = cellsOf(row);
      return [name.replaceAll("&amp;", "&"), amounts];
    }),
  );
}

describe("the page of an admin", () => {
  it.each([
    ["customer", "customer"],
    ["person", "user"],
    ["product", "product"],
  ])("shows by %s the amounts of the API, in both bases", async (by, group_by) => {
    for (const basis of ["work_month", "booking_month"]) {
      const page = await admin.get(`/revenue?by=${by}&basis=${basis}&${RANGE}`);
      const query = `${RANGE}&basis=${basis}&limit=100`;
      const { data } = await studio.done(`GET /recognition?group_by=${group_by}&${query}`);
      const expected = data
        .filter(({ earned }: Json) => earned !== 0)
        .map(({ earned }: Json) => shown(earned));
      const matrix = matrixIn(page);
      const sums = matrix.get("Earned") ?? [];
      matrix.delete("Earned");
      const found = [...matrix.values()].flatMap((row) => row.slice(0, -1));
      expect(found.filter((one) => one !== "–").sort()).toEqual(expected.sort());
      const months = await studio.done(`GET /recognition?group_by=month&${query}`);
      const by_month = new Map(months.data.map((row: Json) => [row.month, row.earned]));
      const all = ["01", "02", "03", "04", "05", "06"].map((at) => by_month.get(`2026-${at}`) ?? 0);
      expect(sums.slice(0, -1)).toEqual(all.map((sum) => shown(sum as number)));
    }
  });

  it("shows by line what its users earned in the API together", async () => {
    const { data } = await studio.done(`GET /recognition?group_by=line&${RANGE}&limit=100`);
    const sums = new Map<string, number>();
    for (const { line_id, month, earned } of data) {
      const key = `${line_id} ${month}`;
      sums.set(key, Math.round(((sums.get(key) ?? 0) + earned) * 100) / 100);
    }
    const matrix = matrixIn(await admin.get(`/revenue?by=line&${RANGE}`));
    matrix.delete("Earned");
    const page = await admin.get(`/revenue?by=line&${RANGE}`);
    const cells = page.html.match(/explain=[0-9a-f-]+\.2026-\d\d#panel"[^>]*>[^<]+/g) ?? [];
    const found = cells.map((cell) => cell.replace(/^explain=(.*)\.(\d{4}-\d\d)#.*>/, "$1 $2 "));
    const expected = [...sums].filter(([, sum]) => sum !== 0);
    expect(found.sort()).toEqual(expected.map(([key, sum]) => `${key} ${shown(sum)}`).sort());
  });

  it("marks months after the present one as a forecast, and has the balances of the chosen month", async () => {
    const page = await admin.get(`/revenue?${RANGE}&month=2026-02`);
    const text = textOf(page);
    expect(text).toContain("Apr 26 forecast");
    expect(text).not.toContain("Mar 26 forecast");
    const { data } = await studio.done("GET /recognition?group_by=month&from=2026-02&to=2026-02");
    const [{ earned, invoiced, contract_liability }] = data;
    const whole = (amount: number) => Math.round(amount).toLocaleString("en-GB");
    expect(text).toContain(`Earned in February 2026 ${whole(earned)} DKK`);
    expect(text).toContain(`Invoiced in February 2026 ${whole(invoiced)} DKK`);
    expect(text).toContain(`Contract liability ${whole(contract_liability)} DKK`);
  });

  it("opens the lines behind an amount, which add up to it", async () => {
    const page = await admin.get(`/revenue?${RANGE}&open=${acme}.2026-02`);
    const panel = /<aside[\s\S]*?<\/aside>/.exec(page.html)?.[0] ?? "";
    expect(panel).toContain("3,000.00");
    expect(panel).toContain("1,000.00");
    expect(panel).toContain(`explain=${own_line}.2026-02`);
    expect(textOf({ html: panel } as PageReply)).toMatch(/Earned in February 2026 4,000\.00/);
  });

  it("opens the unassigned lines of a month", async () => {
    const page = await admin.get(`/revenue?by=person&${RANGE}`);
    expect(textOf(page)).toContain("No person");
    const opened = await admin.get(`/revenue?by=person&${RANGE}&open=-.2026-03`);
    expect(textOf(opened)).toMatch(/No person, March 2026 .* Earned in March 2026 70\.00/);
  });

  it("filters by the names of the API, and shows each filter with the link that removes it", async () => {
    const page = await admin.get(`/revenue?${RANGE}&customer=${beta}`);
    expect(textOf(page)).toContain("Customer: Beta & Sons");
    expect([...matrixIn(page).keys()]).toEqual(["Beta & Sons", "Earned"]);
    const unknown = await admin.get(`/revenue?${RANGE}&customer=${own_line}`);
    expect(textOf(unknown)).toContain("No revenue in these months with these filters.");
  });

  it.each([["from=2026-06&to=2026-01"], ["from=2020-01&to=2026-01"], ["from=nothing"]])(
    "shows the last thirteen months and a notice for %s",
    async (range) => {
      const page = await admin.get(`/revenue?${range}`);
      expect(page.status).toBe(200);
      const text = textOf(page);
      expect(text).toContain("This range cannot be shown");
      expect(text).toContain("March 2025 – March 2026");
    },
  );

  it("is Danish for a Danish reader", async () => {
    const page = await admin.get(`/revenue?${RANGE}&open=${acme}.2026-02`, DANISH);
    const text = textOf(page);
    expect(text).toContain("Omsætning");
    expect(text).toContain("4.000,00");
    expect(text).toContain("Optjent i februar 2026");
    expect(text).not.toMatch(/Earned|Invoiced|Contract|forecast|Month/);
  });

  it("takes at most 12 statements", async () => {
    for (const query of ["", `?by=line&${RANGE}`, `?${RANGE}&open=${acme}.2026-02`]) {
      expect(await statementsOf(() => admin.get(`/revenue${query}`))).toBeLessThanOrEqual(13);
    }
  });

  it("is reached from the navigation and from the figures on Today", async () => {
    const { html } = await admin.get("/today");
    expect(html).toContain('href="/revenue"');
    expect(html).toContain('href="/revenue?month=2026-03"');
  });
});

describe("the explanation of a line", () => {
  const panelIn = ({ html }: PageReply): string | undefined =>
    /<aside class="card explain" id="panel"[\s\S]*?<\/aside>/.exec(html)?.[0];

  it("stands on the page of its address, with the sentence of the API", async () => {
    const page = await admin.get(`/revenue?by=line&${RANGE}&explain=${own_line}.2026-03`);
    const panel = textOf({ html: panelIn(page) ?? "" } as PageReply);
    const { sentence } = await studio.done(
      `GET /recognition/explain?line_id=${own_line}&month=2026-03`,
    );
    expect(panel).toContain(sentence);
    expect(panel).toMatch(/Agreed price 9,000\.00/);
    expect(panel).toMatch(/1 Feb 2026 – 30 Apr 2026: 2 of 3 months by 31 March 6,000\.00/);
    expect(panel).toMatch(/Less earned by 28 February 3,000\.00/);
    expect(panel).toMatch(/Earned in March 2026 3,000\.00/);
    expect(panel).toContain("With the close of March 2026");
  });

  it("is Danish for a Danish reader, also its sentence", async () => {
    const page = await admin.get(`/revenue?explain=${own_line}.2026-03`, DANISH);
    const panel = textOf({ html: panelIn(page) ?? "" } as PageReply);
    expect(panel).toContain("I marts 2026 optjente linjen 3.000,00 kr.");
    expect(panel).toContain("2 af 3 måneder");
    expect(panel).not.toMatch(/earned|Agreed|the line|months/);
  });

  it("is absent for an unknown line and for a text that is none", async () => {
    for (const explain of [`${acme}.2026-03`, `${own_line}.2026-13`, "x"]) {
      const page = await admin.get(`/revenue?explain=${explain}`);
      expect(page.status).toBe(200);
      expect(panelIn(page)).toBeUndefined();
    }
  });

  it("is 404 as an action for a line outside of the view, and given for an own one", async () => {
    const proof = await proofOf(standard);
    const asked = (line_id: string) =>
      standard.act("/app/revenue/explain", { line_id, month: "2026-02", language: "en" }, proof);
    expect((await asked(other_line)).status).toBe(404);
    expect((await asked(own_line)).status).toBe(200);
  });

  it("shows a standard user neither lines of others, nor vouchers", async () => {
    const own = await standard.get(`/revenue?by=line&${RANGE}&explain=${own_line}.2026-02`);
    const panel = textOf({ html: panelIn(own) ?? "" } as PageReply);
    expect(panel).toMatch(/Earned in February 2026 3,000\.00/);
    expect(panel).not.toMatch(/close of|Voucher/);
    const other = await standard.get(`/revenue?by=line&${RANGE}&explain=${other_line}.2026-02`);
    expect(panelIn(other)).toBeUndefined();
  });
});

describe("the page of a standard user", () => {
  it("has their own revenue as the API shows it for them", async () => {
    const page = await standard.get(`/revenue?by=person&user=${studio.bo}&${RANGE}`);
    const text = textOf(page);
    expect(text).toContain("My revenue");
    const { data } = await studio.done(
      `GET /recognition?group_by=customer&user=${person}&${RANGE}&limit=100`,
    );
    const found = matrixIn(page);
    found.delete("Earned");
    const amounts = [...found.values()].flatMap((row) => row.slice(0, -1));
    expect(amounts.filter((one) => one !== "–").sort()).toEqual(
      data
        .filter(({ earned }: Json) => earned !== 0)
        .map(({ earned }: Json) => shown(earned))
        .sort(),
    );
    expect(text).toContain("125.00");
  });

  it("has no people, no balances and nothing that was invoiced", async () => {
    const text = textOf(await standard.get(`/revenue?${RANGE}`));
    expect(text).not.toMatch(/Contract|Invoiced|Person|User 1/);
  });

  it("names no customer outside of the view in a filter", async () => {
    const hidden = await studio.done("POST /customers", { name: "Hidden ApS" });
    const page = await standard.get(`/revenue?customer=${hidden.id}`);
    expect(textOf(page)).not.toContain("Hidden");
  });
});
