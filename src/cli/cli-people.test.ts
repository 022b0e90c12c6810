/**
 * `matchbook user update` as a separate process, on the database of a running service and without a service.
 * It may change admins, which an API key may not.
 */
import { describe, expect, inject, it } from "vitest";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import { userByOperator } from "../../test/support/world/people.ts";
import {
  copyDatabase,
  dropDatabase,
  type Json,
  servingUrl,
  useWorld,
} from "../../test/support/world/world.ts";
import { endKey, mintKey } from "../features/access/api-keys/mint.ts";
import { run } from "../platform/commands/command.ts";
import { fullAccess } from "../platform/commands/context.ts";
import { transact } from "../platform/commands/tx.ts";
import { contextFor } from "../platform/runtime/services.ts";
import { findPerson, personCaller } from "../platform/security/person.ts";

const world = useWorld();

function onDatabase(database_url: string, ...args: string[]): Promise<Ended> {
  const { outbox_dir } = world;
  const machine = { serving_url: servingUrl(database_url), database_url, outbox_dir };
  return runMatchbook({ world: machine }, ...args);
}

const matchbook = (...args: string[]): Promise<Ended> => onDatabase(world.database_url, ...args);
const update = (ref: string, ...args: string[]): Promise<Ended> =>
  matchbook("user", "update", "--account", world.account.account_id, "--user", ref, ...args);

/** The context of a user, as on a page. */
async function contextOfUser(user_id: string) {
  const row = await findPerson(world.db, world.account.account_id, user_id);
  if (row === undefined) throw new Error("there is no such user");
  return contextFor(world.services, personCaller(row, fullAccess, null), world.services.log);
}

const mailsTo = async (address: string): Promise<string[]> =>
  (await world.mails())
    .filter(({ to }) => to?.[0]?.address === address)
    .map(({ subject }) => subject ?? "");

