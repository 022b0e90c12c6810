/**
 * Long documents are booked and sent in another thread, where they delay no other request, with the same result as in the serving
 * thread.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { adminOf } from "./person.ts";
import { besideSmallRequests, is_counted, TRIED_AGAIN } from "./processor.ts";
import { type Account, type Answered, askBeside, times, useAccounts } from "./two-accounts.ts";

/** Light requests answered during four long documents; if they were served only between two steps, it would be half as many. */
const MANY = 60;
const LINES = 500;

const accounts = useAccounts();
let light: Account;
beforeAll(async () => {
  // The world's own service must date what it issues as the program does.
  accounts.world.clock.set(new Date().toISOString());
  light = await accounts.open();
  for (let n = 0; n < 30; n += 1) await light.draft(1);
  await light.ask("GET /invoices?limit=25");
});

/** An account whose customer gets mail, with long drafts that are sent when issued. */
async function openWithDrafts(
  count: number,
  address: string,
): Promise<{ readonly account: Account; readonly drafts: readonly string[] }> {
  const account = await accounts.open();
  const { world } = accounts;
  await world.done(`PATCH /customers/${account.customer_id}`, { email: address }, account.key);
  const drafts: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await account.draft(LINES);
    await world.done(`PATCH /invoices/${id}`, { auto_send: true }, account.key);
    drafts.push(id);
  }
  return { account, drafts };
}

function post(account: Account, path: string, idempotency_key: string): Promise<Answered> {
  return account.ask(`POST ${path}`, undefined, { idempotency_key });
}

const textOf = ({ body }: Answered): string => Buffer.from(body).toString();

/** The text without the ids and values that differ between two otherwise equal documents. */
function withoutOwn(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id")
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "a moment");
}

async function mailsTo(address: string): Promise<number> {
  const mails = await accounts.world.mails();
  return mails.filter(({ to }) => JSON.stringify(to).includes(address)).length;
}

/** The number of audit events about issuing in an account. */
/** The number of issued documents, by the trail: an issued period of a series has an event of its own. */
async function issuedOf({ id }: Account): Promise<number> {
  const events = `select count(*)::int from audit_events
    where account_id = $1 and action = $2 and resource_type <> 'occurrence'`;
  return (await accounts.world.sql(events, [id, "issued"]))[0].count;
}

describe("a long document", () => {
  it("is issued and sent while another account is answered", async () => {
    const { account, drafts } = await openWithDrafts(4, "order@client.example");
    const asked = times(4, (n) => account.obey(`POST /invoices/${drafts[n]}/issue`));
    const { before_last } = await askBeside(asked, light);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    expect(before_last).toBeGreaterThanOrEqual(MANY);
    expect(await issuedOf(account)).toBe(4);
    expect(await mailsTo("order@client.example")).toBe(4);
  });

  it("is issued once under an idempotency key, with the same answer as in the serving thread", async () => {
    const { account, drafts } = await openWithDrafts(1, "once@client.example");
    const path = `/invoices/${drafts[0]}/issue`;
    const first = await post(account, path, "once");
    expect(first.status).toBe(200);
    const again = await post(account, path, "once");
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(textOf(again)).toBe(textOf(first));
    expect(await issuedOf(account)).toBe(1);
    expect(await mailsTo("once@client.example")).toBe(1);

    const alone = await openWithDrafts(1, "alone@client.example");
    const { world } = accounts;
    const issued = await world.done(
      `POST /invoices/${alone.drafts[0]}/issue`,
      undefined,
      alone.account.key,
    );
    expect(withoutOwn(textOf(first))).toBe(withoutOwn(JSON.stringify(issued)));
  });

  it("releases its light place before it waits for a heavy one", async () => {
    const account = await accounts.open();
    const drafts: string[] = [];
    for (let n = 0; n < 20; n += 1) drafts.push(await account.draft(110));
    const asked = times(20, (n) => account.obey(`POST /invoices/${drafts[n]}/issue`));
    const issued = (await Promise.all(asked)).map(textOf);
    const numbers = issued.map((text) => JSON.parse(text).ledger_invoice_number);
    expect(new Set(numbers).size).toBe(20);
    expect(await issuedOf(account)).toBe(20);
  });

  it("is refused as in the serving thread", async () => {
    const { account, drafts } = await openWithDrafts(1, "refused@client.example");
    const customer = `/customers/${account.customer_id}`;
    expect((await account.ask(`POST ${customer}/deactivate`)).status).toBe(200);
    const refused = await post(account, `/invoices/${drafts[0]}/issue`, "refused");
    expect([refused.status, JSON.parse(textOf(refused)).error.code]).toEqual([
      409,
      "CUSTOMER_INACTIVE",
    ]);
    expect(await issuedOf(account)).toBe(0);
  });

  it("is credited, and sent again", async () => {
    const { account, drafts } = await openWithDrafts(1, "credit@client.example");
    const issued = await account.ask(`POST /invoices/${drafts[0]}/issue`);
    expect(issued.status).toBe(200);
    const credit = {
      invoice: drafts[0],
      kind: "full",
      external_id: "1",
      credit_date: "2026-01-31",
    };
    const credited = await account.ask("POST /credit-notes", credit);
    expect(credited.status).toBe(201);
    const repeated = await account.ask("POST /credit-notes", credit);
    expect([repeated.status, JSON.parse(textOf(repeated)).id]).toEqual([
      200,
      JSON.parse(textOf(credited)).id,
    ]);
    expect((await account.ask(`POST /invoices/${drafts[0]}/send`, {})).status).toBe(200);
    expect(await issuedOf(account)).toBe(2);
    expect(await mailsTo("credit@client.example")).toBe(3);
  });

  it("is issued with a period of a series", async () => {
    const account = await accounts.open();
    const id = await account.series("2026-01-05", 150);
    const path = `POST /recurring-series/${id}/occurrences/2026-01-05/issue`;
    const issued = await account.ask(path);
    expect([issued.status, JSON.parse(textOf(issued)).lines.length]).toEqual([200, 150]);
    expect((await account.ask(path)).status).toBe(409);
    expect(await issuedOf(account)).toBe(1);
  });

  it("is planned and committed by an assistant", async () => {
    const { account, drafts } = await openWithDrafts(1, "plan@client.example");
    const world = { ...accounts.world, origin: accounts.program.origin };
    const agent: Agent = await agentOf(world, { role: "admin", account_id: account.id });
    const { plan_id } = await agent.done("plan_issue_invoice", { invoice: drafts[0] });
    expect(await issuedOf(account)).toBe(0);
    const { resource, delivery } = await agent.done("commit", { plan_id });
    expect([resource.status, delivery.state]).toEqual(["issued", "written_to_outbox"]);
    expect(await agent.refused("commit", { plan_id })).toBe("PLAN_ALREADY_COMMITTED");
    expect(await issuedOf(account)).toBe(1);
    expect(await mailsTo("plan@client.example")).toBe(1);
  });
});

