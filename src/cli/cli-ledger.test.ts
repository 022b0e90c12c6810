/**
 * The commands for connected accounting systems, each as a separate process, against a simulation of Dinero: connecting
 * and mapping an account, and resolving a booking that waits for a user.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../test/support/http/refusal.ts";
import { simulatedAccess } from "../../test/support/ledger/dinero/simulation.ts";
import { BOOK, gate, useFaults } from "../../test/support/ledger/dinero/under-fault.ts";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import type { Json } from "../../test/support/world/world.ts";

const faults = useFaults();
const { world, simulation, wire, draft, issue, edit, intentOf, letTimePass } = faults;
const { expectIssuedOnce, expectReleased } = faults;

/** Runs `matchbook ledger …` on the machine of the service, for the first account unless another is given. */
function ledger(command: string, args: readonly string[], more: Json = {}): Promise<Ended> {
  const { account_id = world.account.account_id, input = "", environment = {} } = more;
  const of_account = command === "rotate-key" ? [] : ["--account", account_id];
  const settings = { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1", ...environment };
  const run = { world, environment: settings, input };
  return runMatchbook(run, "ledger", command, ...of_account, ...args);
}

describe("matchbook ledger connect", () => {
  const connect = (access: ReturnType<typeof simulatedAccess>, more: Json) =>
    ledger("connect", ["--kind", "dinero", ...settingsOf(access), "--json"], more);
  const settingsOf = ({ settings }: ReturnType<typeof simulatedAccess>) =>
    Object.entries({ ...settings, requests_per_minute: "60000" }).flatMap(([name, value]) => [
      `--${name.replaceAll("_", "-")}`,
      value,
    ]);
  const shown = { kind: "dinero", state: "connected", organisation: { id: "270001" } };

  it("reads secrets from standard input or the environment, and shows the missing roles", async () => {
    const access = simulatedAccess(simulation().origin);
    const { account_id } = await world.openAnother();
    const reported = { account_id, input: JSON.stringify(access.secrets) };
    const connected = await ledger(
      "connect",
      ["--kind=dinero", ...settingsOf(access), "--secrets-from-stdin", "--json"],
      reported,
    );
    expect(answerOf(connected)).toMatchObject({ account_id, ...shown });
    const lines = (await ledger("show", [], { account_id })).out.split("\n");
    expect(lines[0]).toBe("ledger       dinero");
    expect(lines).toContain("open         6240 (role)");

    const other = await world.openAnother();
    const environment = {
      MATCHBOOK_LEDGER_CLIENT_SECRET: access.secrets.client_secret,
      MATCHBOOK_LEDGER_API_KEY: access.secrets.api_key,
    };
    const named = await connect(access, { account_id: other.account_id, environment });
    expect(answerOf(named)).toMatchObject(shown);
    const gone = await ledger("disconnect", ["--json"], { account_id: other.account_id });
    expect(answerOf(gone)).toEqual({ account_id: other.account_id, kind: "builtin" });
  });

  it("stores no invalid connection and shows no secret", async () => {
    const access = simulatedAccess(simulation().origin);
    const { account_id } = await world.openAnother();
    const wrong = { ...access.secrets, api_key: "hunter2" };
    const input = JSON.stringify(wrong);
    const args = ["--kind", "dinero", ...settingsOf(access), "--secrets-from-stdin"];
    const refused = await ledger("connect", args, { account_id, input });
    expect(refused).toMatchObject({ exit: 1, out: "" });
    expect(refused.err).toMatch(/refused the credentials/);
    expect(refused.err).not.toContain("hunter2");
    const none = await ledger("connect", args.slice(0, -1), { account_id });
    expect(none).toMatchObject({ exit: 1, out: "" });
    expect(none.err).toContain("\n  client_secret: ");
    const broken = await ledger("connect", args, { account_id, input: '{"api_key": "hunter2' });
    expect(broken).toMatchObject({ exit: 2, out: "" });
    expect(broken.err).not.toContain("hunter2");
    expect(answerOf(await ledger("show", ["--json"], { account_id })).kind).toBe("builtin");
  });

  it("refuses secrets as arguments and unknown systems", async () => {
    const secret = await ledger("connect", ["--kind", "dinero", "--client-secret", "hunter2"]);
    expect(secret).toMatchObject({ exit: 2, out: "" });
    expect(secret.err).toContain("--client-secret");
    const unknown = await ledger("connect", ["--kind", "abacus"]);
    expect(unknown).toMatchObject({ exit: 2, out: "" });
    expect(unknown.err).toContain("--kind is one of: dinero, tryton. docs/ledgers.md");
  });
});

describe("matchbook ledger map", () => {
  it("sets pairs and roles and lists all of them", async () => {
    const pair = ["--pair", "1150:EU_SERVICES_RC=1150", "--role", "contract_liability=63000"];
    const { rows } = answerOf(await ledger("map", [...pair, "--json"])) as Json;
    const row = { ledger_vat_code: null };
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ account_number: 1150, vat_code: "EU_SERVICES_RC", ledger_account: "1150" },
        ...row,
      }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ account_number: 8070, vat_code: "", ledger_account: "63000" }),
    );
  });

  it("refuses an account that charges another VAT rate, and names both", async () => {
    const before = answerOf(await ledger("map", ["--json"]));
    const refused = await ledger("map", ["--pair", "1000:DK25=1150"]);
    expect(refused).toMatchObject({ exit: 1, out: "" });
    expect(refused.err).toContain(
      "Account 1150 in the accounting system charges 0 % VAT, and DK25 is 25 %.",
    );
    expect(answerOf(await ledger("map", ["--json"]))).toEqual(before);
  });

  it.each([
    ["--pair", "1150", "--pair has the form 1000:DK25=1000 or 1000:DK25=1000:U25."],
    ["--role", "constructor=1", "--role is one of contract_asset, contract_liability"],
    ["--role", "contract_asset", "--role is one of contract_asset, contract_liability"],
  ])("refuses %s %s", async (option, value, message) => {
    const refused = await ledger("map", [option, value]);
    expect(refused).toMatchObject({ exit: 2, out: "" });
    expect(refused.err).toContain(message);
  });
});

