/** The activity page: each user sees their part of the audit trail, with names; text from other sources is escaped. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";

const ACTIVITY = "/settings/audit";

let oauth: ReturnType<typeof openConsent>;
let admin: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

const textOf = (html: string) =>
  html
    .slice(html.indexOf("<main "))
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll(/\s+/g, " ");

/** Calls tools as the assistant of the signed-in user. */
async function assistantOfBrowser(browser: Browser) {
  const client = await oauth.client();
  const { body } = await client.connect(browser);
  return async (name: string, args: Json): Promise<Json> => {
    const response = await fetch(`${world.origin}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${body.access_token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
    return (await response.json()).result.structuredContent;
  };
}

describe("the activity page", () => {
  it("shows a plan and its commit with the user's name", async () => {
    const call = await assistantOfBrowser(admin);
    const { plan_id, summary } = await call("plan_save_customer", { name: "Planned ApS" });
    // The sidebar of every page counts the plan until it is committed or rejected.
    expect((await admin.get(ACTIVITY)).html).toContain('1<span class="unseen"> waiting plan');
    await call("commit", { plan_id });

    const { html } = await admin.get(ACTIVITY);
    const text = textOf(html);

    const [{ name }] = await world.sql("select name from users where id = $1", [
      world.account.admin.user_id,
    ]);
    const who = `${name} through Assistant`;
    expect(html).not.toContain("that waits");
    expect(text).toContain(`Who ${who} Did created What customer Planned ApS`);
    expect(text).toContain(`Who ${who} Did created What plan ${summary}`);
    expect(text).toContain(`Who ${who} Did committed What plan`);
  });

  it("names API keys and the changed fields", async () => {
    await world.done("POST /customers", { external_id: "k", name: "By a key" });
    await world.done("PATCH /customers/ext:k", { city: "Ribe", email: "k@x.example" });
    const [{ name }] = await world.sql("select name from api_keys where scope = 'read_write'");

    const text = textOf((await admin.get(ACTIVITY)).html);

    expect(text).toContain(`API key ${name} Did created What customer By a key`);
    expect(text).toContain(`API key ${name} Did updated What customer By a key 2 fields changed`);
  });

  it("shows what a field was and is, in the reader's language, and leads to the resource", async () => {
    const { id } = await world.done("POST /customers", { name: "Before ApS", city: "Ribe" });
    await world.done(`PATCH /customers/${id}`, { city: "Ry", send_method: "email" });
    await world.done("PATCH /configuration", { period_lock_date: "2025-12-31" });
    const english = (await admin.get(ACTIVITY)).html;
    expect(english).toContain("<dt>City</dt><dd><del>Ribe</del> → <ins>Ry</ins>");
    expect(english).toContain(`href="/customers/${id}"`);
    expect(english).toMatch(/<dt>Books locked until<\/dt><dd><ins>31 Dec 2025/);
    const danish = (await admin.get(ACTIVITY, { "accept-language": "da" })).html;
    expect(danish).toMatch(/<dt>Bogføring låst til og med<\/dt><dd><ins>31\. dec\. 2025/);
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("shows only what its address asks for: a person or key, a kind, days", async () => {
    await world.done("POST /products", { name: "Filtered product" });
    const key = /<option value="([^"]+)"[^>]*>API key [^<]*write/.exec(
      (await admin.get(ACTIVITY)).html,
    )?.[1];
    const rowsOf = async (query: string) => {
      const { html } = await admin.get(`${ACTIVITY}?${query}`);
      return html.slice(html.indexOf("<tbody>"));
    };
    expect(await rowsOf(`person=${key}`)).toContain("Filtered product");
    expect(await rowsOf(`person=${world.account.admin.user_id}`)).not.toContain("Filtered product");
    expect(await rowsOf("kind=product")).toContain("Filtered product");
    expect(await rowsOf("kind=customer")).not.toContain("Filtered product");
    const today = new Date().toISOString().slice(0, 10);
    expect(await rowsOf(`kind=product&from=${today}&to=${today}`)).toContain("Filtered product");
    expect(await rowsOf("kind=product&to=2020-01-01")).not.toContain("Filtered product");
    // What cannot be read is left out.
    expect(await rowsOf("kind=nothing&from=soon&person=x")).toContain("Filtered product");
    const page = await admin.get(`${ACTIVITY}?kind=product&from=${today}`);
    expect(page.html).toContain('<option value="product" selected>');
    const [year, month, day] = today.split("-");
    expect(page.html).toMatch(new RegExp(`name="from"[^>]*value="${day}/${month}/${year}"`));
    expect(await rowsOf(`kind=product&to=${day}.${month}.${year}`)).toContain("Filtered product");
    expect(await rowsOf("kind=product&to=1.1.2020")).not.toContain("Filtered product");
  });

  it("offers a standard user no choice of people", async () => {
    const { browser } = await oauth.person();
    const { html } = await browser.get(`${ACTIVITY}?person=${world.account.admin.user_id}`);
    expect(html).not.toContain('id="person"');
    expect(html).not.toContain("Filtered product");
  });

  it("shows a standard user only the events recorded in their name", async () => {
    const { browser } = await oauth.person();
    await world.done("POST /customers", { name: "Made by a key" });
    const page = await browser.get(ACTIVITY);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain("Made by a key");

    await assistantOfBrowser(browser);

    expect(textOf((await browser.get(ACTIVITY)).html)).toContain(
      "created What assistant's access Assistant",
    );
  });

  it("hides the events of other accounts", async () => {
    const other = await world.openAnother();
    await world.done("POST /customers", { name: "Elsewhere" }, other.keys.read_write);
    expect((await admin.get(ACTIVITY)).html).not.toContain("Elsewhere");
  });

  it("links to older events and shows each event once", async () => {
    for (let n = 0; n < 60; n += 1) await world.done("POST /customers", { name: `Many ${n}` });
    const first = await admin.get(ACTIVITY);
    const older = /href="(\/settings\/audit\?cursor=[^"]+)" rel="next"/.exec(first.html)?.[1];
    const second = await admin.get(older ?? "");
    const seen = [first, second].flatMap(({ html }) =>
      [...html.matchAll(/Many (\d+)</g)].map(([, n]) => Number(n)),
    );
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n));
  });

  it("refuses an invalid cursor", async () => {
    expect((await admin.get(`${ACTIVITY}?cursor=nonsense`)).status).toBe(422);
  });

  it("escapes text from other sources", async () => {
    await world.done("POST /customers", { name: "<script>alert(1)</script>" });
    const { html } = await admin.get(ACTIVITY);
    expect(html).toContain("&lt;script");
    expect(html).not.toContain("<script>");
  });

  it("shows no events to a visitor who is not signed in", async () => {
    const response = await fetch(world.origin + ACTIVITY, { redirect: "manual" });
    expect(await response.text()).not.toContain("the newest first");
  });
});