/** A draft of one line by hours, with so much work on it that a specification lists sums by day. */
async function openWorked(
  fields: Readonly<Record<string, boolean>>,
): Promise<{ readonly account: Account; readonly id: string }> {
  const account = await accounts.open();
  const { world } = accounts;
  const { customer_id, product_id, key, admin } = account;
  await world.done(`PATCH /customers/${customer_id}`, { email: "hours@client.example" }, key);
  const line = { product_id, recognition_method: "hours", hourly_rate: 1000 };
  const draft = await world.done("POST /invoices", { customer_id, lines: [line], ...fields }, key);
  await world.sql(
    `insert into work_registrations (account_id, id, line_id, invoice_id, user_id, date, hours, billable, note, status,
       created_at, updated_at)
     select $1, gen_random_uuid(), $2, $3, $4, current_date - n, 100, true, 'Entry ' || n, 'open', now(), now()
     from generate_series(1, ${WORKED}) n`,
    [account.id, draft.lines[0].id, draft.id, admin.user_id],
  );
  return { account, id: draft.id };
}

const WORKED = 1_500;
const MOST_WAIT_MS = 250;

describe.runIf(is_counted)("a line with many registrations (needs /proc)", () => {
  it.each([
    { hours_specification: false, auto_send: false },
    { hours_specification: true, auto_send: false },
    { hours_specification: false, auto_send: true },
    { hours_specification: true, auto_send: true },
  ])("is issued while another account is served: %j", TRIED_AGAIN, async (fields) => {
    const { account, id } = await openWorked(fields);
    const { program } = accounts;
    const { result, longest_wait } = await besideSmallRequests(program, light, () =>
      account.ask(`POST /invoices/${id}/issue`),
    );
    expect(result.status).toBe(200);
    expect(longest_wait).toBeLessThan(MOST_WAIT_MS);
    expect(await issuedOf(account)).toBe(1);
    const { result: sent, longest_wait: again } = await besideSmallRequests(program, light, () =>
      account.ask(`POST /invoices/${id}/send`, {}),
    );
    expect(sent.status).toBe(200);
    expect(again).toBeLessThan(MOST_WAIT_MS);
  });

  it.each([
    { hours_specification: true, auto_send: false },
    { hours_specification: true, auto_send: true },
  ])(
    "is issued and sent from a page while another account is served: %j",
    TRIED_AGAIN,
    async (fields) => {
      const { account, id } = await openWorked(fields);
      const { program } = accounts;
      const { browser } = await adminOf(accounts, account);
      const shown = await besideSmallRequests(program, light, () =>
        browser.get(`/invoices/${id}/issue`),
      );
      expect(shown.longest_wait).toBeLessThan(MOST_WAIT_MS);
      const issued = await besideSmallRequests(program, light, () =>
        browser.submit(shown.result, `/invoices/${id}/issue`, {}),
      );
      expect(issued.result.location).toBe(`/invoices/${id}`);
      expect(issued.longest_wait).toBeLessThan(MOST_WAIT_MS);
      expect(await issuedOf(account)).toBe(1);
      const page = await browser.get(`/invoices/${id}/send`);
      const sent = await besideSmallRequests(program, light, () =>
        browser.submit(page, `/invoices/${id}/send`, {}),
      );
      expect(sent.result.status).toBe(303);
      expect(sent.longest_wait).toBeLessThan(MOST_WAIT_MS);
    },
  );
});
