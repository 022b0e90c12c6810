/** SFTP with a password to ProFTPD's real server: e-invoices are delivered, a wrong password is reported, and none is logged. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectEinvoices } from "../../../../test/support/einvoice/connect-einvoices.ts";
import { openSftpServer, type SftpServer } from "../../../../test/support/einvoice/sftp-server.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { Problem } from "../../../domain/base/problem.ts";
import { openLog } from "../../../platform/runtime/log.ts";

const WRONG = "Rugbrød-0815";
const lines: string[] = [];
const log = openLog("trace", { write: (line: string) => void lines.push(line) });

describe.skipIf(lacks("proftpd", "sshd"))("SFTP with a password (needs proftpd and sshd)", () => {
  const world = useWorld({
    environment: { MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1" },
    overrides: { log },
  });
  let server: SftpServer;
  beforeAll(async () => {
    server = await openSftpServer();
  });
  afterAll(() => server?.close());

  const connect = (password: string): Promise<void> => {
    const { user, host_key, port, dir } = server;
    const place = { host: "127.0.0.1", port: `${port}`, path: dir };
    return connectEinvoices(world, { ...place, user, host_key, password }, "sftp");
  };
  /** Issues an invoice that leaves as an e-invoice; returns its delivery. */
  async function issued() {
    const seller = { name: "Nordlys ApS", street: "Vestergade 12", vat_number: "25313763" };
    await world.done("PATCH /configuration", { seller });
    const ean_number = "5798009811578";
    const buyer = { ean_number, att_person: "Mette Krogh", send_method: "einvoice" };
    const customer = await world.done("POST /customers", { name: "Kommunen", ...buyer });
    const product = await world.done("POST /products", { name: "Advice", default_price: 1000 });
    const line = { product_id: product.id, recognition_method: "value" };
    const draft = { customer_id: customer.id, auto_send: true, lines: [line] };
    const { id } = await world.done("POST /invoices", draft);
    await world.done(`POST /invoices/${id}/issue`);
    return (await world.done(`GET /invoices/${id}/deliveries`)).data[0];
  }

  it("stores no connection with a wrong one, and says what the host refused", async () => {
    const refused: Problem = await connect(WRONG).then(
      () => Promise.reject(new Error("nothing was refused")),
      (problem: Problem) => problem,
    );
    expect([refused.code, refused.extras.details]).toEqual([
      "EINVOICE_NOT_CONNECTED",
      { state: "unauthorized" },
    ]);
    expect(refused.message).toBe("The host refused the credentials. Nothing is stored.");
    expect(await world.done("GET /einvoice/connection")).toMatchObject({ kind: "none" });
  });

  it("delivers with the right one", async () => {
    await connect(server.password);
    const { id, state, address } = await issued();
    expect([state, address]).toEqual(["written_to_outbox", "0088:5798009811578"]);
    expect(await readdir(join(server.dir, "out"))).toEqual([`${id}.xml`]);
    const xml = await readFile(join(server.dir, "out", `${id}.xml`), "utf8");
    expect(xml).toContain("5798009811578");
  });

  it("stays out of everything that is stored unsealed, shown or logged", async () => {
    const texts = [
      ...(await world.sql("select payload::text as text from audit_events")),
      ...(await world.sql("select c::text as text from einvoice_connections c")),
      { text: JSON.stringify(await world.done("GET /einvoice/connection")) },
      { text: lines.join("") },
    ].map(({ text }) => String(text));
    expect(lines.join("")).toContain("einvoice");
    for (const secret of [server.password, WRONG]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});
