/** The pages of the feed over the real service: its order, its filters, and one event as programs get it. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { listRecorded } from "../../features/integrations/events/list-recorded.ts";
import { schedulerContext } from "../../platform/runtime/services.ts";

const EVENTS = "/settings/developer/events";
const world = useWorld({ knows_origin: true });
const oauth = openConsent(world);
let admin: Browser;
let acme: Json;
let head: number;
beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  acme = await world.done("POST /customers", { name: "Acme", external_id: "acme" });
  await world.done(`PATCH /customers/${acme.id}`, { city: "Ribe" });
  await world.done("POST /products", { name: "Design" });
  for (let n = 0; n < 60; n += 1) await world.done("POST /customers", { name: `Many ${n}` });
  head = Number((await world.rest("GET /events?limit=1")).headers.get("matchbook-sequence"));
});

/** The sequences in a list, in its order. */
const listed = ({ html }: PageReply): number[] =>
  [...html.matchAll(/<tr><td class="num"><span class="column">No\.<\/span><div>(\d+)</g)].map(
    ([, sequence]) => Number(sequence),
  );
const next = ({ html }: PageReply): string | undefined =>
  /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
const from = (start: number, count: number, step: 1 | -1) =>
  Array.from({ length: count }, (_, at) => start + at * step);

describe("the feed", () => {
  it("is listed with the newest first, and by sequence, each event once", async () => {
    const first = await admin.get(EVENTS);
    expect(listed(first)).toEqual(from(head, 50, -1));
    const second = await admin.get(next(first) ?? "");
    expect(listed(second)).toEqual(from(head - 50, head - 50, -1));
    expect(next(second)).toBeUndefined();
    const beginning = await admin.get(`${EVENTS}?order=sequence`);
    expect(listed(beginning)).toEqual(from(1, 50, 1));
    const rest = await admin.get(next(beginning) ?? "");
    expect(listed(rest)).toEqual(from(51, head - 50, 1));
    expect(next(rest)).toBeUndefined();
  });

  it("says each event in the words of the activity page", async () => {
    const text = textOf(await admin.get(`${EVENTS}?type=product.created`));
    const [{ name }] = await world.sql("select name from api_keys where scope = 'read_write'");
    expect(text).toContain(`Product: created What API key ${name} created product Design`);
    const danish = await admin.get(`${EVENTS}?type=product.created`, { "accept-language": "da" });
    expect(textOf(danish)).toContain(`Ydelse: oprettet Hvad API-nøglen ${name} oprettede ydelse`);
  });

  it("is filtered by type, kind, customer and resource", async () => {
    const { data } = await world.done(`GET /events?customer=${acme.id}&limit=100`);
    const sequences = data.map(({ sequence }: Json) => sequence).reverse();
    expect(sequences).toHaveLength(2);
    expect(listed(await admin.get(`${EVENTS}?customer=ext:acme`))).toEqual(sequences);
    expect(listed(await admin.get(`${EVENTS}?resource=${acme.id}`))).toEqual(sequences);
    const updated = await admin.get(`${EVENTS}?type=customer.updated`);
    expect(listed(updated)).toEqual(sequences.slice(0, 1));
    expect(listed(await admin.get(`${EVENTS}?type=product.*`))).toHaveLength(1);
    expect(updated.html).toContain('<option value="customer.updated" selected>');
    for (const customer of ["ext:none", "No such name"]) {
      const page = await admin.get(`${EVENTS}?${new URLSearchParams({ customer })}`);
      expect([page.status, listed(page)]).toEqual([200, []]);
      expect(page.html).toMatch(/id="customer-fault">There is no such customer/);
    }
    expect(listed(await admin.get(`${EVENTS}?type=nonsense&from=x`))).toHaveLength(50);
    expect(listed(await admin.get(`${EVENTS}?order=sequence&from=999999`))).toEqual([]);
  });

  it("shows one event as programs get it", async () => {
    const list = await admin.get(`${EVENTS}?type=customer.updated`);
    const [, id = ""] = /events\/([0-9a-f-]{36})"/.exec(list.html) ?? [];
    const page = await admin.get(`${EVENTS}/${id}`);
    const [, shown = ""] = /<pre>([^<]*)<\/pre>/.exec(page.html) ?? [];
    const json = shown.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    expect(JSON.parse(json)).toEqual(await world.done(`GET /events/${id}`));
    expect(page.html).toContain(`${EVENTS}?customer=${acme.id}`);
    for (const unknown of ["nothing", world.account.account_id]) {
      expect((await admin.get(`${EVENTS}/${unknown}`)).status).toBe(404);
    }
  });

  it("does not exist for standard users, and has nothing of other accounts", async () => {
    const { browser } = await oauth.person();
    expect((await browser.get(EVENTS)).status).toBe(404);
    const other = await world.openAnother();
    await world.done("POST /customers", { name: "Elsewhere" }, other.keys.read_write);
    const { data } = await world.done("GET /events?limit=1", undefined, other.keys.read_write);
    expect((await admin.get(`${EVENTS}/${data[0].id}`)).status).toBe(404);
    expect((await admin.get(EVENTS)).html).not.toContain("Elsewhere");
  });
});

describe("a page of the feed", () => {
  it.each([
    ["newest", -1],
    ["sequence", 1],
  ] as const)("examines a number of events, and continues after them: %s", async (order, step) => {
    const cx = await schedulerContext(world.services, world.account.account_id);
    const now = Number((await world.rest("GET /events?limit=1")).headers.get("matchbook-sequence"));
    const found: number[] = [];
    let pages = 0;
    for (let place: bigint | null = null; ; pages += 1) {
      const query = { order, from: place, limit: 4, types: ["product.*", "customer.updated"] };
      const { events, next } = await listRecorded(cx, query, 7n);
      found.push(...events.map(({ seq }) => Number(seq)));
      if (next === null) break;
      place = next;
    }
    expect(pages + 1).toBe(Math.ceil(now / 7));
    expect(found).toHaveLength(2);
    expect(Math.sign((found[1] ?? 0) - (found[0] ?? 0))).toBe(step);
  });
});
