/** The answers in the folder of a connection: stored, moved, and never in the way of each other. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { invoiceResponse } from "../../../../test/support/einvoice/answers.ts";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { readDueFolder } from "./read-folders.ts";

const GLN = "0088:5798009811578";
const world = useWorld();
const customer = world.made("POST /customers", { name: "Skatteforvaltningen" });
const product = world.made("POST /products", { name: "Advice" });
let dir: string;
beforeAll(async () => {
  const seller = { name: "Studio", vat_number: "DK10150817" };
  await world.done("PATCH /configuration", { seller });
  dir = await mkdtemp(join(tmpdir(), "matchbook-answers-"));
  await connectEinvoices(world, { path: dir });
});
afterAll(() => rm(dir, { recursive: true }));

const read = () => readDueFolder(world.services, async () => {});
const due = () => world.sql("update einvoice_connections set answers_read_at = null");

it("are stored and moved, the good to done and the others to refused", async () => {
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
  const draft = { customer_id: customer.id, auto_send: false, lines: [line] };
  const { id } = await world.done("POST /invoices", draft);
  await world.done(`POST /invoices/${id}/issue`);
  const { ledger_invoice_number } = await world.done(`GET /invoices/${id}`);
  await world.sql(
    `insert into deliveries (account_id, id, document_id, channel, address, state, at)
     values ($1, gen_random_uuid(), $2, 'einvoice', $3, 'accepted', '2026-03-10T09:00:00Z')`,
    [world.account.account_id, id, GLN],
  );
  const number = String(ledger_invoice_number);
  await writeFile(join(dir, "in", "1.xml"), "<broken");
  await writeFile(join(dir, "in", "2.xml"), invoiceResponse({ number: "99999" }));
  await writeFile(join(dir, "in", "3.xml"), invoiceResponse({ number, code: "UQ" }));
  await writeFile(join(dir, "in", "4.xml.part"), "not whole yet");

  expect(await read()).toBe(true);

  expect(await readdir(join(dir, "in", "done"))).toEqual(["3.xml"]);
  expect((await readdir(join(dir, "in", "refused"))).sort()).toEqual(["1.xml", "2.xml"]);
  const [delivery] = (await world.done("GET /deliveries?response=UQ")).data;
  expect(delivery).toMatchObject({ document_id: id, response: { code: "UQ" } });

  // The same answer under another name is known, and changes nothing.
  await writeFile(join(dir, "in", "5.xml"), invoiceResponse({ number, code: "UQ" }));
  await due();
  expect(await read()).toBe(true);
  expect((await readdir(join(dir, "in", "done"))).sort()).toEqual(["3.xml", "5.xml"]);
  const { data } = await world.done(`GET /deliveries/${delivery.id}/events`);
  expect(data.filter(({ kind }: { kind: string }) => kind === "response")).toHaveLength(1);
});

it("are looked for once a minute", async () => {
  await due();
  expect(await read()).toBe(true);
  expect(await read()).toBe(false);
});
