/** The queue of bookings in a connected ledger as a page: asking again, adopting and releasing, by admins in person. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser, PageReply } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { refusal } from "../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../test/support/ledger/external-ledger.ts";
import { found, offBy1, steps } from "../../../test/support/ledger/scripted-ledger.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";

const { world, ledger, draft, issue, show, intentOf, expectIssuedOnce } = useExternalLedger();
const QUEUE = "/ledger/queue";
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

/** The text of a page without its markup. */
const textOf = ({ html }: PageReply): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

/** A draft whose booking is left to a person, and the address of that booking. */
async function parked(): Promise<{ readonly id: string; readonly path: string }> {
  const id = await draft();
  ledger.onBook(offBy1("gross"));
  ledger.onFind(found(offBy1("gross")));
  expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");
  return { id, path: `${QUEUE}/${(await intentOf(id))?.id}` };
}

const post = async (path: string, fields: Readonly<Record<string, string>>) =>
  admin.submit(await admin.get(path), path, fields);
const askAgain = async (path: string) => admin.submit(await admin.get(QUEUE), `${path}/retry`, {});

describe("the queue", () => {
  it("is empty when everything is booked", async () => {
    expect(textOf(await admin.get(QUEUE))).toContain("Nothing waits");
    expect((await admin.get("/today")).html).not.toContain("in doubt");
  });

  it("shows what waits, why, and since when, and counts what is in doubt in the navigation", async () => {
    const { id } = await parked();
    const waiting = await draft();
    ledger.onBook(steps.unknown, steps.unknown, steps.unknown);
    expect(refusal(await issue(waiting))).toBe(UNAVAILABLE);
    const page = await admin.get(QUEUE);
    const text = textOf(page);
    expect(text).toMatch(/Invoice for Acme A\/S State In doubt The ledger has another total\./);
    expect(text).toContain("State No answer yet");
    expect(page.html).toContain(`href="/invoices/${id}"`);
    expect(page.html).toContain(`href="/invoices/${waiting}"`);
    expect(text).toContain("Ledger 1 booking in doubt");
    const danish = textOf(await admin.get(QUEUE, { "accept-language": "da" }));
    expect(danish).toContain("Faktura til Acme A/S");
    expect(danish).toContain("Bogholderiet har et andet beløb.");
    expect(danish).toContain("Bogholderi 1 bogføring i tvivl");
  });

  it("is for admins alone, who are not API keys", async () => {
    const { path } = await parked();
    for (const one of [QUEUE, `${path}/adopt`, `${path}/release`]) {
      expect((await standard.get(one)).status).toBe(404);
    }
    expect((await standard.post(`${path}/retry`, {})).status).toBe(400);
    expect(textOf(await standard.get("/today"))).not.toContain("in doubt");
  });

  it("takes at most 12 statements", async () => {
    await parked();
    expect(await statementsOf(() => admin.get(QUEUE))).toBeLessThanOrEqual(13);
  });
});

describe("a booking in doubt", () => {
  it("ends when the ledger is asked again and has the right data", async () => {
    const { id, path } = await parked();
    const { status, location } = await askAgain(path);
    expect({ status, location }).toEqual({ status: 303, location: QUEUE });
    await expectIssuedOnce(id);
    expect((await admin.get(`${path}/adopt`)).status).toBe(404);
  });

  it("is adopted under its id and number in the ledger, with a reason", async () => {
    const { id, path } = await parked();
    const adopt = `${path}/adopt`;
    const booked = { "adopt.ledger_id": "L77", "adopt.number": "7701", reason: "Seen there" };
    const refused = await post(adopt, { ...booked, "adopt.number": "0", reason: "" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('value="L77"');
    expect(refused.html).toContain("adopt.number-fault");
    expect(refused.html).toContain("reason-fault");
    const of_year = await post(adopt, { ...booked, "adopt.year": "2026" });
    expect(of_year.html).toContain("adopt.year-fault");
    expect((await post(adopt, { ...booked, "adopt.year": "" })).location).toBe(QUEUE);
    expect(await show(id)).toMatchObject({ status: "issued", ledger_invoice_number: 7701 });
    const { data } = await world.done("GET /audit-events?limit=20");
    const user = { kind: "user", id: world.account.admin.user_id };
    expect(data).toContainEqual(
      expect.objectContaining({ action: "booking_adopted", reason: "Seen there", actor: user }),
    );
  });

  it("is refused under the number of another document", async () => {
    const { path } = await parked();
    const booked = { "adopt.ledger_id": "L78", "adopt.number": "7701", "adopt.year": "" };
    const refused = await post(`${path}/adopt`, { ...booked, reason: "Seen there" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("adopt.number-fault");
  });

  it("is let go after two searches that found nothing", async () => {
    const { id, path } = await parked();
    const letGo = () => post(`${path}/release`, { reason: "Deleted there" });
    const early = await letGo();
    expect(textOf(early)).toContain("the ledger must have been searched twice");
    expect(early.html).toContain('value="Deleted there"');
    ledger.onFind(found(offBy1("gross")));
    await askAgain(path);
    const booked = await letGo();
    expect(booked.status).toBe(422);
    expect(textOf(booked)).toContain("The ledger had booked it at the last check.");
    ledger.onFind(async () => ({ state: "absent" }));
    await askAgain(path);
    expect((await letGo()).location).toBe(QUEUE);
    expect(await show(id)).toMatchObject({ status: "draft" });
    expect((await post(`${path}/release`, {}).catch(() => null))?.status ?? 404).toBe(404);
  });
});
