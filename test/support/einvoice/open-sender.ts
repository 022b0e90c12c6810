/** An account that sends its e-invoices through a connection, with a buyer and a product, as tests of deliveries need it. */
import type { ConnectionSettings } from "../../../src/ledger/connector.ts";
import type { Json, World } from "../world/world.ts";
import { connectEinvoices } from "./connect-einvoices.ts";

interface Sender {
  readonly account_id: string;
  readonly key: string;
  readonly customer_id: string;
  readonly product_id: string;
  /** Calls the service for the account. */
  done(call: string, body?: object): Promise<Json>;
  /** Issues an invoice that leaves as an e-invoice; returns its answer. */
  issue(): Promise<Json>;
}

/** Opens an account in the world and connects it. */
export async function openSender(
  world: World,
  kind: string,
  settings: ConnectionSettings,
  { account_id, keys } = world.account,
): Promise<Sender> {
  const key = keys.read_write;
  const done = (call: string, body?: object) => world.done(call, body, key);
  const seller = { name: "Nordlys ApS", street: "Vestergade 12", city: "Aarhus" };
  const bank = { vat_number: "25313763", iban: "DK5000400440116243" };
  await done("PATCH /configuration", { seller: { ...seller, ...bank } });
  const { id: customer_id } = await done("POST /customers", {
    name: "Ringkøbing-Skjern Kommune",
    ean_number: "5798009811578",
    att_person: "Mette Krogh",
    send_method: "einvoice",
  });
  const { id: product_id } = await done("POST /products", { name: "Rådgivning", default_price: 1 });
  await connectEinvoices(world, settings, kind, account_id);
  return {
    ...{ account_id, key, customer_id, product_id, done },
    async issue() {
      const lines = [{ product_id, recognition_method: "value" }];
      const { id } = await done("POST /invoices", { customer_id, lines, auto_send: true });
      return done(`POST /invoices/${id}/issue`);
    },
  };
}