describe("matchbook user update", () => {
  it("promotes a user to admin, changes their address and demotes them, with audit events and e-mails", async () => {
    const { account_id, admin } = world.account;
    const made = await world.done("POST /users", {
      name: "Una",
      email: "una@cli.example",
      external_id: "una",
    });

    const promoted = answerOf(await update("ext:una", "--role", "admin", "--json"));

    expect(promoted).toMatchObject({
      account_id,
      user_id: made.id,
      name: "Una",
      email: "una@cli.example",
      role: "admin",
      active: true,
    });
    expect(await mailsTo(admin.email)).toContainEqual(
      expect.stringMatching(/^Una er nu administrator hos /),
    );
    const moved = answerOf(
      await update(made.id, "--email", "una2@cli.example", "--name", "Una B.", "--json"),
    );
    expect(moved).toMatchObject({ name: "Una B.", email: "una2@cli.example", role: "admin" });
    expect(await mailsTo("una2@cli.example")).toEqual([expect.stringMatching(/^Invitation til /)]);
    const demoted = await update(made.id, "--role", "standard", "--inactive");
    expect(demoted).toEqual({
      exit: 0,
      out: `${made.id}  Una B.  una2@cli.example  standard  inactive\n`,
      err: "",
    });
    expect(await world.done(`GET /users/${made.id}`)).toMatchObject({
      name: "Una B.",
      role: "standard",
      active: false,
    });
    const events = await world.sql(
      "select action, actor_kind from audit_events where account_id = $1 and resource_id = $2 order by seq",
      [account_id, made.id],
    );
    expect(events.map(({ action, actor_kind }: Json) => `${action} by ${actor_kind}`)).toEqual([
      "created by api_key",
      "updated by operator",
      "updated by operator",
      "updated by operator",
    ]);
  });

  it("lists the keys of a demoted or deactivated user with the command to revoke each", async () => {
    const { account_id } = world.account;
    const ida = await userByOperator(world, { name: "Ida", email: "ida@cli.example" });
    const cx = await contextOfUser(ida.id);
    const kept = await transact(cx, (tx) => mintKey(tx, { name: "Valid", scope: "read_write" }));
    const revoked = await transact(cx, (tx) => mintKey(tx, { name: "Ended", scope: "read" }));
    await run(endKey, cx, { id: revoked.id });

    const listed = answerOf(await matchbook("key", "list", "--account", account_id, "--json"));
    const keys = (listed as Json).keys as Json[];
    expect(keys.find(({ id }) => id === kept.id)).toMatchObject({
      created_by: ida.id,
      created_by_name: "Ida",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(keys.find(({ name }) => name === "First read key").created_by).toBeNull();
    const words = await matchbook("key", "list", "--account", account_id);
    expect(words.out).toMatch(
      new RegExp(`^${kept.id} .* made \\d{4}-\\d\\d-\\d\\d by Ida  Valid$`, "m"),
    );

    const demoted = answerOf(await update(ida.id, "--role", "standard", "--json")) as Json;
    const revoke = `matchbook key revoke --account ${account_id} --key ${kept.id}`;
    expect(demoted.keys).toMatchObject([
      { id: kept.id, name: "Valid", created_by: ida.id, revoke },
    ]);
    const deactivated = await update(ida.id, "--inactive");
    expect(deactivated.out.split("\n")).toEqual([
      `${ida.id}  Ida  ida@cli.example  standard  inactive`,
      "Keys created by Ida remain valid until they are revoked:",
      expect.stringMatching(new RegExp(`^Valid  mbk_\\w{6}…  read_write  ${revoke}$`)),
      "",
    ]);
    expect((await world.rest("GET /customers", undefined, kept.key)).status).toBe(200);
    expect((await matchbook(...revoke.split(" ").slice(1))).exit).toBe(0);
    expect((await world.rest("GET /customers", undefined, kept.key)).status).toBe(401);
    expect((answerOf(await update(ida.id, "--inactive", "--json")) as Json).keys).toEqual([]);
  });

  it("creates an admin and notifies the other admins", async () => {
    const { account_id, admin } = world.account;
    const fields = ["--name", "Ole", "--email", "ole@cli.example", "--role", "admin"];
    expect((await matchbook("user", "create", "--account", account_id, ...fields)).exit).toBe(0);
    expect(await mailsTo(admin.email)).toContainEqual(
      expect.stringMatching(/^Ole er nu administrator hos /),
    );
  });

  it("refuses to deactivate the last active admin", async () => {
    const other = await world.openAnother();
    const ended = await matchbook(
      ...["user", "update", "--account", other.account_id, "--user", other.admin.user_id],
      "--inactive",
    );
    expect([ended.exit, ended.out]).toEqual([1, ""]);
    expect(ended.err).toMatch(/^LAST_ADMIN: /);
  });

  it("works without a running service", async () => {
    const template_url = inject("template_url");
    const url = await copyDatabase(template_url);
    try {
      const opened = answerOf(
        await onDatabase(
          url,
          ...["account", "create", "--name", "Alone", "--admin-email", "a@cli.example", "--json"],
        ),
      ) as Json;
      const args = ["--account", opened.account_id, "--user", opened.admin.user_id];
      const ended = await onDatabase(url, "user", "update", ...args, "--name", "Ada", "--json");
      expect(answerOf(ended)).toMatchObject({ name: "Ada", role: "admin", active: true });
    } finally {
      await dropDatabase(template_url, url);
    }
  });

  it.each<[string, string[], number, RegExp]>([
    ["a command without a change", [], 2, /^Name at least one change: --name/],
    ["both states", ["--active", "--inactive"], 2, /exclude each other/],
    ["an unknown role", ["--role", "root"], 2, /^--role must be admin or standard/],
    ["an invalid address", ["--email", "none"], 2, /is not a single e-mail address/],
    ["an empty name", ["--name", ""], 2, /^--name must have 1 to 255 characters/],
  ])("refuses %s", async (_what, args, exit, sentence) => {
    const ended = await update(world.account.admin.user_id, ...args);
    expect([ended.exit, ended.out]).toEqual([exit, ""]);
    expect(ended.err).toMatch(sentence);
  });

  it("refuses an unknown user and an invalid reference", async () => {
    const absent = await update("ext:unknown", "--name", "A");
    expect([absent.exit, absent.err]).toEqual([1, expect.stringMatching(/^NOT_FOUND: /)]);
    const odd = await update("unknown", "--name", "A");
    expect([odd.exit, odd.err]).toEqual([
      2,
      expect.stringMatching(/^--user must be the user's id/),
    ]);
  });
});
