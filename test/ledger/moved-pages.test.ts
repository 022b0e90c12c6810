/**
 * What pages offer to record after the books have moved to Dinero, and back: payments of what the built-in ledger booked, and of nothing that
 * Dinero booked. Dinero is a simulation.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../support/browser/browser.ts";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { DINERO_ROWS, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({
  knows_origin: true,
  environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" },
});
const FORM = "/payments/new";
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let account: Awaited<ReturnType<typeof openMoving>>;
let admin: Browser;
/** Invoices of the built-in ledger, a credit note and a payment of them, and an invoice of Dinero. */
let early: Json;
let note: Json;
let payment: Json;
let late: Json;

async function signIn(): Promise<void> {
  const [{ email }] = await world.sql(
    "select email from users where account_id = $1 and email like 'admin-%'",
    [account.account_id],
  );
  admin = openBrowser(world);
  await admin.signIn(email, openConsent(world).password);
}

beforeAll(async () => {
  simulation = await openDineroSimulation();
  account = await openMoving(world, "2026-03-10");
  const { studio, done } = account;
  early = await studio.issued([
    studio.value(1_000),
    studio.service(1_200, "2026-03-01", "2027-02-28"),
  ]);
  const other = await studio.issued([studio.value(400)]);
  payment = await done("POST /payments", {
    ...{ external_id: "other", date: "2026-03-10", amount: 500 },
    allocations: [{ invoice: other.id }],
  });
  note = await done("POST /credit-notes", {
    ...{ invoice: other.id, external_id: "other", kind: "full", credit_date: "2026-03-10" },
  });
  await studio.closed("2026-02");
  studio.at("2026-04-05");
  await studio.closed("2026-03");
  const given = await organisationOf(simulation, 270_200);
  await account.move({ to: "dinero", given, pairs: DINERO_ROWS, opening: "55000" });
  late = await studio.issued([studio.value(2_000)]);
  await world.sql("update ledger_items set next_read_at = clock_timestamp()");
  await account.work();
  await signIn();
});
afterAll(() => simulation?.close());

const tab = () => admin.get(`/customers/${account.studio.customer}?tab=account`);

/** Types into the form of a payment, and records what it shows. */
async function recorded(query: string, fields: Record<string, string>) {
  const shown = await admin.submit(await admin.get(`${FORM}?${query}`), FORM, {
    ...fields,
    step: "show",
  });
  return admin.submit(shown, FORM, { ...fields, step: "record" });
}

