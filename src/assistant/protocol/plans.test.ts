/** Plans and their commits over HTTP (spec 8.4): the end of a plan, changes that make it stale, and changes that do not. */

import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, digestOf } from "../../../test/support/mcp/mcp.ts";
import { changedByOperator } from "../../../test/support/world/people.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import { invoiceOf, type Json } from "../../../test/support/world/world.ts";

const sales = useSales();
const { world, draft, issued, line } = sales;

let admin: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
});

const planIssue = async (agent: Agent, invoice: Json): Promise<string> =>
  (await agent.done("plan_issue_invoice", { invoice: invoice.id })).plan_id;
const committed = (agent: Agent, plan_id: string) => agent.call("commit", { plan_id });
const codeOf = (agent: Agent, plan_id: string) => agent.refused("commit", { plan_id });

describe("a plan", () => {
  it("has an id of 128 random bits, a lifetime of 15 minutes, and its kind", async () => {
    const before = Date.now();
    const plan = await admin.done("plan_issue_invoice", { invoice: (await draft([100])).id });

    expect(plan).toMatchObject({ plan_id: expect.stringMatching(/^plan_[a-z2-7]{26}$/) });
    expect(plan.kind).toBe("issue_invoice");
    const life = new Date(plan.expires_at).getTime() - before;
    expect(life).toBeGreaterThanOrEqual(15 * 60_000);
    expect(life).toBeLessThan(15 * 60_000 + 30_000);
  });

  it("is executed by commit, which returns the resource", async () => {
    const invoice = await draft([100]);
    const { data } = await committed(admin, await planIssue(admin, invoice));

    expect(data).toMatchObject({ kind: "issue_invoice", resource_type: "invoice", id: invoice.id });
    expect(data.resource).toMatchObject({ object: "invoice", status: "issued" });
    expect(invoiceOf(data.resource)).toEqual(await world.done(`GET /invoices/${invoice.id}`));
  });

  it("is executed once; a second commit returns the id of the result", async () => {
    const invoice = await draft([100]);
    const plan_id = await planIssue(admin, invoice);
    await committed(admin, plan_id);

    const again = await committed(admin, plan_id);

    expect(again.data).toMatchObject({
      code: "PLAN_ALREADY_COMMITTED",
      details: { resource_type: "invoice", id: invoice.id },
    });
    expect(again.text).toContain(invoice.id);
  });

  it("expires after 15 minutes", async () => {
    const plan_id = await planIssue(admin, await draft([100]));
    await world.sql("update plans set expires_at = clock_timestamp() where id = $1", [plan_id]);

    expect(await codeOf(admin, plan_id)).toBe("PLAN_EXPIRED");
  });

  it("is not found by another user, nor by another assistant of the same user", async () => {
    const plan_id = await planIssue(admin, await draft([100]));
    const other = await agentOf(world, { role: "admin" });
    const second = await agentOf(world, { user_id: admin.user_id });

    expect(await codeOf(other, plan_id)).toBe("PLAN_NOT_FOUND");
    expect(await codeOf(second, plan_id)).toBe("PLAN_NOT_FOUND");
    expect(await codeOf(admin, "plan_aaaaaaaaaaaaaaaaaaaaaaaaaa")).toBe("PLAN_NOT_FOUND");
    // None of these attempts ends the plan.
    expect((await committed(admin, plan_id)).is_error).toBe(false);
  });

  it("cannot be committed after the grant is removed", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const plan_id = await planIssue(agent, await draft([100]));
    await world.sql("delete from oauth_grants where id = $1", [agent.grant_id]);

    expect((await agent.rpc("tools/call", { name: "commit", arguments: { plan_id } })).status).toBe(
      401,
    );
  });

  it("requires its scope again at the commit", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const plan_id = await planIssue(agent, await draft([100]));
    await world.sql("update oauth_grants set scopes = '{mcp:read,mcp:write}' where id = $1", [
      agent.grant_id,
    ]);

    expect(await codeOf(agent, plan_id)).toBe("INSUFFICIENT_SCOPE");
  });

  it("of an admin is refused after they became a standard user", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const plan_id = await planIssue(agent, await draft([100]));
    await changedByOperator(world, agent.user_id, { role: "standard" });

    expect(await codeOf(agent, plan_id)).toBe("ROLE_FORBIDDEN");
  });

  it("for a document outside of the user's view is refused", async () => {
    const agent = await agentOf(world);
    const assignees = [{ user_id: agent.user_id }];
    const invoice = await draft([], { lines: [line(100, { assignees })] });
    const plan_id = await planIssue(agent, invoice);
    await world.done(`PATCH /invoices/${invoice.id}`, { lines: [line(100)] });

    expect(await codeOf(agent, plan_id)).toBe("OUT_OF_SCOPE");
  });

  it("is ended by a refusal, which later commits name", async () => {
    const invoice = await draft([100]);
    const plan_id = await planIssue(admin, invoice);
    await world.done(`PATCH /invoices/${invoice.id}`, { title: "Changed" });
    expect(await codeOf(admin, plan_id)).toBe("PLAN_STALE");

    const again = await committed(admin, plan_id);

    expect(again.data).toMatchObject({ code: "PLAN_EXPIRED", details: { ended_by: "PLAN_STALE" } });
  });

  it("is recorded in the audit trail with its user when created and committed", async () => {
    const plan_id = await planIssue(admin, await draft([100]));
    await committed(admin, plan_id);

    const { data } = await world.done("GET /audit-events?resource_type=plan&limit=2");
    const events = data.filter((event: Json) => event.resource_id === plan_id);
    expect(events.map(({ action }: Json) => action).sort()).toEqual(["committed", "created"]);
    for (const { actor } of events) expect(actor).toEqual({ kind: "user", id: admin.user_id });
  });
});