it("matchbook ledger rotate-key seals the secrets of every connection with a new key", async () => {
  const { exit, err } = await ledger("rotate-key", []);
  expect(exit).toBe(0);
  expect(err).toMatch(
    /^[1-9]\d* connections and webhooks, and 0 authenticator apps are sealed with the key [0-9a-f]{12}, which all processes need\.\n$/,
  );
  expect(answerOf(await ledger("check", ["--json"])).state).toBe("connected");
  await issued();
});

it("matchbook ledger check exits with 1 if no booking is possible", async () => {
  await simulation().control("edit", { key: "key/sim-key", change: null });
  await simulation().control("revoke");
  const { exit, out } = await ledger("check", []);
  expect([exit, out.split("\n")[1]]).toEqual([1, "state        unauthorized (credentials)"]);
  await simulation().control("organisation", { key: "sim-key" });
  expect(await ledger("check", [])).toMatchObject({ exit: 0 });
});

describe("matchbook ledger resolve", () => {
  /** A draft that a user changes in Dinero during its booking. */
  const parked = async (): Promise<Json> => {
    const id = await draft();
    const held = gate();
    const met = wire().requests.filter(({ fault }) => fault !== null).length;
    wire().next(BOOK, { type: "hold_before", until: held.passed });
    const reply = issue(id);
    await wire().reached(met + 1);
    await edit(id, { net: "100", vat: "25" });
    held.open();
    expect(refusal(await reply)).toBe("409 LEDGER_REJECTED");
    return { id, intent_id: (await intentOf(id)).id };
  };
  const resolve = (intent_id: string, ...how: readonly string[]) =>
    ledger("resolve", ["--intent", intent_id, "--reason", "looked there", ...how]);

  it("adopts a document booked manually in Dinero, with its number and year", async () => {
    const { id, intent_id } = await parked();
    const number = 4_711;
    const change = { net: "100050", vat: "25013", Status: "Booked", Number: number };
    await edit(id, change);
    const short = await resolve(intent_id, "--adopt", `${id}:${number}`);
    expect(short).toMatchObject({ exit: 1, out: "" });
    expect(short.err).toContain("start again each year");
    const strange = await resolve(intent_id, "--adopt", `${id}:${number}:2062`);
    expect(strange.err).toContain("The document is dated 2026-11-20.");
    const first = await issued();
    const taken = (await world.done(`GET /invoices/${first}`)).ledger_invoice_number;
    const others = await resolve(intent_id, "--adopt", `${id}:${taken}:2026`);
    expect(others.err).toContain(`The number is that of ${first}.`);

    const adopted = await resolve(intent_id, "--adopt", `${id}:${number}:2026`, "--json");

    expect(answerOf(adopted)).toMatchObject({ intent_id, state: "settled", document_id: id });
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({
      status: "issued",
      ledger_invoice_number: number,
    });
    const { data } = await world.done(`GET /audit-events?resource_id=${intent_id}`);
    expect(data).toMatchObject([{ action: "booking_adopted", reason: "looked there" }]);
  });

  it("releases a document that was not booked, after two checks", async () => {
    const { id, intent_id } = await parked();
    for (let looks = 0; looks < 2; looks += 1) {
      await letTimePass();
      await world.rest(`POST /ledger/intents/${intent_id}/retry`);
    }
    expect((await resolve(intent_id, "--release")).out).toBe(`released ${id}\n`);
    await expectReleased(id);
    const again = await resolve(intent_id, "--release");
    expect(again).toMatchObject({ exit: 1, out: "" });
  });

  it.each([
    [["--adopt", "4711"], "--adopt must be LEDGER-ID:NUMBER or LEDGER-ID:NUMBER:YEAR."],
    [[], "Either --adopt or --release is required."],
    [["--adopt", "a:1", "--release"], "Either --adopt or --release is required."],
  ])("refuses %j", async (how, message) => {
    const refused = await resolve("01990000-0000-7000-8000-000000000009", ...how);
    expect(refused).toMatchObject({ exit: 2, out: "" });
    expect(refused.err).toContain(message);
  });
});

/** An invoice that was booked normally. */
async function issued(): Promise<string> {
  const id = await draft();
  expect(refusal(await issue(id))).toBe("200");
  await expectIssuedOnce(id);
  return id;
}
