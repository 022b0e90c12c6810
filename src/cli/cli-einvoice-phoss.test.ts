/** The commands for a connection to phoss-ap, each as a separate process, with a simulation of it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  openPhossSimulation,
  SIMULATED_TOKEN,
} from "../../test/support/einvoice/phoss-ap/simulation.ts";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { useWorld } from "../../test/support/world/world.ts";

const world = useWorld();
let simulation: Awaited<ReturnType<typeof openPhossSimulation>>;
beforeAll(async () => {
  simulation = await openPhossSimulation();
});
afterAll(() => simulation.close());

/** Runs `matchbook einvoice …` on the machine of the service, for its account. */
function einvoice(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Ended> {
  const [command = "", ...options] = args;
  const of_account = ["--account", world.account.account_id];
  return runMatchbook({ world, environment }, "einvoice", command, ...of_account, ...options);
}

const TOKEN = { MATCHBOOK_EINVOICE_TOKEN: SIMULATED_TOKEN };
const HOSTS = { MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1" };
const connect = (given: Readonly<Record<string, string>>, ...more: string[]) =>
  einvoice(given, "connect", "--kind", "phoss-ap", "--url", simulation.origin, ...more);

it("connects with the token of the environment, and shows it nowhere", async () => {
  const connected = await connect({ ...TOKEN, ...HOSTS }, "--json");
  expect(answerOf(connected)).toMatchObject({
    kind: "phoss-ap",
    state: "connected",
    formats: ["peppol-bis-3"],
    envelope: "none",
    settings: { url: simulation.origin },
  });
  const shown = await einvoice(HOSTS, "show", "--json");
  expect(`${connected.out}${shown.out}`).not.toContain(SIMULATED_TOKEN);
  expect(await world.done("GET /einvoice/connection")).toMatchObject({ kind: "phoss-ap" });
  // The sealed token works without the environment.
  expect(await einvoice(HOSTS, "check")).toMatchObject({ exit: 0 });
  await simulation.control("switches", { token: "another" });
  const refused = await einvoice(HOSTS, "check", "--json");
  expect(refused.exit).toBe(1);
  expect(refused.out).toContain("unauthorized");
  await simulation.control("switches", { token: SIMULATED_TOKEN });
  expect(await einvoice(HOSTS, "disconnect")).toMatchObject({ exit: 0 });
});

it.each<[string, Readonly<Record<string, string>>, string]>([
  ["a host that is not listed", TOKEN, "MATCHBOOK_EINVOICE_HOSTS"],
  ["a wrong token", { ...HOSTS, MATCHBOOK_EINVOICE_TOKEN: "wrong" }, "refuses the token"],
  ["no token", HOSTS, "X-Token"],
])("stores nothing with %s", async (_, given, reason) => {
  const refused = await connect(given);
  expect(refused.exit).toBeGreaterThan(0);
  expect(refused.err).toContain(reason);
  expect(answerOf(await einvoice(HOSTS, "show", "--json"))).toMatchObject({ kind: "none" });
});

it("refuses an address that is none", async () => {
  const given = { ...TOKEN, ...HOSTS };
  const refused = await einvoice(given, "connect", "--kind", "phoss-ap", "--url", "ap.example");
  expect(refused.exit).toBeGreaterThan(0);
  expect(refused.err).toContain("`url` must be the address of the access point");
});
