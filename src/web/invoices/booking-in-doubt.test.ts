/** The pages of a document with an uncertain booking in an external ledger: its state and the next step. */
import { beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { refusal } from "../../../test/support/http/refusal.ts";
import { UNAVAILABLE, useExternalLedger } from "../../../test/support/ledger/external-ledger.ts";
import { found, offBy1, steps } from "../../../test/support/ledger/scripted-ledger.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";

const { world, ledger, draft, issue, expectIssuedOnce } = useExternalLedger();
let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

const IN_DOUBT = "The booking for Acme A/S is uncertain";

it("shows that the invoice is being issued, and offers the repetition on Today", async () => {
  const id = await draft();
  ledger.onBook(steps.unknown, steps.unknown, steps.unknown);
  expect(refusal(await issue(id))).toBe(UNAVAILABLE);
  expect((await admin.get(`/invoices/${id}`)).html).toContain("The invoice is being issued");
  await world.sql("update intents set created_at = created_at - interval '5 minutes'");
  const { html } = await admin.get("/today");
  expect(html).toContain("The ledger has not answered for Acme A/S");
  expect(html).toContain("The request was sent 5 minutes ago. Asking again never books twice.");
  expect(html).toContain('href="/ledger/queue"');
});

it("shows that the booking is uncertain until the ledger's data is corrected", async () => {
  const id = await draft();
  ledger.onBook(offBy1("gross"));
  ledger.onFind(found(offBy1("gross")));
  expect(refusal(await issue(id))).toBe("409 LEDGER_REJECTED");

  const page = await admin.get(`/invoices/${id}`);
  expect(page.html).toContain("The booking of this invoice is uncertain");
  expect(page.html).not.toContain("The invoice is being issued");
  expect((await admin.get("/today")).html).toContain(IN_DOUBT);
  const danish = await admin.get("/today", { "accept-language": "da" });
  expect(danish.html).toContain("Bogføringen for Acme A/S er usikker");

  const asked = await admin.get(`/invoices/${id}/issue`);
  await admin.submit(asked, `/invoices/${id}/issue`, {});
  await expectIssuedOnce(id);
  expect((await admin.get("/today")).html).not.toContain(IN_DOUBT);
});
