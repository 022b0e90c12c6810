/** The end of a retainer as a page: its effect before it is done, the bounds in words, and hours that lose their period. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { UNKNOWN_ID, useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, active, draft, line, hours } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
  at("2027-03-10");
});

/** A retainer of 31,000 a month whose March is issued. */
async function running(fields = {}): Promise<string> {
  const { id } = await active({
    start_date: "2027-03-01",
    lines: [line({ agreed_value: 31_000, assignees: [{ user_id: own }] })],
    ...fields,
  });
  await series.issued(id, "2027-03");
  return id;
}
const pathOf = (id: string): string => `/retainers/${id}/end`;
const shown = (id: string, query: Record<string, string> = {}, headers = {}): Promise<PageReply> =>
  admin.get(`${pathOf(id)}?${new URLSearchParams(query)}`, headers);
/** The hidden fields of the form that ends the retainer. */
function fieldsIn({ html }: PageReply): Record<string, string> {
  const form = html.split('<form method="post"').find((one) => one.includes('name="digest"')) ?? "";
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
}

describe("the end of a retainer", () => {
  it("proposes the end of the current period, which credits nothing", async () => {
    const page = await shown(await running());
    expect(page.html).toContain('value="2027-03-31"');
    expect(textOf(page)).toContain("Credit notes None.");
    expect(textOf(page)).toContain("End on 31 Mar 2027");
    expect(page.html).toContain("end_date=2027-04-30");
  });

  it("shows credit notes, dropped periods and the months before and after, and does exactly that", async () => {
    const id = await running();
    const page = await shown(id, { end_date: "2027-03-10", credit: "prorated" });
    const text = textOf(page);
    expect(text).toContain("DKK 21,000.00 net, a part of the invoice");
    expect(text).toMatch(/Dropped periods April 2027, .*February 2028, March 2028\. /);
    expect(text).toMatch(/Month March 2027 .*31,000\.00 .*10,000\.00/);
    expect(text).toMatch(/Month April 2027 .*31,000\.00 .*0\.00/);
    expect(text).toContain("End on 10 Mar 2027 and credit DKK 21,000.00");
    expect(textOf(await shown(id, { end_date: "2027-03-10" }, DANISH))).toContain(
      "Afslut den 10. mar. 2027 og kreditér 21.000,00 kr.",
    );
    const done = await admin.submit(page, pathOf(id), fieldsIn(page));
    expect(done.location).toBe(`/retainers/${id}`);
    expect(await series.show(id)).toMatchObject({ end_date: "2027-03-10" });
    const { data } = await world.done("GET /credit-notes?limit=1");
    expect(data[0]).toMatchObject({ kind: "partial", lines: [{ amount: 21_000 }] });
    const ended = await admin.get(`/retainers/${id}`);
    expect(textOf(ended)).toContain("Last day 10 Mar 2027");
    const waits = "Credit note DKK 21,000.00 net, waits to be issued";
    expect(textOf(ended)).toContain(waits);
    expect(ended.html).toContain(`href="/credit-notes/${data[0].id}"`);
    await series.run();
    expect(textOf(await admin.get(`/retainers/${id}`))).not.toContain("waits to be issued");
  });

  it("without credit notes keeps what is invoiced", async () => {
    const id = await running();
    const text = textOf(await shown(id, { end_date: "2027-03-10", credit: "none" }));
    expect(text).toContain("Credit notes None.");
    expect(text).toMatch(/Month March 2027 .*31,000\.00 .*31,000\.00/);
  });

  it("is refused when the retainer has changed since it was shown", async () => {
    const id = await running();
    const page = await shown(id, { end_date: "2027-03-10" });
    await series.change(id, { auto_send: true });
    const stale = await admin.submit(page, pathOf(id), fieldsIn(page));
    expect(stale.status).toBe(409);
    expect(textOf(stale)).toContain("it was not ended");
    expect((await series.show(id)).cancelled_at).toBeNull();
  });

  it("on an earlier day can follow, on a later one cannot", async () => {
    const id = await running();
    await series.cancel(id, { end_date: "2027-04-30" });
    const later = await shown(id, { end_date: "2027-05-31" });
    expect(later.status).toBe(409);
    expect(later.html).toContain('id="end_date-fault"');
    expect((await shown(id, { end_date: "2027-03-20" })).status).toBe(200);
    expect((await shown(id, { end_date: "nonsense" })).status).toBe(422);
  });

  it("after the day on which it ends anyway is refused at its field", async () => {
    const id = await running({ end_date: "2027-06-30" });
    const later = await shown(id, { end_date: "1.7.27" });
    expect(later.status).toBe(422);
    expect(later.html).toMatch(/id="end_date-fault"[^>]*>It already ends on 30 Jun 2027/);
    expect(later.html).toContain('value="1.7.27"');
    expect(later.html).not.toContain('name="digest"');
    const last = await shown(id, { end_date: "2027-06-30" });
    expect(textOf(last)).toContain("End on 30 Jun 2027");
    expect(textOf(await shown(id, { end_date: "2027-07-01" }, DANISH))).toContain(
      "Den slutter allerede den 30. jun. 2027",
    );
  });

  it("names hours in dropped periods, and moves them to a line of a draft", async () => {
    const by_hours = hours({ assignees: [{ user_id: own }] });
    const { id } = await active({
      start_date: "2027-01-01",
      issue_timing: { mode: "end-of-period" },
      lines: [by_hours],
    });
    const [of_march] = await series.linesOf(id, "2027-03");
    const work = await world.done("POST /work-registrations", {
      ...{ line_id: of_march?.id, user_id: own, date: "2027-03-09", hours: 6.5 },
    });
    const invoice = await world.done("POST /invoices", {
      customer_id: series.customer.id,
      title: "Spring",
      lines: [by_hours],
    });
    const page = await shown(id, { end_date: "2027-02-28" });
    expect(textOf(page)).toContain("6.50 h of");
    expect(textOf(page)).toContain("Spring · Retainer");
    const move_to = invoice.lines[0].id;
    const done = await admin.submit(page, pathOf(id), { ...fieldsIn(page), move_to });
    expect(done.location).toBe(`/retainers/${id}`);
    expect(await world.done(`GET /work-registrations/${work.id}`)).toMatchObject({
      status: "open",
      line_id: move_to,
    });
  });

  it("that cannot move all hours ends the retainer and says so", async () => {
    const by_hours = hours({ assignees: [{ user_id: own }] });
    const { id } = await active({
      start_date: "2027-01-01",
      issue_timing: { mode: "end-of-period" },
      lines: [by_hours],
    });
    const [of_march] = await series.linesOf(id, "2027-03");
    await world.done("POST /work-registrations", {
      ...{ line_id: of_march?.id, user_id: own, date: "2027-03-09", hours: 1 },
    });
    const page = await shown(id, { end_date: "2027-02-28" });
    const done = await admin.submit(page, pathOf(id), { ...fieldsIn(page), move_to: UNKNOWN_ID });
    expect(done.status).toBe(422);
    expect(textOf(done)).toContain("One registration could not be moved.");
    expect((await series.show(id)).end_date).toBe("2027-02-28");
  });

  it("of a draft discards it", async () => {
    const { id } = await draft({ start_date: "2027-04-01" });
    const page = await shown(id);
    expect(textOf(page)).toContain("Discard the retainer");
    await admin.submit(page, pathOf(id), fieldsIn(page));
    expect(textOf(await admin.get(`/retainers/${id}`))).toContain("Discarded");
    expect((await admin.get(pathOf(id))).location).toBe(`/retainers/${id}`);
  });

  it("is for admins alone", async () => {
    const id = await running();
    expect((await standard.get(`/retainers/${id}`)).html).not.toContain(pathOf(id));
    // They see the retainer, so that its end is forbidden and not unknown.
    expect((await standard.get(pathOf(id))).status).toBe(403);
    expect((await standard.get(pathOf(UNKNOWN_ID))).status).toBe(404);
    expect((await standard.post(pathOf(id), {})).status).toBe(400);
    expect((await admin.get(pathOf(UNKNOWN_ID))).status).toBe(404);
    expect((await admin.get(`/retainers/${id}`)).html).toContain(pathOf(id));
  });
});
