/** The order of the lines of an active retainer, changed by a person for all open periods. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSeries } from "../../../test/support/world/series.ts";
import type { Json } from "../../../test/support/world/world.ts";

const series = useSeries({ knows_origin: true });
const { world, at, active, line, issued, cancel, lineIds, edit } = series;
const DANISH = { "accept-language": "da" };
let admin: Browser;
let standard: Browser;
let own: string;

beforeAll(async () => {
  ({ admin, standard, own } = await openConsent(world).signedInBoth());
  at("2027-01-01");
});

const three = (more: Json = {}) =>
  active({ lines: [100, 200, 300].map((agreed_value) => line({ agreed_value, ...more })) });
const orderOf = (id: string) => `/retainers/${id}/lines/order`;
const pressed = async (id: string, sent: Record<string, string>, by = admin) =>
  by.submit(await by.get(orderOf(id)), orderOf(id), sent);
const amountsOf = ({ lines }: Json): number[] =>
  lines.map(({ agreed_value }: Json) => agreed_value);
const changesOf = async (id: string): Promise<string[]> =>
  (await world.done("GET /audit-events?limit=100")).data
    .filter(({ resource_id }: Json) => resource_id === id)
    .map(({ action }: Json) => action);

describe("the order of the lines of an active retainer", () => {
  it("is that of the invoices to come, and of no issued one", async () => {
    const { id } = await three();
    const january = await issued(id, "2027-01");
    const [first = "", second = "", third = ""] = await lineIds(id);
    expect((await admin.get(`/retainers/${id}`)).html).toContain(`href="${orderOf(id)}"`);
    const page = await admin.get(orderOf(id));
    expect(textOf(page)).toContain("From February 2027 on, every open period has its lines");
    expect(textOf(await admin.get(orderOf(id), DANISH))).toContain("Fra og med februar 2027");

    const moved = await admin.submit(page, orderOf(id), { do: "up 3" });
    expect(moved.html).toContain('name="order" value="0 2 1"');
    expect(await lineIds(id)).toEqual([first, second, third]);
    const again = await admin.submit(moved, orderOf(id), { order: "0 2 1", do: "up 2" });
    const done = await admin.submit(again, orderOf(id), { order: "2 0 1" });
    expect(done.location).toBe(`/retainers/${id}`);

    expect(await lineIds(id)).toEqual([third, first, second]);
    expect(amountsOf(await issued(id, "2027-02"))).toEqual([300, 100, 200]);
    expect(amountsOf(await world.done(`GET /invoices/${january.id}`))).toEqual([100, 200, 300]);
    await pressed(id, { order: "0 1 2" });
    const changes = await changesOf(id);
    expect(changes.filter((change) => change === "lines_reordered")).toHaveLength(1);
  });

  it("is also that of periods with a line or an amount of their own", async () => {
    const { id } = await three();
    const [first = ""] = await lineIds(id);
    await series.add(id, "this_only", 50, { period: "2027-03" });
    await edit(id, first, "this_only", { agreed_value: 111 }, "2027-03");
    await pressed(id, { order: "1 2 0" });
    const march = await series.linesOf(id, "2027-03");
    expect(march.map(({ agreed_value }) => agreed_value)).toEqual([200, 300, 111, 50]);
  });

  it("is not stored over a change of another person", async () => {
    const { id } = await three();
    const page = await admin.get(orderOf(id));
    const [first = "", second = ""] = await lineIds(id);
    await edit(id, first, "all", { agreed_value: 150 });
    for (const button of [{}, { do: "up 2" }]) {
      const refused = await admin.submit(page, orderOf(id), { order: "1 0 2", ...button });
      expect(refused.status).toBe(409);
      expect(textOf(refused)).toContain("Another user has changed this");
    }
    expect((await lineIds(id)).slice(0, 2)).toEqual([first, second]);
  });

  it("is changed by those who see the retainer, as long as a period is open", async () => {
    const { id } = await three();
    expect((await standard.get(orderOf(id))).status).toBe(404);
    const mine = await three({ assignees: [{ user_id: own }] });
    expect((await pressed(mine.id, { order: "2 1 0" }, standard)).status).toBe(303);
    await cancel(id, { end_date: "2027-01-31" });
    expect((await admin.get(`/retainers/${id}`)).html).not.toContain(orderOf(id));
    expect((await admin.get(orderOf(id))).location).toBe(`/retainers/${id}`);
    const one = await active();
    expect((await admin.get(`/retainers/${one.id}`)).html).not.toContain(orderOf(one.id));
  });
});
