/** Changes of the lines of an active retainer: three scopes with old and new amounts, and exactly what was shown. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Browser,
  type PageReply,
  proofOf,
  textOf,
} from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { UNKNOWN_ID, useSeries } from "../../../test/support/world/series.ts";

const series = useSeries({ knows_origin: true });
const { world, at, active, draft, line } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

/** The text of the card of a scope. */
const cardOf = ({ html }: PageReply, scope: string): string => {
  const card = html.split('class="scope-card').find((part) => part.includes(`value="${scope}"`));
  return (card ?? "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
};
const queryOf = (more: Record<string, string> = {}): string =>
  new URLSearchParams({
    preview: "1",
    product_id: series.product.id,
    recognition_method: "value",
    price: "9500",
    ...more,
  }).toString();

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
  at("2027-03-10");
});

/** A retainer of 8,000 a month whose January is issued, with the path of its line. */
async function running(fields = {}) {
  const { id } = await active({
    start_date: "2027-01-01",
    lines: [line({ agreed_value: 8000, assignees: [{ user_id: own }] })],
    ...fields,
  });
  await series.issued(id, "2027-01");
  const [line_id = ""] = await series.lineIds(id);
  return { id, line_id, path: `/retainers/${id}/lines/${line_id}` };
}

describe("the change of a line", () => {
  it("shows the stored line, then the effect of each scope", async () => {
    const { path } = await running();
    expect((await admin.get(path)).html).toContain('value="8,000.00"');
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04" })}`);
    expect(page.status).toBe(200);
    expect(cardOf(page, "this_only")).toMatch(
      /Only April 2027 .*8,000\.00 9,500\.00 .*One period: \+DKK 1,500\.00/,
    );
    expect(cardOf(page, "this_and_following")).toMatch(
      /April 2027 and following .*9,500\.00 a month The 12 periods shown: \+DKK 18,000\.00/,
    );
    expect(cardOf(page, "all")).toContain("The 14 periods shown: +DKK 21,000.00");
    expect(textOf(page)).toContain("January 2027 is issued and stays as it is.");
    expect(textOf(await admin.get(`${path}?${queryOf()}`, DANISH))).toContain("Kun februar 2027");
  });

  it.each([
    ["this_only", [8000, 8000, 9500, 8000]],
    ["this_and_following", [8000, 8000, 9500, 9500]],
    ["all", [9500, 9500, 9500, 9500]],
  ])("by the scope %s changes what was shown", async (scope, amounts) => {
    const { id, path } = await running();
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04" })}`);
    const done = await admin.submit(page, path, { ...fieldsIn(page), scope });
    expect(done.location).toBe(`/retainers/${id}`);
    expect((await series.amounts(id, "2027-05-01")).slice(0, 4)).toEqual(amounts);
  });

  it("leaves a period that was changed by itself, except by the scope all", async () => {
    const { id, line_id, path } = await running();
    await series.edit(id, line_id, "this_only", { agreed_value: 7000 }, "2027-05");
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04" })}`);
    expect(cardOf(page, "this_and_following")).toContain("The 11 periods shown: +DKK 16,500.00");
    expect(cardOf(page, "all")).toContain("The 14 periods shown: +DKK 22,000.00");
  });

  it("is refused when the retainer has changed since, and shows the current effect", async () => {
    const { id, line_id, path } = await running();
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04" })}`);
    await series.edit(id, line_id, "all", { agreed_value: 8500 });
    const stale = await admin.submit(page, path, { ...fieldsIn(page), scope: "all" });
    expect(stale.status).toBe(409);
    expect(textOf(stale)).toContain("the line was not changed");
    expect(cardOf(stale, "this_only")).toContain("8,500.00 9,500.00");
    expect((await series.show(id)).lines[0].agreed_value).toBe(8500);
  });

  it("with a fault shows it at its field, with what was typed", async () => {
    const { path } = await running();
    const page = await admin.get(`${path}?${queryOf({ price: "much", discount: "5" })}`);
    expect(page.status).toBe(422);
    expect(page.html).toContain('id="price-fault"');
    expect(page.html).toContain('value="much"');
    expect(page.html).not.toContain("scope-card");
  });

  it("shows its effect while it is typed, to people who see the retainer", async () => {
    const { id, line_id, path } = await running();
    const fields = {
      product_id: series.product.id,
      recognition_method: "value",
      price: "9500",
      period: "2027-04",
    };
    const asked = { id, line_id, kind: "change", fields, language: "en" };
    const proof = await proofOf(admin);
    const { body } = await admin.act("/app/retainers/line", asked, proof);
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04" })}`);
    expect(fieldsIn(page).digest).toBe(body.shown.digest);
    const only = body.shown.effects.find(({ scope }: { scope: string }) => scope === "this_only");
    const touched = only.periods.filter(({ is_touched }: { is_touched: boolean }) => is_touched);
    expect(touched).toEqual([
      { key: "2027-04", state: "scheduled", before: "800000", after: "950000", is_touched: true },
    ]);
    const wrong = { ...asked, fields: { ...fields, price: "much" } };
    expect((await admin.act("/app/retainers/line", wrong, proof)).body.faults[0][0]).toBe("price");
    const hidden = await active({ start_date: "2027-01-01" });
    const standard_proof = await proofOf(standard);
    const foreign = { ...asked, id: hidden.id };
    expect((await standard.act("/app/retainers/line", foreign, standard_proof)).status).toBe(404);
  });

  it("is offered to people who see the retainer alone", async () => {
    const { id, path } = await running();
    const page = await standard.get(`${path}?${queryOf({ [`who_${own}`]: "on" })}`);
    expect(page.status).toBe(200);
    const hidden = await active({ start_date: "2027-01-01" });
    const [hidden_line] = await series.lineIds(hidden.id);
    for (const tail of ["", "/remove"]) {
      expect(
        (await standard.get(`/retainers/${hidden.id}/lines/${hidden_line}${tail}`)).status,
      ).toBe(404);
      expect((await admin.get(`/retainers/${id}/lines/${UNKNOWN_ID}${tail}`)).status).toBe(404);
      expect((await admin.get(`/retainers/${id}/lines/${hidden_line}${tail}`)).status).toBe(404);
    }
    // Their own line goes to another person: the retainer leaves their view.
    const without = await standard.get(`${path}?${queryOf()}`);
    const done = await standard.submit(without, path, { ...fieldsIn(without), scope: "all" });
    expect(done.location).toBe("/retainers");
  });
});

