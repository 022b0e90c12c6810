/** The pages of webhooks over the real service: what is typed is stored and sent, what is refused is shown, and secrets once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Browser, type PageReply, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { openReceiver, type Receiver } from "../../../test/support/webhooks/receivers.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const WEBHOOKS = "/settings/developer/webhooks";
const DANISH = { "accept-language": "da" };
const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" },
});
const oauth = openConsent(world);
let admin: Browser;
let receiver: Receiver;
let status = 204;
beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  receiver = await openReceiver({
    answer: (_request, response) => response.writeHead(status, { "x-receiver": "A" }).end("said"),
  });
});
afterAll(() => receiver.close());
beforeEach(async () => {
  status = 204;
  await world.sql("delete from webhook_endpoints");
});

const endpoints = async (): Promise<Json[]> => (await world.done("GET /webhook-endpoints")).data;
const make = (fields: Json = {}): Promise<Json> =>
  world.done("POST /webhook-endpoints", {
    url: receiver.url,
    event_types: ["customer.*", "invoice.issued"],
    ...fields,
  });
const secretIn = ({ html }: PageReply) => /id="new-secret">([^<]+)</.exec(html)?.[1];
/** Fills the form at a path as a person does, and sends it. */
async function typed(path: string, fields: Readonly<Record<string, string>>): Promise<PageReply> {
  return admin.submit(await admin.get(path), path, fields);
}

describe("the list", () => {
  it("is linked from the settings for developers, and says what to do when it is empty", async () => {
    expect((await admin.get("/settings/developer")).html).toContain(`href="${WEBHOOKS}"`);
    expect(textOf(await admin.get(WEBHOOKS))).toContain("No program gets the events");
  });

  it("shows types in words, and since when and why one fails", async () => {
    const { id } = await make({ description: "The CRM" });
    await world.done("POST /customers", { name: "Acme" });
    await world.sql(
      "update webhook_endpoints set read_through = (select seq from audit_heads where account_id = $1), status = 'failing', failing_since = now() - interval '2 days'",
      [world.account.account_id],
    );
    await world.done(`POST /webhook-endpoints/${id}/replay`, { only: "all" });
    await world.sql(
      `update webhook_deliveries set attempts = '[{"at": "2026-01-01T00:00:00.000Z", "duration_ms": 3, "status": 503, "error": null, "response_headers": {}, "response_body": ""}]'`,
    );
    const [{ backlog }] = await endpoints();
    const weekday = (locale: string) =>
      new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "Europe/Copenhagen" }).format(
        Date.now() - 2 * 86_400_000,
      );
    const page = await admin.get(WEBHOOKS);
    expect(textOf(page)).toContain("Customer: all; Invoice: issued");
    const waits = backlog === 1 ? "1 event waits" : `${backlog} events wait`;
    expect(textOf(page)).toContain(`Fails since ${weekday("en-GB")}: 503; ${waits}`);
    expect(page.html).toContain(`href="${WEBHOOKS}/${id}"`);
    const danish = textOf(await admin.get(WEBHOOKS, DANISH));
    expect(danish).toContain("Kunde: alle; Faktura: udstedt");
    expect(danish).toContain(`Har fejlet siden ${weekday("da-DK")}: 503; ${backlog} hændelse`);
  });

  it("does not exist for standard users, and shows nothing of other accounts", async () => {
    const { id } = await make();
    const { browser } = await oauth.person();
    for (const path of [WEBHOOKS, `${WEBHOOKS}/new`, `${WEBHOOKS}/${id}`]) {
      expect((await browser.get(path)).status).toBe(404);
    }
    const other = await world.openAnother();
    const url = "https://elsewhere.example/";
    const { id: elsewhere } = await world.done(
      "POST /webhook-endpoints",
      { url, event_types: ["*"] },
      other.keys.read_write,
    );
    expect((await admin.get(WEBHOOKS)).html).not.toContain("elsewhere.example");
    for (const end of ["", "/edit", "/secret", "/replay", "/test", "/enable", "/delete"]) {
      expect((await admin.get(`${WEBHOOKS}/${elsewhere}${end}`)).status, end).toBe(404);
    }
    // Pages name an endpoint by its id alone.
    await make({ external_id: "crm" });
    expect((await admin.get(`${WEBHOOKS}/ext:crm`)).status).toBe(404);
  });
});

