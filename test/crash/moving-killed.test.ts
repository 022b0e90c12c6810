/**
 * The command that moves the books is killed with SIGKILL again and again, at different moments, while it calls a slow simulation
 * of Dinero. The same command then ends the move: one move, one voucher, and the balances of the accruals to the minor unit.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { balancesOf, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { type Ended, runMatchbook } from "../support/run/matchbook.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
const ORG = 270_400;
/** The moments of the kills, in milliseconds after the start: from before the first call to after the last one. */
const KILLS = [900, 1_400, 1_800, 2_200, 2_600, 3_000, 3_400, 4_000];
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
  // The first call builds the program if it has not been built.
  expect(await runMatchbook({ world }, "help")).toMatchObject({ exit: 0 });
});
afterAll(() => simulation?.close());

it("ends once, whenever its process dies", async () => {
  const { studio, account_id, done } = await openMoving(world, "2026-03-10");
  await studio.issued([studio.service(12_000, "2026-03-01", "2027-02-28")]);
  await studio.closed("2026-02");
  studio.at("2026-04-05");
  await studio.closed("2026-03");
  const { client_secret, api_key, ...settings } = await organisationOf(simulation, ORG);
  await simulation.control("switches", { delay_ms: 150 });
  const environment = {
    MATCHBOOK_LEDGER_HOSTS: "127.0.0.1",
    MATCHBOOK_LEDGER_CLIENT_SECRET: client_secret ?? "",
    MATCHBOOK_LEDGER_API_KEY: api_key ?? "",
  };
  const args = ["ledger", "move", "--account", account_id, "--to=dinero", "--opening=55000"];
  for (const [name, value] of Object.entries(settings)) {
    args.push(`--${name.replaceAll("_", "-")}`, value);
  }
  args.push("--pair=1010:DK25=1000", "--role=contract_asset=57000");
  args.push("--role=contract_liability=63000");
  const move = (timeout_ms = 60_000): Promise<Ended | "killed"> =>
    runMatchbook({ world, environment, timeout_ms }, ...args).catch(() => "killed" as const);
  // The lease of a process that died ends.
  const letLeaseExpire = () =>
    world.sql(
      `update intents set lease_until = clock_timestamp() - interval '1 second',
         next_attempt_at = clock_timestamp() - interval '1 second' where account_id = $1`,
      [account_id],
    );

  let killed = 0;
  for (const moment of KILLS) {
    if ((await move(moment)) === "killed") killed += 1;
    await letLeaseExpire();
  }
  expect(killed).toBeGreaterThan(0);
  await simulation.control("switches", { delay_ms: 0 });
  const [before] = (await done("GET /ledger/moves")).data;
  if (before?.state !== "completed") {
    expect(await move()).toMatchObject({ exit: 0, err: "" });
  }
  const { data } = await done("GET /ledger/moves");
  expect(data).toMatchObject([{ state: "completed", voucher: { number: expect.any(Number) } }]);
  expect(balancesOf(await simulation.books(ORG))).toEqual({ 63000: -1_100_000, 55000: 1_100_000 });
  expect((await done("GET /ledger/verification?fresh=true")).ok).toBe(true);
  const invoice = await studio.issued([studio.value(100)]);
  expect(invoice.status).toBe("issued");
}, 120_000);
