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
    expect(text).toContain(
      `API key ${name} Did updated What customer By a key changed: city, email`,
    );
  });

  it("shows a standard user only the events recorded in their name", async () => {
    const { browser } = await oauth.person();
    await world.done("POST /customers", { name: "Made by a key" });
    const page = await browser.get(ACTIVITY);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain("Made by a key");

    await assistantOfBrowser(browser);

    expect(textOf((await browser.get(ACTIVITY)).html)).toContain(
      "created What oauth grant Assistant",
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