describe("adding one", () => {
  const NEW = `${WEBHOOKS}/new`;

  it("stores what was typed, and shows its secret once", async () => {
    const made = await typed(NEW, {
      url: receiver.url,
      description: "The CRM",
      external_id: "crm",
      "type.customer.*": "on",
      "type.user.created": "on",
      payload: "thin",
      ordering: "account",
      max_per_second: "7",
      format: "standard",
      "header.0.name": "X-Token",
      "header.0.value": "token-9f",
    });
    const secret = secretIn(made);
    expect([made.status, secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({
      ...{ url: receiver.url, description: "The CRM", external_id: "crm" },
      ...{ event_types: ["customer.*", "user.created"], payload: "thin", ordering: "account" },
      ...{ max_per_second: 7, format: "standard", headers: { "X-Token": null } },
    });
    for (const path of [
      WEBHOOKS,
      `${WEBHOOKS}/${endpoint.id}`,
      `${WEBHOOKS}/${endpoint.id}/edit`,
    ]) {
      const { html } = await admin.get(path);
      expect(html).not.toContain(secret);
      expect(html).not.toContain("token-9f");
    }
    const stored = await world.sql("select * from idempotency_keys");
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("makes one endpoint of a form that is sent twice, whose secret is not shown again", async () => {
    const page = await admin.get(NEW);
    const fields = { url: receiver.url, "type.*": "on", ...defaults };
    const first = await admin.submit(page, NEW, fields);
    const again = await admin.submit(page, NEW, fields);
    expect([first.status, again.status]).toEqual([200, 409]);
    expect(textOf(again)).toContain("has already been added");
    expect(secretIn(again)).toBeUndefined();
    expect(await endpoints()).toHaveLength(1);
  });

  const defaults = {
    format: "standard",
    payload: "full",
    ordering: "resource",
    max_per_second: "50",
  };

  it.each([
    ["no URL", { url: "nonsense", "type.*": "on" }, 422, "This is not a URL."],
    ["http", { url: "http://crm.example/", "type.*": "on" }, 422, "Only https to a public address"],
    [
      "an inner address",
      { url: "https://10.1.2.3/", "type.*": "on" },
      422,
      "Only https to a public",
    ],
    ["no type", {}, 422, "Choose at least one type."],
    [
      "a header of the connection",
      { "type.*": "on", "header.1.name": "Host", "header.1.value": "x" },
      422,
      "Matchbook or the connection sets this header.",
    ],
    ["a header without a value", { "type.*": "on", "header.0.name": "X-A" }, 422, "no value yet"],
    [
      "a header twice",
      { "type.*": "on", "header.0.name": "X-A", "header.2.name": "x-a" },
      422,
      "Each header once.",
    ],
    ["too many a second", { "type.*": "on", max_per_second: "1000" }, 422, "At most 100."],
  ])("refuses %s at its field", async (_case, fields, expected, sentence) => {
    const page = await typed(NEW, { url: receiver.url, ...defaults, ...fields });
    expect(page.status).toBe(expected);
    expect(textOf(page)).toContain(sentence);
    expect(textOf(page)).toContain("Nothing was saved");
    expect(await endpoints()).toEqual([]);
  });

  it("writes no value of a header into a page, also after a refusal", async () => {
    const page = await typed(NEW, {
      ...{ url: "http://crm.example/", "type.*": "on", ...defaults },
      ...{ "header.0.name": "X-Token", "header.0.value": "token-9f" },
    });
    expect([page.status, page.html.includes('value="X-Token"')]).toEqual([422, true]);
    expect(page.html).not.toContain("token-9f");
  });

  it("says that the account has 20, and that an external id is taken", async () => {
    await make({ external_id: "crm" });
    const taken = await typed(NEW, {
      ...{ url: receiver.url, external_id: "crm", "type.*": "on", ...defaults },
    });
    expect([taken.status, /id="external_id-fault"/.test(taken.html)]).toEqual([409, true]);
    for (let n = 1; n < 20; n += 1) await make();
    const page = await admin.get(NEW);
    const fields = { url: receiver.url, "type.*": "on", ...defaults };
    const refused = await admin.submit(page, NEW, fields);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("The account has 20 webhook endpoints");
    // The form that is shown again works when there is room.
    await world.sql("delete from webhook_endpoints where external_id = 'crm'");
    expect((await admin.submit(refused, NEW, fields)).status).toBe(200);
  });

  it("sends sentences to a chat", async () => {
    const SLACK = `${WEBHOOKS}/slack`;
    const page = await admin.get(SLACK);
    expect(page.html).toMatch(/name="type\.invoice\.issued"[^>]* checked/);
    const made = await typed(SLACK, { url: receiver.url, "type.invoice.issued": "on" });
    expect(textOf(made)).toContain("Slack and Mattermost do not need it");
    expect((await endpoints())[0]).toMatchObject({
      ...{ format: "text", event_types: ["invoice.issued"] },
    });
  });
});

describe("one endpoint", () => {
  it("is changed by its form, which keeps the values of headers", async () => {
    const { id } = await make({ headers: { "X-Token": "token-9f" } });
    const path = `${WEBHOOKS}/${id}/edit`;
    const page = await admin.get(path);
    expect(page.html).toMatch(/name="type\.customer\.\*"[^>]* checked/);
    expect(page.html).toMatch(/name="header\.0\.name"[^>]* value="X-Token"/);
    const saved = await admin.submit(page, path, {
      ...{ url: receiver.url, description: "Changed", "type.invoice.*": "on" },
      ...{ format: "standard", payload: "full", ordering: "resource", max_per_second: "50" },
      "header.0.name": "X-Token",
    });
    expect([saved.status, saved.location]).toEqual([303, `${WEBHOOKS}/${id}`]);
    expect((await endpoints())[0]).toMatchObject({
      ...{ description: "Changed", event_types: ["invoice.*"], headers: { "X-Token": null } },
    });
    await world.done(`POST /webhook-endpoints/${id}/test`);
    expect(receiver.requests.at(-1)?.headers["x-token"]).toBe("token-9f");
    const refused = await admin.submit(page, path, { url: "http://x.example/", "type.*": "on" });
    expect([refused.status, textOf(refused)]).toEqual([
      422,
      expect.stringContaining("Only https to a public address"),
    ]);
  });

  it("gets a test, whose request and answer are side by side, and which is sent again", async () => {
    const { id } = await make({ headers: { "X-Token": "token-9f" } });
    const path = `${WEBHOOKS}/${id}/test`;
    const form = await admin.get(path);
    expect(form.html).toContain('<option value="customer.created" selected>Customer: created');
    status = 500;
    const sent = await admin.submit(form, path, { type: "invoice.issued" });
    const page = await admin.get(sent.location ?? "");
    const text = textOf(page);
    expect(text).toContain("Delivery of Invoice: issued");
    expect(text).toContain("x-receiver: A");
    expect(text).toContain("said");
    expect(text).toContain("X-Token: (not shown)".toLowerCase());
    expect(text).toMatch(/&quot;type&quot;: &quot;invoice.issued&quot;|"type": "invoice.issued"/);
    expect(page.html).not.toContain("token-9f");
    status = 204;
    const again = await admin.submit(page, `${sent.location}/redeliver`, {});
    expect(again.location).not.toBe(sent.location);
    expect(textOf(await admin.get(again.location ?? ""))).toContain("Delivered");
    expect(receiver.requests.length).toBeGreaterThan(1);
    const unknown = await admin.submit(form, path, { type: "no.such" });
    expect([unknown.status, /id="type-fault"/.test(unknown.html)]).toEqual([422, true]);
  });

  it("lists its deliveries with filters and pages, and sends one of them again", async () => {
    const { id } = await make();
    for (let n = 0; n < 30; n += 1) await world.done("POST /customers", { name: `Many ${n}` });
    await world.sql(
      "update webhook_endpoints set read_through = (select seq from audit_heads where account_id = $1)",
      [world.account.account_id],
    );
    const replay = `${WEBHOOKS}/${id}/replay`;
    const queued = await typed(replay, { only: "all", after: "", through: "" });
    expect(queued.location).toBe(`${WEBHOOKS}/${id}`);
    expect(decodeURIComponent(queued.headers.get("set-cookie") ?? "")).toContain(
      '["webhook_replayed","31"]',
    );
    const first = await admin.get(`${WEBHOOKS}/${id}`);
    const rows = (page: PageReply) => [...page.html.matchAll(/deliveries\/([0-9a-f-]{36})"/g)];
    expect(rows(first)).toHaveLength(25);
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&");
    expect(rows(await admin.get(older ?? "")).length).toBeGreaterThan(4);
    await world.sql(
      "update webhook_deliveries set status = 'dead', settled_at = now() where sequence = (select max(sequence) from webhook_deliveries)",
    );
    const dead = await admin.get(`${WEBHOOKS}/${id}?status=dead&event_type=customer.created`);
    expect(rows(dead)).toHaveLength(1);
    expect(textOf(await admin.get(`${WEBHOOKS}/${id}?to=2020-01-01`))).toContain(
      "no such deliveries",
    );
    const path = `${WEBHOOKS}/${id}/deliveries/${rows(dead)[0]?.[1]}`;
    const page = await admin.get(path);
    expect(textOf(page)).toContain("Given up");
    expect((await admin.submit(page, `${path}/redeliver`, {})).location).toBe(path);
    expect(textOf(await admin.get(path))).toContain("Waits");
    const other = await make();
    const elsewhere = path.replace(id, other.id);
    expect((await admin.get(elsewhere)).status).toBe(404);
    const refused = await typed(replay, { only: "dead", after: "x", through: "" });
    expect([refused.status, /id="after-fault"/.test(refused.html)]).toEqual([422, true]);
  });

  it("gets a new secret that is shown once, and none of a form that is sent twice", async () => {
    const { id } = await make();
    const path = `${WEBHOOKS}/${id}/secret`;
    const page = await admin.get(path);
    const made = await admin.submit(page, path, { overlap_hours: "48" });
    expect(secretIn(made)).toMatch(/^whsec_/);
    const again = await admin.submit(page, path, { overlap_hours: "48" });
    expect([again.status, secretIn(again)]).toEqual([409, undefined]);
    const events = await world.sql(
      "select from audit_events where resource_type = 'webhook_endpoint' and resource_id = $1 and action = 'secret_rotated'",
      [id],
    );
    expect(events).toHaveLength(1);
    const here = `${WEBHOOKS}/${id}`;
    expect(textOf(await admin.get(here))).toContain("The previous secret signs until");
    await world.sql("update webhook_endpoints set secret_expires_at = now() - interval '1 hour'");
    expect(textOf(await admin.get(here))).not.toContain("The previous secret signs until");
    const refused = await typed(path, { overlap_hours: "200" });
    expect([refused.status, textOf(refused)]).toEqual([
      422,
      expect.stringContaining("At most 168."),
    ]);
  });

  it("is paused, enabled with or without what waits, and deleted after a confirmation", async () => {
    const { id } = await make({ after: 0 });
    const here = `${WEBHOOKS}/${id}`;
    await admin.submit(await admin.get(WEBHOOKS), `${here}/pause`, {});
    const [paused] = await endpoints();
    expect(paused).toMatchObject({ status: "paused" });
    expect(paused.backlog).toBeGreaterThan(0);
    expect(textOf(await admin.get(WEBHOOKS))).toContain("Paused");
    await typed(`${here}/enable`, { skip: "on" });
    expect((await endpoints())[0]).toMatchObject({ status: "enabled", backlog: 0 });
    const gone = await typed(`${here}/delete`, {});
    expect([gone.location, await endpoints()]).toEqual([WEBHOOKS, []]);
    expect((await admin.get(here)).status).toBe(404);
  });

  it("says that nothing is sent while background work is paused", async () => {
    const { id } = await make();
    const here = `${WEBHOOKS}/${id}`;
    await world.sql("insert into background_pause values (true, now())");
    const refusals = await Promise.all([
      typed(`${here}/test`, { type: "invoice.issued" }),
      typed(`${here}/replay`, { only: "dead", after: "", through: "" }),
    ]);
    await world.sql("delete from background_pause");
    for (const refused of refusals) {
      expect(refused.status).toBe(409);
      expect(refused.html).toMatch(/<div class="notice bad" role="alert">/);
    }
  });
});
