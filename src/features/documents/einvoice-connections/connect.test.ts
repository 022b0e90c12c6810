/** Connecting an account to a folder for its e-invoices: the checks, the stored and the shown data, the secrets, who may. */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { Problem } from "../../../domain/base/problem.ts";
import type { Submission } from "../../../einvoice/access-point.ts";
import type { EinvoiceConnector, EinvoiceOpening } from "../../../einvoice/connector.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { transaction } from "../../../platform/database/transaction.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { connectAccount, disconnectAccount } from "./connect-account.ts";
import { accessPointOf, einvoiceSetupOf } from "./open-access-point.ts";
import { rollEinvoiceSecrets } from "./roll-secrets.ts";

const world = useWorld();
const call = { signal: new AbortController().signal };
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "matchbook-einvoices-"));
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(async () => {
  await world.sql("update deliveries set einvoice_connection_id = null");
  await world.sql("delete from einvoice_connections");
});

const operator = (account_id = world.account.account_id): Promise<Context> =>
  operatorContext(world.services, account_id);
const connect = async (settings: Record<string, string> = { path: dir }): Promise<void> =>
  connectAccount(await operator(), "folder", settings);
const problemOf = async (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => Promise.reject(new Error("nothing was refused")),
    (problem: Problem) => problem,
  );
const shown = (): Promise<Json> => world.done("GET /einvoice/connection");
const connections = (): Promise<Json[]> =>
  world.sql("select id, is_current, settings from einvoice_connections order by created_at");

const submission: Submission = {
  delivery_id: "01990000-0000-7000-8000-000000000001",
  at: "2026-03-01T12:00:00Z",
  sender: "0184:25313763",
  receiver: "0088:5798009811578",
  format: "peppol-bis-3",
  kind: "invoice",
  xml: Buffer.from("<Invoice/>"),
};

it("shows that there is no connection, and the releases of the rules", async () => {
  const none = {
    object: "einvoice_connection",
    id: null,
    kind: "none",
    state: "none",
    sender: null,
    formats: [],
    envelope: "none",
    rules: { en16931: "1.3.16", bis: "3.0.21", oioubl: "1.17.2", factur_x: "1.0" },
    checked_at: null,
    last_error: null,
  };
  expect(await shown()).toEqual(none);
  expect(await world.done("POST /einvoice/connection/check")).toEqual(none);
  expect(await accessPointOf(await operator())).toBeNull();
});

it("shows the address from which the seller sends", async () => {
  const senderOf = async (seller: Json) => {
    await world.done("PATCH /configuration", { seller });
    return (await shown()).sender;
  };
  expect(await senderOf({ vat_number: "DK 25313763" })).toBe("0184:25313763");
  expect(await senderOf({ registration_number: "12345674" })).toBe("0184:12345674");
  const einvoice_address = "0088:5798009811578";
  expect(await senderOf({ einvoice_address })).toBe(einvoice_address);
  expect(await senderOf({ einvoice_address: null, registration_number: null })).toBe(
    "0184:25313763",
  );
});

it("stores only a connection that works", async () => {
  const refused: [string, object, string, RegExp][] = [
    ["carrier-pigeon", {}, "VALIDATION_FAILED", /./],
    ["folder", { unheard_of: "1" }, "VALIDATION_FAILED", /./],
    ["folder", { path: "relative" }, "VALIDATION_FAILED", /./],
    [
      "folder",
      { path: join(dir, "absent") },
      "EINVOICE_NOT_CONNECTED",
      /ENOENT.*Nothing is stored/,
    ],
  ];
  for (const [kind, given, code, message] of refused) {
    const problem = await problemOf(connectAccount(await operator(), kind, given as never));
    expect([problem.code, problem.message]).toEqual([code, expect.stringMatching(message)]);
  }
  expect(await connections()).toEqual([]);
});

it("connects only for the operator, never for a key or an admin", async () => {
  const worker = await schedulerContext(world.services, world.account.account_id);
  const person = { ...worker.caller, actor: { kind: "user", id: "1" } } as const;
  for (const cx of [worker, { ...worker, caller: person }]) {
    expect((await problemOf(connectAccount(cx, "folder", {}))).code).toBe("ROLE_FORBIDDEN");
    expect((await problemOf(run(disconnectAccount, cx, {}))).code).toBe("ROLE_FORBIDDEN");
  }
});

it("shows the connection, and records who connected what", async () => {
  await connect();
  expect(await shown()).toMatchObject({
    kind: "folder",
    state: "connected",
    formats: ["peppol-bis-3", "oioubl-2.1"],
    envelope: "none",
    last_error: null,
  });
  const { data } = await world.done("GET /audit-events?limit=1");
  expect(data[0]).toMatchObject({
    resource_type: "einvoice_connection",
    action: "connected",
    actor: { kind: "operator" },
    after: { kind: "folder", settings: { path: dir } },
  });
});

