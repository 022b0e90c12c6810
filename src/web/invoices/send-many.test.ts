/** Sending several issued documents again: to the shown recipients, past refusals, with outcomes at an address of their own. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Browser } from "../../../test/support/browser/browser.ts";
import { statementsOf } from "../../../test/support/browser/statements.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const { world, issued, draft, fullCredit, credited } = useSales({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

const PATH = "/invoices/send";
type Ided = { readonly id: string };
const addressOf = (documents: readonly Ided[], tab = "issued") =>
  `${PATH}?tab=${tab}&${documents.map(({ id }) => `${id}=on`).join("&")}`;
const deliveriesOf = async ({ id }: Ided) =>
  (await world.done(`GET /invoices/${id}/deliveries`)).data;

describe("sending several documents again", () => {
  it("is offered to admins in the lists of issued documents", async () => {
    await issued([10]);
    const { html } = await admin.get("/invoices?tab=issued");
    expect(html).toContain(`formaction="${PATH}"`);
    expect((await standard.get("/invoices?tab=issued")).html).not.toContain(PATH);
    expect((await standard.get(PATH)).status).toBe(404);
    expect((await standard.get(`${PATH}/outcomes`)).status).toBe(404);
  });

  it("shows the recipient of each, sends to those that have one, and ends on a page with the outcomes", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Silent" });
    const one = await issued([100]);
    const silent = await issued([200], { customer_id });
    const other = await draft([300]);
    const page = await admin.get(addressOf([one, silent, other]), { "accept-language": "da" });
    for (const part of [
      "Send 2 dokumenter igen?",
      "ap@acme.example",
      "Kunden har ingen e-mailadresse.",
      `href="/customers/${customer_id}/edit#email"`,
      "Send det</button>",
    ])
      expect(page.html).toContain(part);
    expect(await deliveriesOf(one)).toEqual([]);
    expect(
      await statementsOf(() => admin.get(addressOf([one, silent, other]))),
    ).toBeLessThanOrEqual(13);
    const sent = await admin.submit(page, PATH, {});
    expect([sent.status, sent.location]).toEqual([
      303,
      `${PATH}/outcomes?tab=issued&${one.id}=sent`,
    ]);
    const { html } = await admin.get(sent.location ?? "");
    expect(html).toContain("<h1>1 of 1 sent</h1>");
    expect(html).toContain(`<a href="/invoices/${one.id}">${one.ledger_invoice_number}</a>`);
    expect(html).toContain("DKK 125.00");
    expect(await deliveriesOf(one)).toMatchObject([{ address: "ap@acme.example" }]);
    expect(await deliveriesOf(silent)).toEqual([]);
  });

  it("sends credit notes as well", async () => {
    const note = await credited(fullCredit(await issued([100])));
    const page = await admin.get(addressOf([note], "credit-notes"));
    expect(page.html).toContain(`href="/credit-notes/${note.id}"`);
    const sent = await admin.submit(page, PATH, {});
    expect((await admin.get(sent.location ?? "")).html).toContain("1 of 1 sent");
    expect((await admin.get(addressOf([note]))).location).toBe("/invoices?tab=issued");
  });

  it("names the refusal of each in words, and leads back to the rest", async () => {
    const [one, two] = [await issued([10]), await issued([20])];
    const path = `${PATH}/outcomes?tab=issued&${one.id}=RATE_LIMITED&${two.id}=left`;
    const { html } = await admin.get(path, { "accept-language": "da" });
    expect(html).toContain("0 af 2 sendt");
    expect(html).toContain("Ikke påbegyndt: tidsgrænsen er nået");
    expect(html).not.toContain("RATE_LIMITED<");
    expect(html.match(/<span class="fault">/g)).toHaveLength(2);
    expect(html).toContain(`href="${PATH}?tab=issued&amp;${one.id}=on&amp;${two.id}=on"`);
  });

  it("redirects to the list if nothing that exists is selected", async () => {
    for (const path of [PATH, `${PATH}?x=on`, `${PATH}/outcomes`])
      expect((await admin.get(path)).location).toBe("/invoices?tab=issued");
  });
});
