/** The page of a plan: its words, and both decisions, each once and only for the plan's own person (spec 8.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, disconnected } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Agent, agentOf } from "../../../test/support/mcp/mcp.ts";
import { changedByOperator } from "../../../test/support/world/people.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";
import { dayOf } from "../parts/format.ts";

const sales = useSales({ knows_origin: true });
const { world, draft, line } = sales;

let admin: Browser;
let standard: Browser;
let agent: Agent;
let standard_id: string;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  const person = await oauth.person();
  standard = person.browser;
  standard_id = person.user_id;
  agent = await agentOf(world, { user_id: world.account.admin.user_id, client_name: "Claude" });
});

const planned = async (by = agent): Promise<{ plan: Json; path: string; invoice: Json }> => {
  const invoice = await draft([100]);
  const plan = await by.done("plan_issue_invoice", { invoice: invoice.id });
  return { plan, path: new URL(plan.url).pathname, invoice };
};

async function decide(browser: Browser, path: string, deed: "commit" | "decline") {
  return browser.submit(await browser.get(path), `${path}/${deed}`, {});
}

describe("a plan's answer to the assistant", () => {
  it("names the page of the plan, in its data and in its words", async () => {
    const invoice = await draft([100]);
    const { data, text } = await agent.call("plan_issue_invoice", { invoice: invoice.id });
    expect(data.url).toBe(`${world.origin}/assistants/plans/${data.plan_id}`);
    expect(text).toContain(data.url);
  });
});

describe("the page of a plan", () => {
  it("shows the words of the plan, the time left and both decisions", async () => {
    const { plan, path } = await planned();
    const { status, html } = await admin.get(path);
    expect(status).toBe(200);
    expect(html).toContain("<h1>Issue an invoice</h1>");
    expect(html).toContain("Claude has planned this in your name. Nothing has changed yet.");
    expect(html).toContain("Expires in 15 minutes");
    for (const words of [plan.summary, ...plan.effects]) {
      const shown = words.replaceAll(/\d{4}-\d{2}-\d{2}/g, (day: string) => dayOf("en", day));
      expect(html).toContain(shown.replaceAll('"', "&quot;"));
    }
    expect(plan.summary).toMatch(/dated \d{4}-\d{2}-\d{2}/);
    expect(html).toMatch(/>Do it</);
    expect(html).toMatch(/>Decline</);
  });

  it("names changed fields in the reader's language, with the names of what they refer to", async () => {
    const customer = await world.done("POST /customers", { name: "Nørrebro ApS" });
    const plan = await agent.done("plan_create_invoice", {
      customer: customer.id,
      title: "Website",
      lines: [line(100)],
    });
    const { html } = await admin.get(new URL(plan.url).pathname, { "accept-language": "da" });
    expect(html).toMatch(/<dt>Kunde<\/dt><dd><ins>Nørrebro ApS<\/ins>/);
    expect(html).toMatch(/<dt>Overskrift<\/dt><dd><ins>Website<\/ins>/);
    expect(html).toContain("Opretter en fakturakladde til &quot;Nørrebro ApS&quot;");
    expect(html).not.toContain(plan.summary.slice(0, 20));
  });

  it("does not exist for other people, admins included, and for unknown ids", async () => {
    const other = await agentOf(world, { user_id: standard_id });
    const own = await other.done("plan_save_customer", { name: "Own ApS" });
    const path = new URL(own.url).pathname;
    expect((await standard.get(path)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(404);
    const { path: admins } = await planned();
    expect((await standard.get(admins)).status).toBe(404);
    for (const deed of ["commit", "decline"] as const) {
      const page = await standard.get(path);
      const [, csrf = ""] = /name="csrf" value="([^"]+)"/.exec(page.html) ?? [];
      expect((await standard.post(`${admins}/${deed}`, { csrf })).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    expect((await admin.get("/assistants/plans/plan_aaaaaaaaaaaaaaaaaaaaaaaaaa")).status).toBe(404);
    expect((await agent.call("commit", { plan_id: admins.split("/").at(-1) })).is_error).toBe(
      false,
    );
  });

  it("ends with the grant of its assistant", async () => {
    const short = await agentOf(world, { user_id: world.account.admin.user_id });
    const { path } = await planned(short);
    const page = await admin.get(path);
    await disconnected(admin, short.grant_id);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.submit(page, `${path}/commit`, {})).status).toBe(404);
    expect((await admin.submit(page, `${path}/decline`, {})).status).toBe(404);
  });

  it("says when the plan has expired, and offers no decision", async () => {
    const { plan, path } = await planned();
    const page = await admin.get(path);
    await world.sql("update plans set expires_at = clock_timestamp() where id = $1", [
      plan.plan_id,
    ]);
    const { html } = await admin.get(path);
    expect(html).toContain("This plan has expired: nothing was changed.");
    expect(html).not.toContain(">Do it<");
    expect((await admin.submit(page, `${path}/commit`, {})).status).toBe(409);
    expect((await admin.submit(page, `${path}/decline`, {})).status).toBe(409);
  });
});

describe("what a plan warns of", () => {
  it("leads to its cure at the document that it would book", async () => {
    const { path, invoice } = await planned();
    const { html } = await admin.get(path);
    expect(html).toContain(`href="/invoices/${invoice.id}#product-${invoice.lines[0].id}"`);
    expect(html).toMatch(/href="\/settings\/company"[^>]*>Complete the company<\/a>/);
    const danish = await admin.get(path, { "accept-language": "da" });
    expect(danish.html).toContain(">Gå til linjen</a>");
  });

  it("has the cures that a standard user may open, for a period at its page", async () => {
    const own = await agentOf(world, { user_id: standard_id });
    const series = await world.done("POST /recurring-series", {
      customer_id: sales.customer.id,
      frequency: "monthly",
      start_date: "2026-03-01",
      lines: [line(100), line(50, { assignees: [{ user_id: standard_id }] })],
    });
    await world.done(`POST /recurring-series/${series.id}/activate`);
    const plan = await own.done("plan_issue_occurrence", { series: series.id, period: "2026-03" });
    const { html } = await standard.get(new URL(plan.url).pathname);
    expect(html).toContain(`href="/retainers/${series.id}/2026-03#lines"`);
    expect(html).not.toContain("/settings/company");
  });

  it("is cured at the place that a refused commit names", async () => {
    const { path, invoice } = await planned();
    const page = await admin.get(path);
    await world.done(`POST /customers/${sales.customer.id}/deactivate`);
    const reply = await admin.submit(page, `${path}/commit`, {});
    await world.done(`POST /customers/${sales.customer.id}/activate`);
    expect(reply.status).toBe(409);
    expect(reply.html).toMatch(
      new RegExp(`href="/customers/${sales.customer.id}"[^>]*>Open the customer</a>`),
    );
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("draft");
  });
});

describe("a plan that the person carries out", () => {
  it("is done as the plan says, in the name of the person and not of the assistant", async () => {
    const { plan, path, invoice } = await planned();
    const reply = await decide(admin, path, "commit");
    expect([reply.status, reply.location]).toEqual([303, path]);
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("issued");
    const { html } = await admin.get(path);
    expect(html).toContain("This plan has been carried out.");
    expect(html).toContain(`href="/invoices/${invoice.id}"`);
    const rows = await world.sql(
      "select action, actor_id, grant_id from audit_events where resource_id = any($1) and action in ('issued', 'committed') order by action",
      [[invoice.id, plan.plan_id]],
    );
    const actor_id = world.account.admin.user_id;
    expect(rows).toEqual([
      { action: "committed", actor_id, grant_id: null },
      { action: "issued", actor_id, grant_id: null },
    ]);
    const again = await agent.call("commit", { plan_id: plan.plan_id });
    expect(again.data).toMatchObject({
      code: "PLAN_ALREADY_COMMITTED",
      details: { id: invoice.id },
    });
  });

  it("may be of any kind: the person's commit has the effect that the assistant was shown", async () => {
    const { customer } = sales;
    const work = line(0, {
      recognition_method: "hours",
      hourly_rate: 500,
      agreed_value: undefined,
      assignees: [{ user_id: world.account.admin.user_id }],
    });
    const worked = await draft([], { lines: [work] });
    const of = await sales.issued([100]);
    const header = { frequency: "monthly", start_date: "2026-03-01", lines: [line(100)] };
    const series = await world.done("POST /recurring-series", {
      ...header,
      customer_id: customer.id,
      auto_send: false,
    });
    const plans = [
      ["save_customer", { customer: customer.id, city: "Aarhus" }],
      ["save_product", { name: "New" }],
      ["create_invoice", { customer: customer.id, lines: [line(100)] }],
      ["update_invoice", { invoice: worked.id, title: "T" }],
      ["create_series", { ...header, customer: customer.id }],
      ["update_series", { series: series.id, activate: true }],
      ["edit_series_line", { series: series.id, action: "add", scope: "all", line: line(1) }],
      ["register_work", { line_id: worked.lines[0].id, hours: 1 }],
      ["issue_invoice", { invoice: worked.id }],
      ["issue_occurrence", { series: series.id, period: "2026-03" }],
      ["create_credit_note", { invoice: of.id, kind: "full" }],
    ] as const;
    for (const [kind, args] of plans) {
      const plan = await agent.done(`plan_${kind}`, args);
      const path = new URL(plan.url).pathname;
      const page = await admin.get(path);
      expect(page.html, kind).not.toContain("<h1>A planned change");
      const { location, html } = await admin.submit(page, `${path}/commit`, {});
      expect([kind, location, /role="alert">([^<]*)/.exec(html)?.[1]]).toEqual([
        kind,
        path,
        undefined,
      ]);
    }
  });

  it("needs no scope of the assistant", async () => {
    const { path, invoice } = await planned();
    await world.sql("update oauth_grants set scopes = '{mcp:read,mcp:write}' where id = $1", [
      agent.grant_id,
    ]);
    await decide(admin, path, "commit");
    await world.sql(
      "update oauth_grants set scopes = '{mcp:read,mcp:write,mcp:issue}' where id = $1",
      [agent.grant_id],
    );
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("issued");
  });

  it("is refused in words where its basis has changed, and is then ended", async () => {
    const { path, invoice } = await planned();
    const page = await admin.get(path);
    await world.done(`PATCH /invoices/${invoice.id}`, { title: "Changed" });
    const reply = await admin.submit(page, `${path}/commit`, {});
    expect(reply.status).toBe(409);
    expect(reply.html).toContain("The data on which the plan is based has changed");
    const { html } = await admin.get(path, { "accept-language": "da" });
    expect(html).toContain("Planen er afsluttet: Grundlaget for planen er ændret");
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("draft");
  });

  it("is refused to a person who lost the role or the view since", async () => {
    const own = await agentOf(world, { user_id: standard_id });
    const invoice = await draft([], {
      lines: [line(100, { assignees: [{ user_id: standard_id }] })],
    });
    const update = { invoice: invoice.id, title: "Mine" };
    const plan = await own.done("plan_update_invoice", update);
    const path = new URL(plan.url).pathname;
    const page = await standard.get(path);
    await world.done(`PATCH /invoices/${invoice.id}`, { lines: [line(100)] });
    expect((await standard.submit(page, `${path}/commit`, {})).status).toBe(409);

    await changedByOperator(world, standard_id, { role: "admin" });
    const admins = await own.done("plan_update_invoice", update);
    const admins_path = new URL(admins.url).pathname;
    const admins_page = await standard.get(admins_path);
    await changedByOperator(world, standard_id, { role: "standard" });
    expect((await standard.submit(admins_page, `${admins_path}/commit`, {})).status).toBe(409);
    expect((await world.done(`GET /invoices/${invoice.id}`)).title).toBeNull();
  });

  it("is done once for two clicks, or for a click and the assistant", async () => {
    const first = await planned();
    const page = await admin.get(first.path);
    const clicks = await Promise.all(
      [1, 2].map(() => admin.submit(page, `${first.path}/commit`, {})),
    );
    expect(clicks.map(({ location }) => location)).toEqual([first.path, first.path]);
    const second = await planned();
    const other = await admin.get(second.path);
    await Promise.all([
      admin.submit(other, `${second.path}/commit`, {}),
      agent.call("commit", { plan_id: second.plan.plan_id }),
    ]);
    for (const { plan } of [first, second]) {
      const events = await world.sql(
        "select action from audit_events where resource_id = $1 and action = 'committed'",
        [plan.plan_id],
      );
      expect(events).toHaveLength(1);
    }
  });
});

describe("a plan that the person declines", () => {
  it("ends, and its assistant learns that it was declined", async () => {
    const { plan, path, invoice } = await planned();
    const reply = await decide(admin, path, "decline");
    expect([reply.status, reply.location]).toEqual([303, path]);
    const { html } = await admin.get(path);
    expect(html).toContain("You declined this plan: nothing was changed.");
    expect(html).not.toContain(">Do it<");
    const { data, text } = await agent.call("commit", { plan_id: plan.plan_id });
    expect(data).toMatchObject({
      code: "PLAN_EXPIRED",
      message: "The person declined this plan.",
      details: { ended_by: "DECLINED" },
    });
    expect(text).toContain("Ask the person what to change");
    expect((await world.done(`GET /invoices/${invoice.id}`)).status).toBe("draft");
    const { data: events } = await world.done(`GET /audit-events?resource_id=${plan.plan_id}`);
    const actor = { kind: "user", id: world.account.admin.user_id };
    expect(events[0]).toMatchObject({ action: "declined", actor });
  });

  it("is either declined or carried out, never both", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { plan, path, invoice } = await planned();
      const page = await admin.get(path);
      await Promise.all([
        admin.submit(page, `${path}/decline`, {}),
        admin.submit(page, `${path}/commit`, {}),
      ]);
      const [{ state }] = await world.sql("select state from plans where id = $1", [plan.plan_id]);
      const { status } = await world.done(`GET /invoices/${invoice.id}`);
      expect([
        ["ended", "draft"],
        ["committed", "issued"],
      ]).toContainEqual([state, status]);
    }
  });
});

describe("the page of assistants", () => {
  it("lists plans that wait, connected assistants, and what was decided", async () => {
    const own = await agentOf(world, { user_id: standard_id, client_name: "Helper" });
    const waiting = await own.done("plan_save_customer", { name: "Waiting ApS" });
    const declined = await own.done("plan_save_customer", { name: "Declined ApS" });
    await decide(standard, new URL(declined.url).pathname, "decline");
    const { html } = await standard.get("/assistants");
    const [, before = "", after = ""] =
      /id="waiting"(.*)id="connected".*id="done"(.*)id="connect"/s.exec(html) ?? [];
    expect(before).toContain(waiting.plan_id);
    expect(before).not.toContain(declined.plan_id);
    expect(after).toMatch(new RegExp(`${declined.plan_id}.*Declined`, "s"));
    expect(html).toContain(`/assistants/${own.grant_id}/disconnect`);
    expect(html).not.toContain(`/assistants/${agent.grant_id}/disconnect`);
    const all = (await admin.get("/assistants")).html;
    expect(all).toContain(`/assistants/${own.grant_id}/disconnect`);
    expect(all).not.toContain(waiting.plan_id);
  });

  it("says before a disconnection what it ends", async () => {
    const own = await agentOf(world, { user_id: standard_id, client_name: "Helper" });
    await own.done("plan_save_customer", { name: "Dropped ApS" });
    const path = `/assistants/${own.grant_id}/disconnect`;
    expect((await standard.get(path)).html).toMatch(
      /Helper loses access for Invited \d+ at once. Its open plan is dropped\./,
    );
    expect((await disconnected(standard, own.grant_id)).location).toBe("/assistants");
    expect((await standard.get(path)).status).toBe(404);
  });
});
