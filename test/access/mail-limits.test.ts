/**
 * How much mail an account may send within an hour. A request beyond the limit is refused before it does anything, mail from an
 * issue or the scheduler waits, and a person who forgot their password sees no difference.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { createUser } from "../../src/features/access/people/save.ts";
import { removeExpired } from "../../src/features/access/sign-in/clean.ts";
import { sendDueDeliveries } from "../../src/features/documents/deliveries/run-due.ts";
import { noteSendError } from "../../src/features/sales/credit-notes/bookable.ts";
import { run } from "../../src/platform/commands/command.ts";
import { openBrowser } from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import type { Reply } from "../support/world/world.ts";
import { useWorld } from "../support/world/world.ts";

/** 3 invitations and links, 2 sendings of one document, 6 messages in all. */
const environment = { MATCHBOOK_MAIL_LIMITS: "3:2:6" };

const world = useWorld({ knows_origin: true, environment });
const customer = world.made("POST /customers", { name: "Acme", email: "ap@acme.example" });
const product = world.made("POST /products", { name: "Hours", default_price: 100 });
beforeEach(() => world.sql("delete from mail_counters"));

const passAnHour = () => world.sql("update mail_counters set ends_at = now()");
const sent = async () => (await world.mails()).length;

let count = 0;
function invite(more: object = {}): Promise<Reply> {
  count += 1;
  return world.rest("POST /users", { name: "Ida", email: `ida-${count}@x.example`, ...more });
}

async function issued(): Promise<string> {
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id: customer.id, lines, auto_send: true };
  const { id } = await world.done("POST /invoices", body);
  await world.done(`POST /invoices/${id}/issue`);
  return id;
}

const deliveriesOf = async (id: string) =>
  (await world.done(`GET /invoices/${id}/deliveries`)).data;
const send = (id: string) => world.rest(`POST /invoices/${id}/send`);

async function sendDue(): Promise<void> {
  await world.sql("update deliveries set next_attempt_at = now() where state = 'queued'");
  await sendDueDeliveries(world.services, noteSendError);
}

function refusalOf({ status, body, headers }: Reply) {
  return [status, body.error?.code, Number(headers.get("retry-after")) > 3500];
}

describe("invitations", () => {
  it("beyond the limit are 429 with Retry-After, and create nothing", async () => {
    for (let index = 0; index < 3; index += 1) expect((await invite()).status).toBe(201);
    const before = [await sent(), await world.sql("select count(*) from users")];
    const reply = await invite();
    expect(refusalOf(reply)).toEqual([429, "RATE_LIMITED", true]);
    expect(reply.body.error.message).toBe(
      "At most 3 invitations and links for a new password are sent in an hour. Try again in 60 minutes.",
    );
    expect([await sent(), await world.sql("select count(*) from users")]).toEqual(before);
    await passAnHour();
    expect((await invite()).status).toBe(201);
  });

  it("are counted one by one when they arrive in parallel", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => invite()));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
  });

  it("to a user's new address count, and a refused one leaves the user unchanged", async () => {
    const { body } = await invite();
    const move = (email: string) => world.rest(`PATCH /users/${body.id}`, { email });
    expect((await move("b@x.example")).status).toBe(200);
    expect((await move("c@x.example")).status).toBe(200);
    expect(refusalOf(await move("d@x.example"))).toEqual([429, "RATE_LIMITED", true]);
    expect((await world.done(`GET /users/${body.id}`)).email).toBe("c@x.example");
    expect((await world.rest(`PATCH /users/${body.id}`, { name: "Ida Holm" })).status).toBe(200);
  });

  it("that repeat an earlier one, or are refused for another reason, do not count", async () => {
    const { body } = await invite({ external_id: "ida" });
    for (let index = 0; index < 4; index += 1) {
      const repeat = { external_id: "ida", email: body.email };
      expect((await invite(repeat)).status).toBe(200);
      expect((await invite({ email: body.email })).status).toBe(409);
    }
    expect((await invite()).status).toBe(201);
  });

  it("of one account do not count for another, and those of the operator are never refused", async () => {
    for (let index = 0; index < 3; index += 1) await invite();
    const other = await world.openAnother();
    const user = { name: "Bo", email: "bo@other.example" };
    expect((await world.rest("POST /users", user, other.keys.read_write)).status).toBe(201);
    const cx = await operatorContext(world.services, world.account.account_id);
    const role = "standard";
    const { created } = await run(createUser, cx, { ...user, role });
    expect(created).toBe(true);
  });
});

describe("messages with one document", () => {
  it("beyond the limit are 429 before a delivery is queued; the one at its issue counts", async () => {
    const id = await issued();
    expect((await send(id)).status).toBe(200);
    const reply = await send(id);
    expect(refusalOf(reply)).toEqual([429, "RATE_LIMITED", true]);
    expect(await deliveriesOf(id)).toHaveLength(2);
    expect((await send(await issued())).status).toBe(200);
  });

  it("to a customer without an address do not count", async () => {
    const unknown_one = await world.done("POST /customers", { name: "Without address" });
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const { id } = await world.done("POST /invoices", { customer_id: unknown_one.id, lines });
    await world.done(`POST /invoices/${id}/issue`);
    for (let index = 0; index < 4; index += 1) {
      expect((await send(id)).body.state).toBe("failed_permanent");
    }
  });

  it("count once, however often a failed one is retried", async () => {
    const id = await issued();
    const [{ id: delivery_id }] = await deliveriesOf(id);
    for (let index = 0; index < 4; index += 1) {
      await world.sql("update deliveries set state = 'queued', lease_until = null where id = $1", [
        delivery_id,
      ]);
      await sendDue();
      expect((await deliveriesOf(id))[0].state).toBe("written_to_outbox");
    }
    expect((await send(id)).status).toBe(200);
  });
});