describe("books that have moved to Dinero", () => {
  it("offer payments of what was booked here, and say where the others are", async () => {
    expect((await admin.get(`/invoices/${early.id}`)).html).toContain(
      `${FORM}?invoice=${early.id}`,
    );
    expect((await admin.get(`/invoices/${late.id}`)).html).not.toContain(FORM);
    const list = await admin.get("/payments");
    expect(list.html).toContain(`href="${FORM}"`);
    expect(textOf(list)).toContain("Payments of what Dinero booked are recorded there");
    const danish = await admin.get("/receivables", { "accept-language": "da" });
    expect(textOf(danish)).toContain("Betalinger af det, Dinero har bogført, registreres dér");
    const { html } = await tab();
    expect(html).toContain(`${FORM}?customer=${account.studio.customer}`);
    expect(html).toContain(`/allocations/new?credit_note=${note.id}`);
    expect(html).toContain(`/invoices/${late.id}`);
    const credit = await admin.get(`/credit-notes/${note.id}`);
    expect(credit.html).toContain(`${FORM}?credit_note=${note.id}`);
  });

  it("count what both ledgers have on the start page", async () => {
    const { functional } = await account.done("GET /receivables/summary");
    expect(functional).toMatchObject({ total: 5_250, credit_notes: 500 });
    const today = textOf(await admin.get("/today"));
    expect(today).toMatch(/Owed to you .*DKK 5,250\.00 +Of which DKK 2,750\.00 is late/);
    expect(today).toContain("Acme A/S has credit that waits Since 10 March.");
  });

  it("refuse the form of a payment of what Dinero booked", async () => {
    const of_late = await admin.get(`${FORM}?invoice=${late.id}`);
    expect([of_late.status, textOf(of_late)]).toEqual([
      409,
      expect.stringContaining("recorded in the connected"),
    ]);
    const { html } = await admin.get(`${FORM}?customer=${account.studio.customer}`);
    expect(html).toContain(`item.${early.id}`);
    expect(html).not.toContain(late.id);
    const { id } = await account.done("POST /customers", { name: "Owes nothing ApS" });
    expect((await admin.get(`${FORM}?customer=${id}`)).status).toBe(409);
    expect((await admin.get(`/customers/${id}?tab=account`)).html).not.toContain(FORM);
  });

  it("record a payment, use a credit, and take both back", async () => {
    const fields = { date: "5/4", amount: "700", [`item.${early.id}`]: "on" };
    const made = await recorded(`invoice=${early.id}`, fields);
    expect(made.status).toBe(303);
    const page = await admin.get(made.location ?? "");
    expect(page.html).toContain(`${made.location}/take-back`);
    const form = await admin.get(`${made.location}/take-back`);
    const taken = await admin.submit(form, `${made.location}/take-back`, {
      reason: "Not theirs",
      date: "5/4",
    });
    expect(taken.headers.get("set-cookie")).toContain("reversed");
    const use = `/allocations/new?credit_note=${note.id}&item=${early.id}`;
    const shown = await admin.get(use);
    expect(shown.status).toBe(200);
    const used = await admin.submit(shown, use, {});
    expect(used.headers.get("set-cookie")).toContain("credit_used");
    const { html } = await admin.get(`/invoices/${early.id}`);
    const [, take_back = ""] = /href="(\/allocations\/[^"]+\/take-back)"/.exec(html) ?? [];
    const undone = await admin.submit(await admin.get(take_back), take_back, {
      reason: "Not this one",
      date: "5/4",
    });
    expect(undone.headers.get("set-cookie")).toContain("reversed");
    const earlier = await admin.get(`/payments/${payment.id}`);
    expect(earlier.html).toContain(`/payments/${payment.id}/take-back`);
  });

  it("offer no payment once everything of here is paid", async () => {
    const fields = {
      date: "5/4",
      amount: "2,250.00",
      [`item.${early.id}`]: "on",
      [`credit.${note.id}`]: "on",
    };
    expect((await recorded(`customer=${account.studio.customer}`, fields)).status).toBe(303);
    expect((await tab()).html).not.toContain(FORM);
    const paid = await admin.get(`${FORM}?invoice=${early.id}`);
    expect([paid.status, paid.location]).toEqual([303, `/invoices/${early.id}`]);
    const list = await admin.get("/payments");
    expect(list.html).not.toContain(`href="${FORM}"`);
    expect(textOf(list)).toContain("Payments are recorded in Dinero and only read here");
  });
});

describe("books that have moved back", () => {
  beforeAll(async () => {
    const { studio } = account;
    studio.at("2026-05-06");
    await studio.closed("2026-04");
    await account.work();
    await account.move({ to: "builtin", opening: "6950" });
    await signIn();
  });

  it("offer no payment of what Dinero booked", async () => {
    const { html: invoice } = await admin.get(`/invoices/${late.id}`);
    // Reminders list what the present ledger booked.
    expect(invoice).not.toContain(FORM);
    expect(invoice).not.toContain("/reminder-hold");
    expect((await admin.get(`${FORM}?invoice=${late.id}`)).status).toBe(409);
    const { html } = await tab();
    expect(html).toContain(`${FORM}?customer=`);
    expect(html).not.toContain(`/invoices/${late.id}`);
    expect((await admin.get("/payments")).html).toContain(`href="${FORM}"`);
  });
});