it("uses a folder of the account in the data directory when no path is given", async () => {
  await connect({});
  const opened = await accessPointOf(await operator());
  await opened?.access_point.prepare?.(submission, call);
  const { data_dir } = world.services.config;
  const folder = join(data_dir, "einvoices", world.account.account_id, "out");
  await rm(join(folder, `${submission.delivery_id}.xml.part`));
});

it("renews a connection to the same place, and replaces one to another", async () => {
  await connect();
  const [first] = await connections();
  await connect();
  expect(await connections()).toEqual([first]);
  await connect({});
  const [before, after] = await connections();
  expect([before, after]).toMatchObject([
    { id: first?.id, is_current: false },
    { is_current: true, settings: "{}" },
  ]);
  const [{ sealed_secrets }] = await world.sql(
    "select length(sealed_secrets) as sealed_secrets from einvoice_connections where not is_current",
  );
  expect(sealed_secrets).toBe(0);
});

describe("e-invoices under way", () => {
  beforeAll(async () => {
    // With a connection, an e-invoice that cannot be made would not be booked.
    await world.sql("delete from einvoice_connections");
    const customer = await world.done("POST /customers", {
      name: "Kommunen",
      send_method: "einvoice",
      ean_number: "5798009811578",
      country_key: "DK",
    });
    const product = await world.done("POST /products", { name: "Work", default_price: 100 });
    const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }];
    const { id } = await world.done("POST /invoices", { customer_id: customer.id, lines });
    await world.done(`POST /invoices/${id}/issue`);
  });

  it.each([
    ["queued", 1, "1 e-invoice is"],
    ["sending", 1, "1 e-invoice is"],
    ["unknown", 1, "1 e-invoice is"],
    ["failed_permanent", 0, ""],
    ["failed_temporary", 0, ""],
    ["accepted", 0, ""],
  ])("that are %s keep %i connection", async (state, kept, words) => {
    await connect();
    await world.sql(
      `update deliveries set state = $1, next_attempt_at = null, einvoice_connection_id =
         (select id from einvoice_connections c where c.account_id = deliveries.account_id and is_current)`,
      [state],
    );
    const disconnect = async () => run(disconnectAccount, await operator(), {});
    if (kept === 0) {
      await disconnect();
      expect(await shown()).toMatchObject({ kind: "none" });
      return;
    }
    for (const work of [disconnect, () => connect({})]) {
      const problem = await problemOf(work());
      expect([problem.code, problem.message]).toEqual([
        "EINVOICE_UNDER_WAY",
        expect.stringContaining(words),
      ]);
      expect(problem.extras.details).toEqual({ count: 1 });
    }
    // New credentials for the same place are what a waiting e-invoice may need.
    await connect();
    expect(await shown()).toMatchObject({ kind: "folder" });
  });

  it("of an earlier connection, or sent by a connected ledger, keep nothing", async () => {
    await connect();
    const { id: former } = await shown();
    await world.sql("update deliveries set state = 'accepted'");
    await connect({});
    const disconnect = async () => run(disconnectAccount, await operator(), {});
    const set =
      "update deliveries set state = 'unknown', einvoice_connection_id = $1, is_copied = $2";
    await world.sql(set, [null, true]);
    expect((await problemOf(disconnect())).code).toBe("EINVOICE_UNDER_WAY");
    await world.sql("update deliveries set state = 'queued', is_copied = false");
    expect((await problemOf(disconnect())).code).toBe("EINVOICE_UNDER_WAY");

    await world.sql(set, [former, false]);
    await connect();
    await world.sql(set, [null, false]);
    await disconnect();
    expect(await shown()).toMatchObject({ kind: "none" });
  });

  it("of another account keep nothing", async () => {
    await world.sql("update deliveries set state = 'unknown'");
    const { account_id } = await world.openAnother();
    await connectAccount(await operator(account_id), "folder", { path: dir });
    await run(disconnectAccount, await operator(account_id), {});
    const none = await problemOf(run(disconnectAccount, await operator(account_id), {}));
    expect(none.code).toBe("EINVOICE_NOT_CONNECTED");
    await world.sql("update deliveries set state = 'failed_permanent'");
  });
});

