/** The link in the mail of a document: one token for each delivery, drawn for each attempt, and stored nowhere else. */
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { useMailWorld } from "../../../../test/support/mail/mail-world.ts";
import { closedPort } from "../../../../test/support/mail/smtp-servers.ts";
import { sendDueDeliveries, settleAbandonedDeliveries } from "./run-due.ts";

const ORIGIN = "https://books.example";
const world = useMailWorld(ORIGIN);

const LINK = /href="https:\/\/books\.example\/d\/([\w-]{43})"/;

async function tokenIn(bytes: Buffer | undefined): Promise<string> {
  const mail = await PostalMime.parse(bytes ?? "");
  return LINK.exec(mail.html ?? "")?.[1] ?? "";
}

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${world.origin}/d/${token}`)).status;

describe("the mail of a document", () => {
  it("has one link, in its HTML part alone, which opens the document", async () => {
    const received = await world.useServer();
    const { id } = await world.issued("ap@acme.example");
    const token = await tokenIn(received[0]);
    expect(await statusOf(token)).toBe(200);
    const mail = await PostalMime.parse(received[0] ?? "");
    expect(mail.text).not.toContain("/d/");
    expect(received[0]?.toString("latin1").split("books.example/d/")).toHaveLength(2);
    const pdf = await fetch(`${world.origin}/d/${token}/pdf`);
    const { body } = await world.rest(`GET /invoices/${id}/pdf`);
    expect(Buffer.from(await pdf.arrayBuffer()).equals(body)).toBe(true);
  });

  it("leaves no usable token in any table", async () => {
    const received = await world.useServer();
    await world.issued("ap@acme.example");
    const token = await tokenIn(received[0]);
    const hex = Buffer.from(token).toString("hex");
    const tables = await world.sql(
      "select table_name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(40);
    for (const { table_name } of tables) {
      const found = await world.sql(
        `select 1 from "${table_name}" t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
        [token, hex],
      );
      expect([table_name, found]).toEqual([table_name, []]);
    }
  });

  it("is the same message at each attempt but for the token, and only the last token opens", async () => {
    const received = await world.useServer();
    const { delivery } = await world.issued("451-data@acme.example");
    await world.letTimePass(delivery.id);
    expect(await sendDueDeliveries(world.services)).toBe(1);
    const tokens = [await tokenIn(received[0]), await tokenIn(received[1])] as const;
    expect(tokens[0]).not.toBe(tokens[1]);
    const without = (at: 0 | 1) => received[at]?.toString("latin1").replace(tokens[at], "");
    expect(without(0)).toBe(without(1));
    expect([await statusOf(tokens[0]), await statusOf(tokens[1])]).toEqual([404, 200]);
    const stored = await world.rowOf(delivery.id);
    expect(stored.message.includes(`/d/~${delivery.id}~`)).toBe(true);
  });

  it("leaves once when the process that queued it has died, with a link", async () => {
    const received = await world.useServer();
    const id = await world.queueInDyingProcess();
    expect((await world.rowOf(id)).link_hash).toBeNull();
    await world.letTimePass(id);
    await sendDueDeliveries(world.services);
    expect(received).toHaveLength(1);
    expect(await statusOf(await tokenIn(received[0]))).toBe(200);
  });

  it("keeps its link when the process died while it was sending, because it may have arrived", async () => {
    const received = await world.useServer();
    const { delivery } = await world.issued("ap@acme.example");
    await world.sql("update deliveries set state = 'sending' where id = $1", [delivery.id]);
    await world.sql(
      "update deliveries set lease_until = clock_timestamp() - interval '1 second' where id = $1",
      [delivery.id],
    );
    expect(await settleAbandonedDeliveries(world.services)).toBe(1);
    expect((await world.rowOf(delivery.id)).state).toBe("unknown");
    expect(await statusOf(await tokenIn(received[0]))).toBe(200);
  });

  it("has a link that never opens if its links are revoked while it waits", async () => {
    await world.useMail(await closedPort());
    const { delivery } = await world.issued("ap@acme.example");
    await world.sql("update deliveries set link_revoked_at = now() where id = $1", [delivery.id]);
    const received = await world.useServer();
    await world.letTimePass(delivery.id);
    await sendDueDeliveries(world.services);
    expect(await statusOf(await tokenIn(received[0]))).toBe(404);
  });

  it("has no button when the account has turned links off", async () => {
    const { keys } = await world.openAnother();
    await world.done("PATCH /configuration", { document_links: false }, keys.read_write);
    const received = await world.useServer();
    await world.issued("ap@acme.example", {}, keys.read_write);
    expect(received).toHaveLength(1);
    expect((await PostalMime.parse(received[0] ?? "")).html).not.toContain("href=");
  });
});
