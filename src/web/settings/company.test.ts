/** The page of the company: the stored seller, faults at their fields, and the logo. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Browser, proofOf } from "../../../test/support/browser/browser.ts";
import { png } from "../../../test/support/documents/pictures.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../test/support/world/world.ts";

const COMPANY = "/settings/company";
const world = useWorld({ knows_origin: true });
let admin: Browser;
let standard: Browser;
beforeAll(async () => {
  const oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
  standard = (await oauth.person()).browser;
});

async function saved(fields: Readonly<Record<string, string>>) {
  return admin.submit(await admin.get(COMPANY), COMPANY, fields);
}
const sellerNow = async () => (await world.done("GET /configuration")).seller;
const missingIn = (html: string) => /id="missing".*?<\/section>/s.exec(html)?.[0] ?? "";

describe("the page of the company", () => {
  it("says what an invoice still lacks, and leads there from the settings and from Today", async () => {
    const { html } = await admin.get(COMPANY);
    for (const field of ["Name", "Street and number", "City", "VAT number", "bank account"]) {
      expect(missingIn(html)).toContain(field);
    }
    expect((await admin.get("/settings?from=mail")).location).toBe(`${COMPANY}?from=mail`);
    expect((await standard.get("/settings")).location).toBe("/me");
    expect((await admin.get("/today")).html).toContain(`href="${COMPANY}"`);
  });

  it("saves what was typed, and shows it as invoices do", async () => {
    const reply = await saved({
      "seller.name": "Nordlys Studio ApS",
      "seller.street": "Havnegade 1",
      "seller.zip_code": "8000",
      "seller.city": "Aarhus C",
      "seller.vat_number": "13585628",
      "seller.iban": "DK50 0040 0440 1162 43",
      "seller.accent_color": "#0b5b49",
    });
    expect([reply.status, reply.location]).toEqual([303, COMPANY]);
    expect(await sellerNow()).toMatchObject({ name: "Nordlys Studio ApS", city: "Aarhus C" });
    const { html } = await admin.get(COMPANY);
    const head = /class="pad letterhead".*?<\/section>/s.exec(html)?.[0] ?? "";
    for (const text of ["Nordlys Studio ApS", "8000 Aarhus C", "#0b5b49", "IBAN DK50"]) {
      expect(head).toContain(text);
    }
    expect(missingIn(html)).toContain("Nothing is missing");
  });

  it("saves the fields of e-invoices, and refuses a CVR number with a wrong check digit", async () => {
    const typed = { "seller.registration_number": "12 34 56 74", "seller.contact_name": "Ida" };
    expect((await saved(typed)).status).toBe(303);
    const stored = { registration_number: "12345674", contact_name: "Ida" };
    expect(await sellerNow()).toMatchObject(stored);
    const { status, html } = await saved({ "seller.registration_number": "12345678" });
    expect([status, html]).toEqual([422, expect.stringContaining('value="12345678"')]);
    expect(await sellerNow()).toMatchObject(stored);
    await saved({ "seller.registration_number": "", "seller.contact_name": "" });
    expect(await sellerNow()).not.toHaveProperty("registration_number");
  });

  it("empties a field that was emptied, and leaves fields alone that were not sent", async () => {
    await saved({ "seller.phone": "12345678" });
    await saved({ "seller.phone": "" });
    expect(await sellerNow()).toMatchObject({ phone: null });
    const page = await admin.get(COMPANY);
    const [, csrf = ""] =
      /action="\/settings\/company"[^>]*><input[^>]*value="([^"]+)"/.exec(page.html) ?? [];
    await admin.post(COMPANY, { csrf, "seller.city": "Odense" });
    expect(await sellerNow()).toMatchObject({ name: "Nordlys Studio ApS", city: "Odense" });
  });

  it.each([
    ["seller.vat_number", "not a number", "form"],
    ["seller.email", "no address", ""],
    ["seller.accent_color", "green", ""],
  ])("refuses a wrong %s at its field, with what was typed", async (name, value, _kind) => {
    const before = await sellerNow();
    const reply = await saved({ [name]: value });
    expect(reply.status).toBe(422);
    expect(reply.html).toMatch(new RegExp(`id="${name}"[^>]*value="${value}"[^>]*aria-invalid`));
    expect(reply.html).toContain(`id="${name}-fault"`);
    expect(await sellerNow()).toEqual(before);
  });

  it("keeps the numbers of payment slips, and shows their line", async () => {
    const slip = "seller.fik_creditor_number";
    const refused = await saved({ [slip]: "8123456" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(`id="${slip}-fault">A creditor number has 8 digits.<`);
    await saved({ [slip]: "8123 4567", "seller.fik_card_type": "75" });
    expect(await sellerNow()).toMatchObject({
      fik_creditor_number: "81234567",
      fik_card_type: "75",
    });
    const { html } = await admin.get(COMPANY);
    expect(html).toContain("+75&lt;0000000000000018+81234567&lt;");
    await saved({ "seller.iban": "", [slip]: "81234567" });
    expect(missingIn((await admin.get(COMPANY)).html)).toContain("Nothing is missing");
    await saved({ [slip]: "" });
    expect((await sellerNow()).fik_card_type).toBeUndefined();
    expect(missingIn((await admin.get(COMPANY)).html)).toContain("A bank account or an IBAN");
  });

  it("notes wrong check digits without refusing them, in both languages", async () => {
    await saved({ "seller.vat_number": "13585629", "seller.iban": "DK51 0040 0440 1162 43" });
    const english = (await admin.get(COMPANY)).html;
    expect(english).toContain("The check digit does not match. Is a digit mistyped?");
    expect(english).toContain("The check digits do not match. Is a character mistyped?");
    const danish = (await admin.get(COMPANY, { "accept-language": "da" })).html;
    expect(danish).toContain("Kontrolcifferet passer ikke.");
  });

  it("does not exist for standard users", async () => {
    expect((await standard.get(COMPANY)).status).toBe(404);
    expect((await standard.get(`${COMPANY}/logo`)).status).toBe(404);
    const reply = await standard.act(
      "/app/settings/logo",
      { content: "AAAA" },
      await proofOf(standard),
    );
    expect(reply.status).toBe(404);
  });
});

describe("the logo", () => {
  it("is stored, shown and removed", async () => {
    expect((await admin.get(`${COMPANY}/logo`)).status).toBe(404);
    const content = png(60, 20).toString("base64");
    const { status, body } = await admin.act(
      "/app/settings/logo",
      { content },
      await proofOf(admin),
    );
    expect(status).toBe(200);
    const page = await admin.get(COMPANY);
    expect(page.html).toContain(`${COMPANY}/logo?v=${body.sha256}`);
    const picture = await admin.get(`${COMPANY}/logo`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    await admin.submit(page, `${COMPANY}/remove-logo`, {});
    expect((await sellerNow()).logo).toBeUndefined();
  });

  it("is refused unless it is a picture", async () => {
    const { status } = await admin.act(
      "/app/settings/logo",
      { content: "AAAA" },
      await proofOf(admin),
    );
    expect(status).toBe(422);
  });
});
