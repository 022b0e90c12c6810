/** The page of one attempt to send a document: what happened, and what a person says became of it. For admins. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, issued } = useSales({ knows_origin: true });
const oauth = openConsent(world);
let admin: Browser;
beforeAll(async () => {
  admin = await oauth.signedInAdmin();
});

async function sent(): Promise<Json> {
  const { id } = await issued([2000], { auto_send: true });
  return (await world.done(`GET /invoices/${id}/deliveries`)).data[0];
}

const resolve = async (id: string, fields: Record<string, string>) => {
  const page = await admin.get(`/deliveries/${id}`);
  return admin.submit(page, `/deliveries/${id}/resolve`, fields);
};

describe("the page of a delivery", () => {
  it("shows what happened in order, and the document leads to it", async () => {
    const { id, document_id, address } = await sent();
    const { html } = await admin.get(`/invoices/${document_id}`);
    expect(html).toContain(`href="/deliveries/${id}"`);
    const text = textOf(await admin.get(`/deliveries/${id}`));
    expect(text).toMatch(/Queued Matchbook .* Handed over Matchbook/);
    expect(text).toContain(`To ${address}`);
  });

  it("takes what a person knows, with the reason", async () => {
    const { id } = await sent();
    await resolve(id, { outcome: "delivered", reason: "They called." });
    const text = textOf(await admin.get(`/deliveries/${id}`));
    expect(text).toContain("Settled by a person");
    expect(text).toContain("They called.");
    expect(text).not.toContain("Do you know what became of it?");
    expect((await world.done(`GET /deliveries/${id}`)).state).toBe("delivered");
  });

  it("keeps what was typed where the reason is missing", async () => {
    const { id } = await sent();
    const page = await resolve(id, { outcome: "not_delivered", reason: " " });
    expect(page.status).toBe(422);
    expect(page.html).toContain('<option value="not_delivered" selected');
    expect((await world.done(`GET /deliveries/${id}`)).state).toBe("written_to_outbox");
  });

  it("shows the buyer's answer in words", async () => {
    const { id } = await sent();
    const response = {
      code: "RE",
      at: "2026-03-11T09:00:00.000Z",
      reasons: [{ code: "REF", text: "No order" }],
      wants: ["NIN"],
      conditions: [{ term: "BT-13", value: "PO0001" }],
      note: "Sorry",
    };
    await world.sql("update deliveries set response = $1 where id = $2", [
      JSON.stringify(response),
      id,
    ]);
    const text = textOf(await admin.get(`/deliveries/${id}`));
    expect(text).toContain("Why references: No order");
    expect(text).toContain("Asks for a new invoice");
    expect(text).toContain("Expects BT-13 PO0001");
    expect(text).toContain("The answer books, credits and pays nothing.");
  });

  it("is of its account and of admins alone", async () => {
    const { id } = await sent();
    const { browser } = await oauth.person();
    expect((await browser.get(`/deliveries/${id}`)).status).toBe(404);
    const unknown = "0190b6a0-0000-7000-8000-000000000000";
    expect((await admin.get(`/deliveries/${unknown}`)).status).toBe(404);
  });
});