describe("all mail of an account", () => {
  const useUp = async () => {
    for (let index = 0; index < 6; index += 1) await issued();
  };

  it("waits beyond the limit when an issue sends it, and the invoice is booked", async () => {
    await useUp();
    const before = await sent();
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const body = { customer_id: customer.id, lines, auto_send: true };
    const { id } = await world.done("POST /invoices", body);
    const reply = await world.done(`POST /invoices/${id}/issue`);
    expect([reply.status, reply.send_error]).toEqual([
      "issued",
      "The document has not been sent yet; it will be tried again.",
    ]);
    expect(await deliveriesOf(id)).toMatchObject([{ state: "queued", send_error: null }]);
    await sendDue();
    expect([await sent(), (await deliveriesOf(id))[0].state]).toEqual([before, "queued"]);

    await passAnHour();
    await sendDue();
    expect([await sent(), (await deliveriesOf(id))[0].state]).toEqual([
      before + 1,
      "written_to_outbox",
    ]);
  });

  it("is not retried before the limit allows it", async () => {
    await useUp();
    const id = await issued();
    const [row] = await world.sql(
      `select attempt, next_attempt_at > now() + interval '50 minutes' as waits from deliveries
       where document_id = $1`,
      [id],
    );
    expect(row).toEqual({ attempt: 0, waits: true });
  });

  it("beyond the limit is reported on its credit note until it is sent", async () => {
    const id = await issued();
    await world.sql("update mail_counters set count = 6 where subject = 'all'");
    const credit = { external_id: `c-${id}`, invoice: id, kind: "full", credit_date: "2026-03-10" };
    const note = await world.rest("POST /credit-notes", credit);
    const waits = "The document has not been sent yet; it will be tried again.";
    expect([note.status, note.body.send_error]).toEqual([200, waits]);
    const read = () => world.done(`GET /credit-notes/${note.body.id}`);
    expect((await read()).send_error).toBe(waits);
    await passAnHour();
    await sendDue();
    expect((await read()).send_error).toBeNull();
  });

  it("beyond the limit is refused when a caller requests it", async () => {
    const id = await issued();
    await world.sql("update mail_counters set count = 6 where subject = 'all'");
    expect(refusalOf(await send(id))).toEqual([429, "RATE_LIMITED", true]);
    expect(refusalOf(await invite())).toEqual([429, "RATE_LIMITED", true]);
  });

  it("is no longer counted after an hour", async () => {
    await useUp();
    await removeExpired(world.services);
    expect(await world.sql("select 1 from mail_counters")).not.toEqual([]);
    await passAnHour();
    await removeExpired(world.services);
    expect(await world.sql("select 1 from mail_counters")).toEqual([]);
  });
});

describe("a link for a new password", () => {
  /** The answer to a stranger who forgot a password; resolves when the mail, if any, has left. */
  async function forget(email: string): Promise<unknown> {
    await world.sql("delete from rate_counters");
    const browser = openBrowser(world);
    const page = await browser.get("/forgot-password");
    const reply = await browser.submit(page, "/forgot-password", { email });
    return [reply.status, reply.location];
  }
  const lastTo = async (email: string) =>
    (await world.mails()).filter(({ to }) => to?.[0]?.address === email).length;
  const SENT = [303, "/forgot-password/sent"];

  it("beyond the limit is not sent, and the answer is the same", async () => {
    const { email } = world.account.admin;
    for (let index = 1; index <= 3; index += 1) {
      expect(await forget(email)).toEqual(SENT);
      await expect.poll(() => lastTo(email)).toBe(index);
    }
    const { body } = await world.rest("GET /users?limit=1");
    expect(body.data).toHaveLength(1);
    expect(await forget(email)).toEqual(SENT);
    expect(await forget("unknown@x.example")).toEqual(SENT);
    expect(refusalOf(await invite())).toEqual([429, "RATE_LIMITED", true]);
    expect(await lastTo(email)).toBe(3);
    const rows = await world.sql("select count from mail_counters where subject = 'people'");
    expect(rows).toEqual([{ count: 3 }]);
  });

  it("is sent if another account of the same user is below its limit", async () => {
    const other = await world.openAnother();
    const { email } = world.account.admin;
    const oauth = openConsent(world);
    const user = { name: "Admin", email };
    const links = async () =>
      (await world.mails()).flatMap(({ text }) => /\/invitation\S+/.exec(text ?? "") ?? []);
    const known = await links();
    await world.done("POST /users", user, other.keys.read_write);
    const [link = ""] = (await links()).filter((one) => !known.includes(one));
    const browser = await oauth.signedInAdmin();
    await browser.submit(await browser.get(link), link, {});
    const before = await lastTo(email);
    await world.sql(
      "insert into mail_counters values ($1, 'people', 3, now() + interval '1 hour')",
      [world.account.account_id],
    );
    expect(await forget(email)).toEqual(SENT);
    await expect.poll(() => lastTo(email)).toBe(before + 1);
  });
});
