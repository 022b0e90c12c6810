/** The pages of payments where a connected ledger records them. Dinero is a simulation. */
import { beforeAll, expect, it } from "vitest";
import { type Browser, textOf } from "../../../test/support/browser/browser.ts";
import { useDineroWorld } from "../../../test/support/ledger/dinero/world.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";

const { world } = useDineroWorld({ knows_origin: true });
let admin: Browser;
beforeAll(async () => {
  admin = await openConsent(world).signedInAdmin();
});

it("say where payments are recorded, and offer nothing to record", async () => {
  const page = await admin.get("/payments");
  expect(textOf(page)).toContain("Payments are recorded in Dinero and only read here");
  expect(page.html).not.toContain('href="/payments/new"');
  const refused = await admin.get("/payments/new");
  expect([refused.status, textOf(refused)]).toEqual([
    409,
    expect.stringContaining("recorded in the connected"),
  ]);
});
