/** The outbox as admins see it: mails of documents in it, each as it reads, and nothing of other accounts or of people. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, textOf } from "../../../test/support/browser/browser.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useSales } from "../../../test/support/world/sales.ts";

const OUTBOX = "/settings/developer/outbox";
const { world, issued, credited, fullCredit } = useSales({ knows_origin: true });
const oauth = openConsent(world);
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

describe("the outbox", () => {
  it("says what to do while it is empty, and is found from the developer settings", async () => {
    expect(textOf(await admin.get(OUTBOX))).toContain("No document has been sent yet.");
    expect((await admin.get("/settings/developer")).html).toContain(`href="${OUTBOX}"`);
  });

  it("lists the mails of documents, the newest first, and shows each as it reads", async () => {
    const invoice = await issued([2000], { auto_send: true, title: "Spring" });
    const note = await credited(fullCredit(invoice));
    const page = await admin.get(OUTBOX);
    const listed = [...page.html.matchAll(/href="(\/settings\/developer\/outbox\/[^"]+)"/g)];
    expect(listed).toHaveLength(2);
    expect(textOf(page)).toContain(`Credit note ${note.ledger_credit_note_number} To ap@acme`);
    const mail = await admin.get(listed[1]?.[1] ?? "");
    const sent = (await world.mails()).find(({ subject }) => subject?.includes("aktura"));
    const text = textOf(mail);
    expect(text).toContain(sent?.subject ?? "no mail");
    for (const line of (sent?.text ?? "no text").split("\n").filter((one) => one.trim() !== "")) {
      expect(text).toContain(line.trim());
    }
    expect(text).toContain("ap@acme.example");
    expect(mail.html).toContain(`href="/invoices/${invoice.id}/pdf"`);
    const { id } = (await world.done(`GET /invoices/${invoice.id}/deliveries`)).data[0];
    expect(text).toContain(`${id}@`);
  });

  it("lists no mail to people, whose links sign in", async () => {
    await world.done("POST /users", { name: "Ida", email: "ida@x.example" });
    await expect.poll(async () => (await world.mails()).length).toBeGreaterThan(2);
    expect(textOf(await admin.get(OUTBOX))).not.toContain("ida@x.example");
  });

  it("is of its account and of admins alone", async () => {
    const other = await world.openAnother();
    const stranger = openBrowser(world);
    await stranger.signIn(other.admin.email, "correct horse battery staple");
    const [delivery] = await world.sql("select id from deliveries limit 1");
    expect(textOf(await stranger.get(OUTBOX))).toContain("No document has been sent yet.");
    expect((await stranger.get(`${OUTBOX}/${delivery.id}`)).status).toBe(404);
    expect((await standard.get(OUTBOX)).status).toBe(404);
    expect((await standard.get(`${OUTBOX}/${delivery.id}`)).status).toBe(404);
    expect((await admin.get(`${OUTBOX}/nothing`)).status).toBe(404);
  });
});

describe("with a mail server", () => {
  const { world: sending } = useSales({
    knows_origin: true,
    environment: { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "billing@studio.example" },
  });

  it("only a sandbox has an outbox", async () => {
    const browser = await openConsent(sending).signedInAdmin();
    expect((await browser.get(OUTBOX)).status).toBe(404);
    expect((await browser.get("/settings/developer")).html).not.toContain(OUTBOX);
    await sending.sql("update accounts set sandbox = true");
    expect((await browser.get(OUTBOX)).status).toBe(200);
  });
});
