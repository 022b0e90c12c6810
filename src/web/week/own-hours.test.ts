/**
 * The hours that a document specifies: standard users read only their own, on pages and through an assistant,
 * and the customer's document stays complete.
 */
import { beforeAll, expect, it } from "vitest";
import { textOfPdf } from "../../../test/support/documents/pdf-text.ts";
import { openConsent } from "../../../test/support/mcp/consent.ts";
import { agentOf } from "../../../test/support/mcp/mcp.ts";
import { lacks } from "../../../test/support/run/needs.ts";
import { useWork } from "../../../test/support/world/work.ts";
import type { Json } from "../../../test/support/world/world.ts";

const { world, invoice, hours, registered, newUser } = useWork({ knows_origin: true });
let oauth: ReturnType<typeof openConsent>;
let admin: Awaited<ReturnType<typeof oauth.signedInAdmin>>;
beforeAll(async () => {
  oauth = openConsent(world);
  admin = await oauth.signedInAdmin();
});

async function pdfFor(cookie: string | null, id: string): Promise<string> {
  const headers = { cookie: `matchbook=${cookie}` };
  const response = await fetch(`${world.origin}/invoices/${id}/pdf`, { headers });
  return textOfPdf(new Uint8Array(await response.arrayBuffer()));
}

it.skipIf(lacks("pdftotext"))(
  "a PDF contains only the reader's own hours (needs pdftotext)",
  async () => {
    const { browser, user_id } = await oauth.person();
    const colleague = await newUser();
    const made: Json = await invoice(
      [hours({ assignees: [{ user_id }, { user_id: colleague }], hourly_rate: 1000 })],
      { hours_specification: true, auto_send: false },
    );
    const [line] = made.lines;
    await registered(line.id, { user_id, hours: 2.5, note: "My own sketch" });
    await registered(line.id, { user_id: colleague, hours: 4, note: "A secret dinner" });
    const agent = await agentOf(world, { user_id });
    const expectOwn = async () => {
      const [own, whole] = [
        await pdfFor(browser.cookie(), made.id),
        await pdfFor(admin.cookie(), made.id),
      ];
      expect(own).toContain("My own sketch");
      expect(own).toContain("Her står kun dine egne timer");
      expect(own).not.toContain("secret");
      // The billed amount does not depend on the reader.
      for (const text of [own, whole]) expect(text).toContain("8.125,00");
      expect(whole).toContain("A secret dinner");
      expect(whole).not.toContain("kun dine egne");
      const { data } = await agent.done("get_invoice", { invoice: made.id });
      expect(data.lines[0]).toMatchObject({ hours: 6.5, hours_by_user: [{ user_id, hours: 2.5 }] });
    };
    await expectOwn();
    await world.done(`POST /invoices/${made.id}/issue`);
    await expectOwn();
    // The customer's document is stored as it was made, whichever reader opened it first.
    const files = await world.sql(
      "select count(*)::int as n from document_files where document_id = $1",
      [made.id],
    );
    expect(files).toEqual([{ n: 1 }]);
  },
);
