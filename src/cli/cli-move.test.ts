/** The command that moves the books, as a separate process, against a simulation of Dinero. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDineroSimulation } from "../../test/support/ledger/dinero/simulation.ts";
import { openMoving, organisationOf } from "../../test/support/ledger/moving.ts";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { useWorld } from "../../test/support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
const ORG = 270_300;
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
});
afterAll(() => simulation?.close());

function move(account_id: string, args: readonly string[], input = ""): Promise<Ended> {
  const run = { world, environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" }, input };
  return runMatchbook(run, "ledger", "move", "--account", account_id, ...args);
}

it("lists what blocks, tries without a change, and moves the books", async () => {
  const { studio, account_id, done } = await openMoving(world, "2026-03-10");
  const { client_secret, api_key, ...settings } = await organisationOf(simulation, ORG);
  const secrets = JSON.stringify({ client_secret, api_key });
  const shown = Object.entries(settings).flatMap(([name, value]) => [
    `--${name.replaceAll("_", "-")}`,
    value,
  ]);
  const accounts = [
    "--pair=1010:DK25=1000",
    "--role=contract_asset=57000",
    "--role=contract_liability=63000",
  ];
  const args = ["--to=dinero", ...shown, ...accounts, "--opening=55000", "--secrets-from-stdin"];
  await studio.issued([studio.service(12_000, "2026-03-01", "2027-02-28")]);
  const blocked = await move(account_id, args, secrets);
  expect(blocked).toMatchObject({ exit: 1, out: "" });
  expect(blocked.err).toMatch(/^month_not_closed: No month is closed\. Close \d{4}-\d\d with/);
  expect(blocked.err).toContain("MOVE_BLOCKED");

  await studio.closed("2026-02");
  studio.at("2026-04-05");
  await studio.closed("2026-03");
  const dry = answerOf(await move(account_id, [...args, "--dry-run", "--json"], secrets));
  expect(dry).toMatchObject({ is_dry_run: true, state: "moving", begins_on: "2026-04-01" });
  expect((await done("GET /ledger/moves")).data).toEqual([]);

  const moved = await move(account_id, args, secrets);
  expect(moved).toMatchObject({ exit: 0, err: "" });
  expect(moved.out.split("\n").slice(0, 3)).toEqual([
    "move         builtin to dinero",
    "state        completed",
    "begins on    2026-04-01",
  ]);
  expect(await done("GET /ledger/connection")).toMatchObject({ kind: "dinero" });
});

it("refuses wrong arguments", async () => {
  const { account_id } = world.account;
  const unknown = await move(account_id, ["--to", "abacus"]);
  expect(unknown).toMatchObject({ exit: 2, out: "" });
  expect(unknown.err).toContain("--to is one of: builtin, dinero, tryton");
  expect(await move(account_id, [])).toMatchObject({ exit: 2, out: "" });
  const same = await move(account_id, ["--to", "builtin"]);
  expect(same).toMatchObject({ exit: 1, out: "" });
  expect(same.err).toContain("The account books there already.");
});
