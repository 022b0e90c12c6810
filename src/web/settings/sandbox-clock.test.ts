/** The clock and the scheduler of a sandbox account on the page for developers. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { csrfToken } from "../../platform/security/sessions/csrf.ts";

const DEVELOPER = "/settings/developer";
const CLOCK = `${DEVELOPER}/clock`;
const SCHEDULER = `${DEVELOPER}/run-scheduler`;
const world = useWorld({ knows_origin: true });
let sandbox: Browser;
let keys: { readonly read_write: string };
beforeAll(async () => {
  const oauth = openConsent(world);
  await oauth.signedInAdmin();
  const other = await world.openAnother({ sandbox: true });
  keys = other.keys;
  sandbox = openBrowser(world);
  await sandbox.signIn(other.admin.email, oauth.password);
});

const clockNow = async () => (await world.done("GET /test-clock", undefined, keys.read_write)).now;
/** Posts the form of the clock with the fields; the token is the same for all its buttons. */
async function moved(fields: Readonly<Record<string, string>>) {
  const page = await sandbox.get(DEVELOPER);
  return sandbox.submit(page, CLOCK, fields);
}

describe("the sandbox clock", () => {
  it("moves by a day, by a month, and to a day, and never back", async () => {
    expect((await moved({ move: "set", date: "2027-01-31" })).location).toBe(DEVELOPER);
    expect(await clockNow()).toBe("2027-01-31T12:00:00.000Z");
    await moved({ move: "day" });
    expect(await clockNow()).toBe("2027-02-01T12:00:00.000Z");
    await moved({ move: "month" });
    expect(await clockNow()).toBe("2027-03-01T12:00:00.000Z");
    const back = await moved({ move: "set", date: "2027-01-01" });
    expect(back.status).toBe(422);
    expect(back.html).toMatch(/role="alert">[^<]+</);
    expect(await clockNow()).toBe("2027-03-01T12:00:00.000Z");
    expect((await moved({ move: "set", date: "soon" })).html).toContain('id="date-fault"');
  });

  it("lets the scheduler issue what is due, and says how much", async () => {
    const call = (route: string, body: object) => world.done(route, body, keys.read_write);
    const customer = await call("POST /customers", { name: "Sandbox ApS" });
    const product = await call("POST /products", { name: "Retainer", default_price: 100 });
    const series = await call("POST /recurring-series", {
      customer_id: customer.id,
      frequency: "monthly",
      start_date: "2027-03-01",
      lines: [{ product_id: product.id, recognition_method: "value" }],
    });
    await call(`POST /recurring-series/${series.id}/activate`, {});
    const page = await sandbox.get(DEVELOPER);
    const reply = await sandbox.submit(page, SCHEDULER, {});
    expect(reply.location).toBe(DEVELOPER);
    const cookie = decodeURIComponent(reply.headers.get("set-cookie") ?? "");
    expect(cookie).toContain('["scheduler_ran","1"]');
    const { data } = await world.done("GET /invoices?origin=all", undefined, keys.read_write);
    expect(data).toHaveLength(1);
  });

  it("is neither shown nor set outside of a sandbox", async () => {
    const admin = await openConsent(world).signedInAdmin();
    const { html } = await admin.get(DEVELOPER);
    expect(html).not.toContain('id="sandbox"');
    for (const path of [CLOCK, SCHEDULER]) {
      const csrf = csrfToken(admin.cookie() ?? "", path);
      const reply = await admin.post(path, { csrf, move: "day" });
      expect(reply.status).toBe(403);
    }
  });
});
