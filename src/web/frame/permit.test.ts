/** A user has the same permissions on pages as through an assistant: one table of actions through both, for each role. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { type Agent, agentOf } from "../../../test/support/mcp/mcp.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const { world, draft, issued, line, customer, product } = useSales({ knows_origin: true });

interface Who {
  readonly browser: Browser;
  readonly agent: Agent;
  readonly user_id: string;
  readonly proof: string;
}
const who: Partial<Record<"admin" | "standard", Who>> = {};
let oauth: ReturnType<typeof openConsent>;
beforeAll(async () => {
  oauth = openConsent(world);
  const of = async (browser: Browser, user_id: string): Promise<Who> => {
    const agent = await agentOf(world, { user_id });
    return { browser, agent, user_id, proof: await proofOf(browser) };
  };
  who.admin = await of(await oauth.signedInAdmin(), world.account.admin.user_id);
  const { browser, user_id } = await oauth.person();
  who.standard = await of(browser, user_id);
});

const CREDIT = { kind: "full", credit_date: "2026-03-10" } as const;

/** An action on an invoice: the status of the page or action that does it, and the assistant's tool for the same. */
interface Deed {
  readonly to: "draft" | "issued";
  page(of: Who, id: string): Promise<number>;
  readonly tool: readonly [name: string, args: (id: string) => object];
}

const DEEDS: Readonly<Record<string, Deed>> = {
  "reads a draft": {
    to: "draft",
    page: async ({ browser }, id) => (await browser.get(`/invoices/${id}`)).status,
    tool: ["get_invoice", (invoice) => ({ invoice })],
  },
  "changes a draft": {
    to: "draft",
    async page({ browser, proof }, id) {
      const read = { id, language: "en" };
      const { body } = await browser.act("/app/drafts/read", read, proof);
      const changes = { ...read, seen: body.version ?? "unseen", title: "Changed" };
      return (await browser.act("/app/drafts/save", changes, proof)).status;
    },
    tool: ["plan_update_invoice", (invoice) => ({ invoice, title: "Changed otherwise" })],
  },
  "previews an issue": {
    to: "draft",
    page: async ({ browser, proof }, id) =>
      (await browser.act("/app/drafts/ahead", { id }, proof)).status,
    tool: ["plan_issue_invoice", (invoice) => ({ invoice })],
  },
  "issues a draft": {
    to: "draft",
    async page({ browser }, id) {
      const path = `/invoices/${id}/issue`;
      const page = await browser.get(path);
      if (page.status !== 200) return page.status;
      return (await browser.submit(page, path, {})).status;
    },
    tool: ["plan_issue_invoice", (invoice) => ({ invoice })],
  },
  "reads an issued invoice": {
    to: "issued",
    page: async ({ browser }, id) => (await browser.get(`/invoices/${id}`)).status,
    tool: ["get_invoice", (invoice) => ({ invoice })],
  },
  "opens the form of a credit": {
    to: "issued",
    page: async ({ browser }, id) => (await browser.get(`/invoices/${id}/credit`)).status,
    tool: ["plan_create_credit_note", (invoice) => ({ invoice, ...CREDIT })],
  },
  "credits an issued invoice": {
    to: "issued",
    async page({ browser, proof }, invoice) {
      const credit = { invoice, ...CREDIT };
      const reported = await browser.act(
        "/app/credits/rehearse",
        { ...credit, language: "en" },
        proof,
      );
      const made = {
        ...credit,
        external_id: `permit-${invoice}`,
        agreed: reported.body.agreed ?? "x",
      };
      return (await browser.act("/app/credits/make", made, proof)).status;
    },
    tool: ["plan_create_credit_note", (invoice) => ({ invoice, ...CREDIT })],
  },
};

describe.each(["admin", "standard"] as const)("as %s", (role) => {
  describe.each(["assigned", "not assigned"])("%s to the invoice", (relation) => {
    it.each(Object.entries(DEEDS))("%s", async (_name, { to, page, tool: [name, args] }) => {
      const person = who[role] as Who;
      const assignees = relation === "assigned" ? [{ user_id: person.user_id }] : [];
      const lines = [line(100, { assignees })];
      const { id } = await (to === "draft" ? draft : issued)([], { lines });
      // The assistant plans before the page acts: an action of the page cannot be undone.
      const { is_error, data } = await person.agent.call(name, { ...args(id) });
      const status = await page(person, id);
      const may = role === "admin" || relation === "assigned";
      expect([is_error ? data.code : null, status < 400 ? null : status]).toEqual(
        may ? [null, null] : ["OUT_OF_SCOPE", 404],
      );
    });
  });
});