describe("the state of a connection", () => {
  const damage = async (): Promise<void> => {
    await rename(join(dir, "out"), join(dir, "away"));
    await writeFile(join(dir, "out"), "a file");
  };
  const repair = async (): Promise<void> => {
    await rm(join(dir, "out"));
    await rename(join(dir, "away"), join(dir, "out"));
  };

  it("follows the check", async () => {
    await connect();
    await damage();
    const broken = { state: "unavailable", last_error: "The folder cannot be used: ENOTDIR." };
    expect(await world.done("POST /einvoice/connection/check")).toMatchObject(broken);
    expect(await shown()).toMatchObject(broken);
    await repair();
    const repaired = { state: "connected", last_error: null };
    expect(await world.done("POST /einvoice/connection/check")).toMatchObject(repaired);
    const { data } = await world.done("GET /audit-events?limit=2");
    expect(data.map(({ action, after }: Json) => [action, after.state])).toEqual([
      ["checked", "connected"],
      ["checked", "unavailable"],
    ]);
  });

  it("follows what is handed over and looked at, but a look never makes it connected", async () => {
    await connect();
    const opened = await accessPointOf(await operator());
    if (opened === null) throw new Error("there is no connection");
    const { access_point } = opened;
    await damage();
    expect(await access_point.prepare?.(submission, call)).toMatchObject({ state: "not_taken" });
    expect(await shown()).toMatchObject({ state: "unavailable" });
    await repair();
    await world.done("POST /einvoice/connection/check");
    await damage();
    const later = (await accessPointOf(await operator()))?.access_point;
    expect(await later?.look(submission.delivery_id, call)).toMatchObject({
      state: "not_answered",
    });
    expect(await shown()).toMatchObject({
      state: "unavailable",
      last_error: "There was no answer.",
    });
    await repair();
    expect(await later?.look(submission.delivery_id, call)).toEqual({ state: "gone" });
    expect(await shown()).toMatchObject({ state: "unavailable" });
    await world.done("POST /einvoice/connection/check");
    await later?.prepare?.(submission, call);
    expect(await later?.submit(submission, call)).toEqual({ state: "written" });
    expect(await shown()).toMatchObject({ state: "connected" });
  });

  it("is unauthorized when its secrets cannot be opened", async () => {
    await connect();
    await world.sql("update einvoice_connections set sealed_secrets = '\\x016161'");
    const opened = await accessPointOf(await operator());
    expect(await opened?.access_point.submit(submission, call)).toMatchObject({
      state: "not_taken",
      connection: "unauthorized",
    });
    expect(await opened?.access_point.look(submission.delivery_id, call)).toMatchObject({
      state: "not_answered",
    });
    expect(await world.done("POST /einvoice/connection/check")).toMatchObject({
      state: "unauthorized",
      last_error: "The stored secrets cannot be opened; the service's key is missing.",
    });
  });
});

it("seals its secrets again with a new key", async () => {
  await connect();
  const keyOf = async () => (await world.sql("select key_id from einvoice_connections"))[0].key_id;
  const before = await keyOf();
  const { sealing, db } = world.services;
  const next = sealing.rotate();
  expect(await transaction(db, (tx) => rollEinvoiceSecrets(tx, sealing))).toBe(1);
  expect([before === next, await keyOf()]).toEqual([false, next]);
  expect(await world.done("POST /einvoice/connection/check")).toMatchObject({ state: "connected" });
});

it("leaves e-invoices to a ledger that sends documents", async () => {
  await connect();
  await world.sql("update accounts set ledger_kind = 'dinero'");
  try {
    for (const call of ["GET /einvoice/connection", "POST /einvoice/connection/check"]) {
      expect(refusal(await world.rest(call))).toBe("409 EINVOICE_BY_LEDGER");
    }
    expect((await problemOf(connect())).code).toBe("EINVOICE_BY_LEDGER");
    expect(await accessPointOf(await operator())).toBeNull();
  } finally {
    await world.sql("update accounts set ledger_kind = 'builtin'");
  }
});

describe("a connector's requests", () => {
  let server: Server;
  let port = 0;
  let request: EinvoiceOpening["request"];
  beforeAll(async () => {
    server = createServer((_, response) => response.end("here"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    const probing = {
      open: (opening: EinvoiceOpening) => {
        ({ request } = opening);
      },
    } as unknown as EinvoiceConnector;
    const config = { data_dir: dirname(dir), einvoice_hosts: [`127.0.0.1:${port}`] };
    const { sealing } = world.services;
    const account = { account_id: world.account.account_id, sandbox: false };
    einvoiceSetupOf(probing, { config, sealing }).open(account, { settings: {}, secrets: {} });
  });
  afterAll(() => void server.close());

  it("reach only the hosts of the settings", async () => {
    const ask = (url: string) =>
      request({ method: "GET", url, signal: AbortSignal.timeout(5_000) });
    expect(await ask(`http://127.0.0.1:${port}/`)).toMatchObject({ state: "answered" });
    for (const url of [`http://localhost:${port}/`, "https://elsewhere.example/", "nonsense"]) {
      const refused = await ask(url);
      expect(refused).toMatchObject({ state: "not_sent", reason: "not_allowed" });
      expect(String((refused as Json).cause)).toContain("MATCHBOOK_EINVOICE_HOSTS");
    }
  });
});
