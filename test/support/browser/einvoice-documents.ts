/** Documents whose pages show an e-invoice: in an account without a connection, and in one that has sent it. */
import { connectEinvoices } from "../einvoice/connect-einvoices.ts";
import type { World } from "../world/world.ts";
import { type Browser, openBrowser } from "./browser.ts";

/** An issued invoice and its credit note, of a seller and to a buyer of whom an e-invoice says enough. */
interface Documents {
  readonly invoice: string;
  readonly note: string;
}

/** Issues them in the account of the key, by default that of the world, and sends them as e-invoices if `auto_send` says so. */
export async function einvoiceDocuments(
  world: World,
  product_id: string,
  { key, auto_send = false }: { readonly key?: string; readonly auto_send?: boolean } = {},
): Promise<Documents> {
  const done = (call: string, body?: unknown) => world.done(call, body, key);
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", vat_number: "25313763" };
  await done("PATCH /configuration", { seller });
  const { id: customer_id } = await done("POST /customers", {
    name: "Ringkøbing-Skjern Kommune",
    ean_number: "5798009811578",
    att_person: "Mette",
    send_method: auto_send ? "einvoice" : "email",
  });
  const lines = [{ product_id, recognition_method: "value" }];
  const invoice = await done("POST /invoices", { customer_id, lines, auto_send });
  await done(`POST /invoices/${invoice.id}/issue`);
  const note = await done("POST /credit-notes", {
    external_id: "every-einvoice",
    invoice: invoice.id,
    kind: "full",
    credit_date: "2026-03-10",
  });
  return { invoice: invoice.id, note: note.id };
}

/** The same in another account, which is connected and has sent both; with the invoice's delivery and the account's admin. */
export async function sentEinvoice(
  world: World,
): Promise<Documents & { readonly delivery: string; readonly admin: Browser }> {
  const { account_id, admin, keys } = await world.openAnother();
  const key = keys.read_write;
  await connectEinvoices(world, {}, "folder", account_id);
  const product = await world.done(
    "POST /products",
    { name: "Design", default_price: 1150.5 },
    key,
  );
  const sent = await einvoiceDocuments(world, product.id, { key, auto_send: true });
  const { data } = await world.done(`GET /invoices/${sent.invoice}/deliveries`, undefined, key);
  const [delivery] = data;
  if (delivery?.state !== "written_to_outbox") throw new Error("the e-invoice was not sent");
  const browser = openBrowser(world);
  await browser.signIn(admin.email, admin.password ?? "");
  return { ...sent, delivery: delivery.id, admin: browser };
}
