/**
 * The files of an issued document are the same bytes when they are made again: by another process, after a restart, in another time zone and
 * on another day, and with its customer and its seller changed meanwhile.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld();
let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program?.end());

const FORMATS = ["peppol-bis-3", "oioubl-2.1", "factur-x"];
const SELLER = {
  name: "Nordlys & Søn ApS",
  street: "Vestergade 12",
  city: "Aarhus",
  vat_number: "25313763",
  iban: "DK5000400440116243",
};

it("are the same bytes after all that a day may bring", async () => {
  const { customer_id, paths } = await issuedDocuments();
  const first = await startOnWorld(program, world, { TZ: "UTC" });
  const made = await filesFrom(first.origin, paths);
  expect(made.map((file) => file.length > 1_000)).toEqual(paths.map(() => true));
  await first.kill();

  await world.done(`PATCH /customers/${customer_id}`, {
    ...{ name: "Another", street: "Elsewhere 1", city: "Nowhere", att_person: "Ib Bo" },
    ...{ vat_number: "DK12345674", payment_mean: "International", buyer_reference: "changed" },
    preferred_invoice_language_key: "en",
  });
  await world.done("PATCH /configuration", {
    seller: { ...SELLER, name: "Sydlys ApS", iban: "DK0960003102123456" },
    vat: { domestic_rate: 12 },
    time_zone: "America/Los_Angeles",
  });
  world.clock.set("2026-05-01T23:30:00Z");

  await forgetFiles();
  const restarted = await startOnWorld(program, world, {
    TZ: "Pacific/Auckland",
    LANG: "da_DK.UTF-8",
  });
  const again = await filesFrom(restarted.origin, paths);
  await restarted.kill();
  await forgetFiles();
  const in_this_process = await filesFrom(world.origin, paths);

  const differing = paths.filter((_, at) => {
    const file = made[at];
    return !(file && again[at]?.equals(file) && in_this_process[at]?.equals(file));
  });
  expect(differing).toEqual([]);
});

/** Issues an invoice with two kinds of lines and pages of hours, and credits a part of it; returns the paths of their files. */
async function issuedDocuments(): Promise<{ customer_id: string; paths: string[] }> {
  await world.done("PATCH /configuration", { seller: SELLER });
  const { id: customer_id } = await world.done("POST /customers", {
    ...{ name: "Ringkøbing Kommune", street: "Ved Fjorden 6", city: "Ringkøbing" },
    ...{ ean_number: "5798009811578", att_person: "Mette Krogh" },
  });
  const { id: product_id } = await world.done("POST /products", { name: "Rådgivning" });
  const { id: user_id } = await world.done("POST /users", {
    name: "Bo",
    email: "bo@studio.example",
  });
  const draft = await world.done("POST /invoices", {
    ...{ customer_id, auto_send: false, hours_specification: true },
    lines: [
      { product_id, recognition_method: "hours", hourly_rate: 1033.3333, discount: 5 },
      {
        ...{ product_id, recognition_method: "value", agreed_value: 12_500.5 },
        ...{ service_from: "2026-02-01", service_to: "2026-02-28" },
      },
    ],
  });
  const work = { line_id: draft.lines[0].id, user_id, hours: 2.25, note: "A sketch" };
  await world.done("POST /work-registrations", { ...work, date: "2026-03-09" });
  const invoice: Json = await world.done(`POST /invoices/${draft.id}/issue`);
  const note = await world.done("POST /credit-notes", {
    ...{ external_id: "part", invoice: invoice.id, kind: "partial", credit_date: "2026-03-10" },
    lines: [{ invoice_line_id: invoice.lines[1].id, amount: 100.25 }],
  });
  const documents = [`/invoices/${invoice.id}`, `/credit-notes/${note.id}`];
  return {
    customer_id,
    paths: documents.flatMap((path) =>
      FORMATS.map((format) => `${path}/einvoice?format=${format}`),
    ),
  };
}

async function filesFrom(origin: string, paths: readonly string[]): Promise<Buffer[]> {
  const headers = { authorization: `Bearer ${world.account.keys.read_write}` };
  const files: Buffer[] = [];
  for (const path of paths) {
    const reply = await fetch(`${origin}/api/v1${path}`, { headers });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    files.push(Buffer.from(await reply.arrayBuffer()));
  }
  return files;
}

/** Removes the stored files, which the service never does, so that they are made again. */
async function forgetFiles(): Promise<void> {
  await world.sql("alter table einvoice_files disable trigger user");
  const gone = await world.sql("delete from einvoice_files returning id");
  await world.sql("alter table einvoice_files enable trigger user");
  expect(gone).toHaveLength(2 * FORMATS.length);
}
