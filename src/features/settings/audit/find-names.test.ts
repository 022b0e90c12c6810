/** The activity page shows the names that people know, and the actors with their assistants. */
import { beforeAll, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../../test/support/browser/browser.ts";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { namesOf } from "./find-names.ts";

const { world, customer, line, hours, active, skip, bo, invoice, registered } = useWork({
  knows_origin: true,
});
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const WORDS = {
  number: "no. ",
  customer: "for ",
  of_invoice: "of invoice ",
  of_credit_note: "of credit note ",
};

let admin: Browser;
beforeAll(async () => {
  admin = openBrowser(world);
  await admin.signIn(world.account.admin.email, "correct horse battery staple");
});

/** The rows of the page: actor, action and subject, as people read them, without the folded fields. */
async function rows(browser = admin): Promise<string[]> {
  const { html } = await browser.get("/settings/audit");
  const body = /<tbody>(.*)<\/tbody>/s.exec(html)?.[1] ?? "";
  return body.split("</tr>").map((row) =>
    row
      .replaceAll(/<details>.*?<\/details>/gs, "")
      .replaceAll(/<span class="column">[^<]*<\/span>/g, "")
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll("&quot;", '"')
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

it("a document is shown with number and customer, and its deliveries and credit notes with its name", async () => {
  const { id } = await invoice([line()], { auto_send: true });
  const key = "API key First read_write key";
  expect((await rows())[0]).toBe(`${key} created invoice for Acme A/S`);
  await world.done(`POST /invoices/${id}/issue`);
  const credit_date = "2026-11-30";
  const fields = { invoice: id, kind: "full", credit_date, external_id: "mcp-plan_x" };
  world.clock.set("2026-11-30T08:00:00Z");
  await world.done("POST /credit-notes", fields);

  const shown = await rows();

  expect(shown).toContain(`${key} created invoice no. 1, Acme A/S`);
  expect(shown).toContain(`${key} issued invoice no. 1, Acme A/S`);
  expect(shown).toContain(`${key} written to outbox delivery of invoice no. 1, Acme A/S`);
  expect(shown).toContain(`${key} created credit note no. 1, Acme A/S`);
  expect(shown).toContain(`${key} issued credit note no. 1, Acme A/S`);
});

it("series, periods and hours are shown with their customer, and no row shows only an id", async () => {
  const series = await active({ lines: [line()] });
  await skip(series.id, "2027-01");
  const draft = await invoice([hours()]);
  await registered(draft.lines[0].id, { date: "2026-11-03" });
  await world.done("PATCH /configuration", { default_auto_send: true });
  await world.done("PUT /exchange-rates/EUR/2026-11-02", { rate: 7.46 });
  const [{ name }] = await world.sql("select name from users where id = $1", [bo()]);

  const shown = await rows();

  const by = "API key First read_write key";
  expect(shown).toContain(`${by} activated retainer for Acme A/S`);
  expect(shown).toContain(`${by} skipped occurrence for Acme A/S, January 2027`);
  expect(shown).toContain(`${by} created hours ${name} for Acme A/S, 3 Nov 2026`);
  expect(shown.find((row) => row.includes("exchange rate"))).toContain("EUR, 2 Nov 2026");
  expect(shown).toContain("Admin signed in user Admin");
  expect(shown.some((row) => row.includes("by the command line or the first start"))).toBe(false);
  expect(shown.some((row) => row.startsWith("the command line or the first start created"))).toBe(
    true,
  );
  expect(shown.filter((row) => UUID.test(row))).toEqual([]);
});

it("a deleted draft is still shown with its customer", async () => {
  const { id } = await invoice([line()]);
  await world.done(`DELETE /invoices/${id}`);
  expect((await rows())[0]).toBe("API key First read_write key deleted invoice for Acme A/S");
});

it("an action through an assistant names the assistant, even after it was revoked and renamed", async () => {
  const user_id = world.account.admin.user_id;
  const agent = await agentOf(world, { user_id, client_name: "Robot <b>" });
  const { plan_id } = await agent.done("plan_save_customer", { name: "By a robot" });
  await agent.done("plan_save_customer", { name: "Only planned" });
  await agent.done("commit", { plan_id });
  await world.done(`PATCH /users/${user_id}`, { name: "Admin" });
  await world.sql("delete from oauth_grants where id = $1", [agent.grant_id]);

  const shown = await rows();

  const through = "Admin through Robot &lt;b>";
  expect(shown).toContain(`${through} created customer By a robot`);
  expect(shown).toContain(`${through} committed plan Creates the customer "By a robot".`);
  expect(shown).toContain(`${through} created plan Creates the customer "Only planned".`);
  expect(shown.filter((row) => row.includes("signed in")).join()).not.toContain("through");
  const { html } = await admin.get("/settings/audit");
  expect(html).toContain("A plan changes nothing until it is committed.");
});

it("a standard user reads the names of records that they created, but not of customers outside their view", async () => {
  const agent = await agentOf(world, { name: "Standa" });
  const lines = [line({ assignees: [{ user_id: agent.user_id }] })];
  // A draft assigned to them brings the customer into their view.
  await invoice(lines);
  const own = await agent.carried("plan_create_invoice", { customer: customer.id, lines });
  const unassigned = { customer: customer.id, lines: [line()] };
  const others = await agent.carried("plan_create_invoice", unassigned);
  const series = await agent.carried("plan_create_series", {
    customer: customer.id,
    frequency: "monthly",
    start_date: "2027-01-01",
    lines,
  });
  const secret = await world.done("POST /customers", { name: "Secret Holding" });
  await world.done(`PATCH /invoices/${others.id}`, { customer_id: secret.id });
  await world.done(`PATCH /invoices/${own.id}`, { customer_id: secret.id });
  const ids = [own.id, others.id, series.id];
  const cx = await operatorContext(world.services, world.account.account_id);

  const names = await namesOf(cx, ids, agent.user_id, WORDS);

  expect(names.get(own.id)).toBe("for Secret Holding");
  expect(names.get(series.id)).toBe("for Acme A/S");
  expect(names.has(others.id)).toBe(false);
  expect((await namesOf(cx, ids, null, WORDS)).get(others.id)).toBe("for Secret Holding");
});

it("records of another account have no names", async () => {
  const other = await world.openAnother();
  const cx = await operatorContext(world.services, other.account_id);
  const { id } = await invoice([line()]);
  const ids = [customer.id, id, bo(), world.account.account_id];
  expect([...(await namesOf(cx, ids, null, WORDS))]).toEqual([]);
  const own = await operatorContext(world.services, world.account.account_id);
  expect((await namesOf(own, ids, null, WORDS)).size).toBe(ids.length);
});
