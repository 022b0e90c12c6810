/** The commands for webhooks, each as a separate process. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { useWorld } from "../../test/support/world/world.ts";

const world = useWorld();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-cli-webhook-"));
  // The first call builds the program if it has not been built.
  expect(await runMatchbook({ folder, environment: {} }, "help")).toMatchObject({ exit: 0 });
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `matchbook webhook …` on the machine of the service, for its account. */
function webhook(command: string, ...args: string[]): Promise<Ended> {
  const environment = {
    DATABASE_URL: world.serving_url,
    MATCHBOOK_MIGRATION_DATABASE_URL: world.database_url,
    MATCHBOOK_OUTBOX_DIR: world.outbox_dir,
    MATCHBOOK_DATA_DIR: dirname(world.outbox_dir),
  };
  const of_account = ["--account", world.account.account_id];
  return runMatchbook({ folder, environment }, "webhook", command, ...of_account, ...args);
}

it("creates, lists, replays and disables endpoints", async () => {
  await world.done("POST /customers", { name: "Acme" });
  const url = "https://hooks.example/";
  const created = answerOf(
    await webhook("create", "--url", url, "--types", "customer.*,invoice.issued", "--json"),
  );
  expect(created).toMatchObject({ url, event_types: ["customer.*", "invoice.issued"] });
  expect(created.secret).toMatch(/^whsec_/);
  const listed = await webhook("list");
  expect(listed.out).toBe(
    `${created.id} enabled, 0 waiting: customer.*,invoice.issued to ${url}\n`,
  );
  const of_it = ["--endpoint", String(created.id)];
  const replayed = await webhook("replay", ...of_it, "--all", "--after", "0");
  expect(replayed).toMatchObject({ exit: 0, out: "1 events are sent again.\n" });
  expect((await webhook("deliveries", ...of_it)).out).toMatch(/Z pending customer\.created \d+ /);
  expect(answerOf(await webhook("deliveries", ...of_it, "--json"))).toHaveLength(1);
  const disabled = answerOf(await webhook("disable", ...of_it, "--json"));
  expect(disabled).toMatchObject({ status: "disabled", disabled_reason: "operator", backlog: 1 });
  expect((await webhook("list")).out).toContain("disabled (operator), 1 waiting");
});

it("says what is wrong", async () => {
  const wrong = await webhook(
    "create",
    "--url",
    "https://hooks.example/",
    "--types",
    "invoice.paid",
  );
  expect(wrong).toMatchObject({ exit: 2, out: "" });
  expect(wrong.err).toContain("event_types.0");
  const refused = await webhook("create", "--url", "http://hooks.example/", "--types", "*");
  expect(refused).toMatchObject({ exit: 1, out: "" });
  expect(refused.err).toContain("url: ");
  expect(await webhook("disable", "--endpoint", "ext:gone")).toMatchObject({ exit: 1 });
  expect(await webhook("disable", "--endpoint", "gone")).toMatchObject({ exit: 2 });
});