describe("PLAN_STALE", () => {
  const changes: [string, (invoice: Json) => Promise<unknown>][] = [
    ["the title", ({ id }) => world.done(`PATCH /invoices/${id}`, { title: "New" })],
    ["a line", ({ id }) => world.done(`PATCH /invoices/${id}`, { lines: [line(101)] })],
    [
      "the title, twice and back",
      async ({ id }) => {
        await world.done(`PATCH /invoices/${id}`, { title: "New" });
        await world.done(`PATCH /invoices/${id}`, { title: null });
      },
    ],
    ["the state", ({ id }) => world.done(`POST /invoices/${id}/issue`)],
    ["the existence", ({ id }) => world.done(`DELETE /invoices/${id}`)],
    [
      "the customer",
      ({ customer_id }) =>
        world.done(`PATCH /customers/${customer_id}`, { phone: String(Math.random()) }),
    ],
    ["the lock date", () => world.done("PATCH /configuration", { period_lock_date: "2025-12-31" })],
    ["the day", async () => world.clock.set("2026-03-11T09:00:00Z")],
  ];
  it.each(changes)(
    "is the refusal if %s has changed since the plan of an issue",
    async (_what, change) => {
      const invoice = await draft([100]);
      const plan_id = await planIssue(admin, invoice);
      await change(invoice);

      expect(await codeOf(admin, plan_id)).toBe("PLAN_STALE");
    },
  );

  it.each([true, false])(
    "is the refusal after a registration of hours, billable %s",
    async (billable) => {
      const by_hours = { recognition_method: "hours", hourly_rate: 1000, agreed_value: undefined };
      const invoice = await draft([], { lines: [line(0, by_hours), line(100)] });
      const plan_id = await planIssue(admin, invoice);
      await world.done("POST /work-registrations", {
        line_id: invoice.lines[0].id,
        user_id: admin.user_id,
        hours: 1,
        billable,
      });

      expect(await codeOf(admin, plan_id)).toBe("PLAN_STALE");
    },
  );

  it("is the refusal after another credit note, with the refusal of a new plan", async () => {
    const invoice = await issued([100]);
    const { plan_id } = await admin.done("plan_create_credit_note", {
      invoice: invoice.id,
      kind: "full",
    });
    await sales.credited(sales.fullCredit(invoice));

    const { data } = await committed(admin, plan_id);

    expect(data).toMatchObject({
      code: "PLAN_STALE",
      details: { now: { code: "INVOICE_FULLY_CREDITED" } },
    });
  });

  it("is not the refusal after unrelated changes", async () => {
    const [one, other] = [await draft([100]), await draft([100])];
    const plan_id = await planIssue(admin, one);
    await world.done(`PATCH /invoices/${other.id}`, { title: "Another" });
    await world.done("POST /customers", { name: "New customer" });

    expect((await committed(admin, plan_id)).is_error).toBe(false);
  });
});

describe("simultaneous commits", () => {
  it("of one plan execute it once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await draft([100]);
      const plan_id = await planIssue(admin, invoice);
      const results = await Promise.all([1, 2, 3].map(() => committed(admin, plan_id)));

      const refused = results.filter(({ is_error }) => is_error);
      expect(refused.map(({ data }) => data.code)).toEqual([
        "PLAN_ALREADY_COMMITTED",
        "PLAN_ALREADY_COMMITTED",
      ]);
      for (const { data } of refused) expect(data.details.id).toBe(invoice.id);
    }
  });

  it("of two plans for one invoice issue it once", async () => {
    const invoice = await draft([100]);
    const plans = [await planIssue(admin, invoice), await planIssue(admin, invoice)];
    const results = await Promise.all(plans.map((plan_id) => committed(admin, plan_id)));

    expect(results.filter(({ is_error }) => !is_error)).toHaveLength(1);
    expect(results.find(({ is_error }) => is_error)?.data.code).toBe("PLAN_STALE");
  });
});

describe("planning", () => {
  it("changes nothing", async () => {
    const invoice = await draft([100]);
    const before = await digestOf(world);
    for (const [tool, args] of [
      ["plan_save_customer", { name: "New" }],
      ["plan_save_product", { name: "New" }],
      ["plan_issue_invoice", { invoice: invoice.id }],
      ["plan_update_invoice", { invoice: invoice.id, title: "T" }],
    ] as const) {
      await admin.done(tool, args);
      expect(await digestOf(world)).toBe(before);
    }
  });
});