describe("a line", () => {
  it("is added from a period on", async () => {
    const { id } = await running();
    const path = `/retainers/${id}/lines/new`;
    const page = await admin.get(`${path}?${queryOf({ period: "2027-04", price: "1500" })}`);
    expect(cardOf(page, "this_and_following")).toContain("8,000.00 9,500.00");
    await admin.submit(page, path, { ...fieldsIn(page), scope: "this_and_following" });
    expect((await series.amounts(id, "2027-04-30")).slice(0, 3)).toEqual([8000, 8000, 9500]);
  });

  it("is removed, unless hours are registered on it", async () => {
    const { id, path } = await running({
      issue_timing: { mode: "end-of-period" },
      lines: [
        line({ agreed_value: 500 }),
        series.hours({ assignees: [{ user_id: own }], hourly_rate: 900 }),
      ],
    });
    const remove = `${path}/remove`;
    const page = await admin.get(`${remove}?preview=1&period=2027-04`);
    expect(textOf(page)).toMatch(/Remove “Retainer”\?/);
    await admin.submit(page, remove, { ...fieldsIn(page), scope: "this_and_following" });
    expect((await series.linesOf(id, "2027-04")).length).toBe(1);
    const [of_march] = (await series.linesOf(id, "2027-03")).filter(
      ({ recognition_method }) => recognition_method === "hours",
    );
    await world.done("POST /work-registrations", {
      ...{ line_id: of_march?.id, user_id: own, date: "2027-03-09", hours: 2 },
    });
    const hours = `/retainers/${id}/lines/${of_march?.series_line_id}/remove`;
    const refused = await admin.get(`${hours}?preview=1&period=2027-03`);
    expect(cardOf(refused, "this_only")).toContain("Work is registered on the line");
  });

  it("of a draft has no scopes, and of a cancelled retainer does not change", async () => {
    const { id } = await draft({ start_date: "2027-04-01" });
    const [line_id] = await series.lineIds(id);
    expect((await admin.get(`/retainers/${id}/lines/${line_id}`)).html).not.toContain("preview");
    const ended = await running();
    await series.cancel(ended.id, { end_date: "2027-04-30" });
    expect((await admin.get(ended.path)).location).toBe(`/retainers/${ended.id}`);
    expect((await admin.get(`/retainers/${ended.id}`)).html).not.toContain(ended.path);
  });
});

/** The hidden fields of the form with the scopes. */
function fieldsIn({ html }: PageReply): Record<string, string> {
  const form =
    html.split('<form method="post"').find((part) => part.includes('name="digest"')) ?? "";
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
}
