/** Invoices that would go out as e-invoices and cannot be made as such are not booked; everything else is booked as before. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentOf } from "../../../../test/support/mcp/mcp.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { connectAccount } from "../../documents/einvoice-connections/connect-account.ts";

const { world, line, active, run, at } = useSeries();
let dir: string;
let ministry: Json;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
  at("2027-01-01");
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  await world.done("PATCH /configuration", {
    seller: { ...seller, vat_number: "25313763", iban: "DK5000400440116243" },
  });
  ministry = await world.done("POST /customers", {
    name: "Ministeriet",
    send_method: "einvoice",
    ean_number: "5798009811578",
  });
});
afterAll(() => rm(dir, { recursive: true }));

const drafted = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", {
    customer_id: ministry.id,
    auto_send: true,
    lines: [line()],
    ...fields,
  });
const issue = (id: string) => world.rest(`POST /invoices/${id}/issue`);

const REFUSED = {
  code: "EINVOICE_INCOMPLETE",
  details: {
    missing: ["buyer_reference"],
    rules: [{ field: "buyer_reference", rule: "PEPPOL-EN16931-R003" }],
  },
};

it("is booked without a connection, and not sent", async () => {
  const { id } = await drafted();
  const { status, body } = await issue(id);
  expect([status, body.send_error]).toEqual([200, "e-invoice sending is not configured"]);
});

describe("with a connection, an invoice that no e-invoice can express", () => {
  beforeAll(async () =>
    connectAccount(await operatorContext(world.services, world.account.account_id), "folder", {
      path: dir,
    }),
  );

  it("is refused with the fields and the rules, stays a draft, and is booked when they are there", async () => {
    const { id } = await drafted();
    const { status, body } = await issue(id);
    expect([status, body.error]).toMatchObject([409, REFUSED]);
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({
      status: "draft",
      ledger_invoice_number: null,
    });
    await world.done(`PATCH /invoices/${id}`, { order_reference: "PO 1" });
    expect((await issue(id)).status).toBe(200);
  });

  it("is refused in a list, where the others are issued", async () => {
    const [bad, good] = [await drafted(), await drafted({ buyer_reference: "Ida" })];
    const { outcomes } = await world.done("POST /invoices/issue", {
      references: [bad.id, good.id],
    });
    expect(outcomes).toMatchObject([{ outcome: "refused", ...REFUSED }, { outcome: "issued" }]);
  });

  it("is refused in a plan of an assistant", async () => {
    const agent = await agentOf(world, { role: "admin" });
    const { id } = await drafted();
    const { data } = await agent.call("plan_issue_invoice", { invoice: id });
    expect(data).toMatchObject({ code: "EINVOICE_INCOMPLETE" });
  });

  it("fails a period of a series, whose own issue says why", async () => {
    const series = await active({ customer_id: ministry.id, auto_send: true });
    await run();
    const [first] = (await world.done(`GET /recurring-series/${series.id}/occurrences`)).data;
    expect(first.status).toBe("failed");
    const path = `/recurring-series/${series.id}/occurrences/${first.period}/issue`;
    expect((await world.rest(`POST ${path}`)).body.error).toMatchObject(REFUSED);
    await world.done(`POST /recurring-series/${series.id}/cancel`, { end_date: "2027-01-01" });
  });

  it("is booked where it is not sent when it is issued, and so is its credit note", async () => {
    const { id } = await drafted({ auto_send: false });
    expect((await issue(id)).status).toBe(200);
    const credit = { external_id: "c-1", invoice: id, kind: "full", credit_date: "2027-01-01" };
    expect((await world.rest("POST /credit-notes", credit)).status).toBe(201);
  });

  it("is booked where it goes by e-mail", async () => {
    const { id } = await drafted();
    await world.done(`PATCH /customers/${ministry.id}`, { send_method: "email" });
    const { status } = await issue(id);
    await world.done(`PATCH /customers/${ministry.id}`, { send_method: "einvoice" });
    expect(status).toBe(200);
  });
});