describe("a standard user", () => {
  it("begins a draft for a customer of their assignments, is assigned to it and deletes it", async () => {
    const { browser, user_id } = who.standard as Who;
    await draft([], { lines: [line(100, { assignees: [{ user_id }] })] });
    const elsewhere = await world.done("POST /customers", { name: "Elsewhere ApS" });
    const page = await browser.get("/invoices/new");
    expect(page.html).toContain("Acme A/S");
    expect(page.html).not.toContain("Elsewhere");
    const begin = (of: string) =>
      browser.submit(page, "/invoices/new", { customer: of, product: product.id });
    expect((await begin(elsewhere.id)).status).toBe(404);
    const { status, location } = await begin(customer.id);
    expect(status).toBe(303);
    const editor = await browser.get(location ?? "");
    expect(editor.status).toBe(200);
    const id = (location ?? "").split("/").at(-1);
    expect((await world.done(`GET /invoices/${id}`)).lines).toMatchObject([
      { product_id: product.id, assignees: [{ user_id }] },
    ]);
    const remove = `${location}/delete`;
    expect((await browser.submit(editor, remove, {})).status).toBe(303);
    expect((await world.rest(`GET /invoices/${id}`)).status).toBe(404);
  });

  it("issues several drafts with their assignments and skips all others", async () => {
    const { browser, user_id } = who.standard as Who;
    const own = await draft([], { lines: [line(100, { assignees: [{ user_id }] })], title: "Own" });
    const other = await draft([200], { title: "Secret" });
    const path = "/invoices/issue";
    const page = await browser.get(`${path}?${own.id}=on&${other.id}=on`);
    expect(page.html).toContain("Own");
    expect(page.html).not.toContain("Secret");
    const { location } = await browser.submit(page, path, { [other.id]: "forged" });
    const { html } = await browser.get(location ?? "");
    expect(html).toContain("1 of 1 issued");
    expect(html).not.toContain("Secret");
    const statuses = [own, other].map(
      async ({ id }) => (await world.done(`GET /invoices/${id}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual(["issued", "draft"]);
  });

  it("can neither change nor delete a draft after their assignment has ended", async () => {
    const { browser, user_id, proof } = who.standard as Who;
    const { id } = await draft([], { lines: [line(100, { assignees: [{ user_id }] })] });
    const page = await browser.get(`/invoices/${id}`);
    const read = { id, language: "en" };
    const { version } = (await browser.act("/app/drafts/read", read, proof)).body;
    await world.done(`PATCH /invoices/${id}`, { lines: [line(100)] });
    const save = { ...read, seen: version, title: "Mine" };
    expect((await browser.act("/app/drafts/save", save, proof)).status).toBe(404);
    expect((await browser.submit(page, `/invoices/${id}/delete`, {})).status).toBe(404);
    expect((await world.done(`GET /invoices/${id}`)).title).toBeNull();
  });

  it("sees neither the work days nor the earnings of colleagues", async () => {
    const { browser, user_id, proof } = who.standard as Who;
    const { user_id: colleague } = who.admin as Who;
    const unit = { name: "Hours", unit: "hours", default_price: 1000 };
    const { id: product_id } = await world.done("POST /products", unit);
    const assignees = [{ user_id }, { user_id: colleague, hourly_rate_override: 1500 }];
    const made = await draft([], {
      lines: [{ product_id, recognition_method: "hours", assignees }],
    });
    const work = (of: string, date: string, hours: number) =>
      world.done("POST /work-registrations", {
        line_id: made.lines[0].id,
        user_id: of,
        date,
        hours,
      });
    await work(user_id, "2026-02-03", 2);
    await work(colleague, "2026-01-14", 1.5);
    await work(colleague, "2026-02-17", 1);
    const { body } = await browser.act("/app/drafts/read", { id: made.id, language: "en" }, proof);
    const [worked] = Object.values(body.facts.worked) as { date: string; hours: number }[][];
    expect(worked?.map(({ date, hours }) => [date, hours])).toEqual([
      ["2026-02-03", 200],
      ["0001-01-01", 250],
    ]);
    expect(body.own_months).toEqual([{ month: "2026-02", earned: "200000" }]);
    const { html } = await browser.get(`/invoices/${made.id}`);
    expect(html).toContain("When you earn your part");
    const count = await statementsOf(() => browser.get(`/invoices/${made.id}`));
    expect(count).toBeLessThanOrEqual(13);
    // The total is 2 × 1,000 + 2.5 × 1,500.
    expect(html).toContain("5,750.00");
    for (const text of ["2026-01-14", "2026-02-17", "January 2026"])
      expect(html).not.toContain(text);
  });
});
