/**
 * Drafts and the customers of a standard user: on pages and through an assistant, a document may name only a customer that its
 * author sees, because it then shows everything about that customer.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const NEVER_WAS = "0190a000-0000-7000-8000-000000000000";

const { world, draft, line, customer, product } = useSales({ knows_origin: true });
const secret = world.made("POST /customers", { name: "Secret ApS", external_id: "1001" });

let browser: Browser;
let agent: Agent;
let proof: string;
let own_line: Json;
beforeAll(async () => {
  const person = await openConsent(world).person();
  browser = person.browser;
  agent = await agentOf(world, { user_id: person.user_id });
  proof = await proofOf(browser);
  own_line = line(100, { assignees: [{ user_id: person.user_id }] });
});

const ownDraft = (): Promise<Json> => draft([], { lines: [own_line] });

async function saved(id: string, customer_id: string) {
  const { body } = await browser.act("/app/drafts/read", { id, language: "en" }, proof);
  const changes = { id, language: "en", seen: body.version, customer_id };
  return browser.act("/app/drafts/save", changes, proof);
}

/** The tools that name the customer of a document, with their other arguments. */
const TOOLS: readonly [string, () => Promise<Json>][] = [
  ["plan_create_invoice", async () => ({ lines: [own_line] })],
  ["plan_update_invoice", async () => ({ invoice: (await ownDraft()).id })],
  ["plan_create_series", async () => ({ ...MONTHLY, lines: [own_line] })],
  ["plan_update_series", async () => ({ series: (await ownSeries()).id })],
];
const MONTHLY = { frequency: "monthly", start_date: "2026-04-01" };
const ownSeries = () =>
  world.done("POST /recurring-series", {
    ...MONTHLY,
    customer_id: customer.id,
    lines: [own_line],
  });

describe("a customer outside of the view of a standard user", () => {
  const REFS: readonly [string, () => string][] = [
    ["its id", () => secret.id],
    ["its external id", () => "ext:1001"],
  ];

  describe.each(REFS)("named by %s", (_name, ref) => {
    it.each(TOOLS)("is refused by %s, without revealing its name", async (tool, besides) => {
      await ownDraft();
      const sent = { customer: ref(), ...(await besides()) };

      const { is_error, data, text } = await agent.call(tool, sent);

      expect([is_error, data.code]).toEqual([true, "OUT_OF_SCOPE"]);
      expect(text).not.toContain("Secret");
      const admin = await agentOf(world, { user_id: world.account.admin.user_id });
      expect((await admin.done(tool, sent)).plan_id).toBeDefined();
    });
  });

  it("is refused by the editor of a draft exactly like an unknown customer", async () => {
    const { id } = await ownDraft();

    const refused = await saved(id, secret.id);
    const absent = await saved(id, NEVER_WAS);

    expect([refused.status, refused.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect([absent.status, absent.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(refused.body.error.message.replace(secret.id, NEVER_WAS)).toBe(
      absent.body.error.message,
    );
    // An external id names no customer in this action, whether it is known or not.
    for (const ref of ["ext:1001", "ext:never"]) {
      const { status, body } = await saved(id, ref);
      expect([status, body.error.field_errors[0].code]).toEqual([422, "invalid_format"]);
    }
    expect((await world.done(`GET /invoices/${id}`)).customer_id).toBe(customer.id);
  });

  it("is refused at the commit if it has left the view since the plan", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Briefly ApS" });
    const begun = await draft([], { customer_id, lines: [own_line] });
    const { plan_id } = await agent.done("plan_create_invoice", {
      customer: customer_id,
      lines: [own_line],
    });
    await world.done(`PATCH /invoices/${begun.id}`, { lines: [line(100)] });

    expect(await agent.refused("commit", { plan_id })).toBe("OUT_OF_SCOPE");
  });
});

describe("a customer that a standard user has created", () => {
  let made: Json;
  beforeAll(async () => {
    made = await agent.carried("plan_save_customer", { name: "Own find ApS", external_id: "own" });
  });

  it("is in the user's view: in lists, by its name, and on pages", async () => {
    const { data } = await agent.done("list_customers", {});
    expect(data.map(({ id }: Json) => id)).toContain(made.id);
    const found = await agent.done("get_customer", { customer: "Own find ApS" });
    expect(found.data.id).toBe(made.id);
    expect((await browser.get(`/customers/${made.id}`)).status).toBe(200);
    expect((await browser.get("/customers")).html).toContain("Own find ApS");
    expect((await browser.get("/invoices/new")).html).toContain("Own find ApS");
    expect((await browser.get("/search?q=find")).html).toContain("Own find ApS");
  });

  it("is not in the view of another standard user", async () => {
    const other = await agentOf(world);
    expect(await other.refused("get_customer", { customer: made.id })).toBe("OUT_OF_SCOPE");
    expect((await other.done("list_customers", {})).data).toEqual([]);
  });

  it("must be new: saving an existing customer outside of the view is refused", async () => {
    expect(
      await agent.refused("plan_save_customer", { name: "Mine now", external_id: "1001" }),
    ).toBe("OUT_OF_SCOPE");
  });

  it.each(TOOLS)("is accepted by %s", async (tool, besides) => {
    await agent.done(tool, { customer: "ext:own", ...(await besides()) });
  });

  it("can receive a draft in the editor and from the page for new drafts", async () => {
    const { id } = await ownDraft();
    expect((await saved(id, made.id)).status).toBe(200);
    expect((await world.done(`GET /invoices/${id}`)).customer_id).toBe(made.id);

    const page = await browser.get("/invoices/new");
    const begun = await browser.submit(page, "/invoices/new", {
      customer: made.id,
      product: product.id,
    });
    expect(begun.status).toBe(303);
  });
});
