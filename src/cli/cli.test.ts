/**
 * The command line as a separate process, on the database of a running service (spec 12.4): its output, its exit code, and
 * that the service can use the results immediately.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { refusal } from "../../test/support/http/refusal.ts";
import { answerOf, type Ended, runMatchbook } from "../../test/support/run/matchbook.ts";
import {
  copyDatabase,
  dropDatabase,
  type Json,
  servingUrl,
  useWorld,
} from "../../test/support/world/world.ts";
import { isPassword } from "../features/access/people/password.ts";
import { findLogin } from "../features/access/sign-in/sign-in.ts";
import { journalFormats } from "../features/ledger/reports/export.ts";

let folder: string;
const world = useWorld();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-cli-"));
  // The first call builds the program if it has not been built.
  expect(await matchbook("help")).toMatchObject({ exit: 0 });
});
afterAll(async () => {
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

const matchbook = (...args: string[]): Promise<Ended> => onDatabase(world.database_url, ...args);

function onDatabase(database_url: string, ...args: string[]): Promise<Ended> {
  const environment = {
    DATABASE_URL: servingUrl(database_url),
    MATCHBOOK_MIGRATION_DATABASE_URL: database_url,
    MATCHBOOK_OUTBOX_DIR: world.outbox_dir,
  };
  return runMatchbook({ folder, environment }, ...args);
}

const readWith = async (key: string) => refusal(await world.rest("GET /customers", undefined, key));
const writeWith = async (key: string) =>
  refusal(await world.rest("POST /customers", { name: "A" }, key));

describe("matchbook account create", () => {
  it("prints one JSON object, with keys that the running service accepts", async () => {
    const answer = answerOf(
      await matchbook(
        ...["account", "create", "--name", "Nørre & Co", "--admin-email", "admin@cli.example"],
        ...["--admin-password", "correct horse", "--currency", "SEK", "--json"],
      ),
    );

    expect(answer).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      admin: {
        user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: "admin@cli.example",
        password: "correct horse",
      },
      keys: {
        read: expect.stringMatching(/^mbk_\w{36}$/),
        read_write: expect.stringMatching(/^mbk_\w{36}$/),
      },
    });
    const keys = answer.keys as { read: string; read_write: string };
    expect([await readWith(keys.read), await writeWith(keys.read)]).toEqual([
      "200",
      "403 INSUFFICIENT_SCOPE",
    ]);
    expect(await writeWith(keys.read_write)).toBe("201");
    const configuration = await world.done("GET /configuration", undefined, keys.read);
    expect(configuration.functional_currency).toBe("SEK");
    const [account] = await world.sql("select name, sandbox from accounts where id = $1", [
      answer.account_id,
    ]);
    expect(account).toEqual({ name: "Nørre & Co", sandbox: false });
  });

  it("creates a sandbox and a password, and prints readable text without --json", async () => {
    const { exit, out, err } = await matchbook(
      ...["account", "create", "--name", "Sand", "--admin-email", "sand@cli.example", "--sandbox"],
    );

    expect([exit, err]).toEqual([0, ""]);
    const key = /read_write key (mbk_\w{36})/.exec(out)?.[1] ?? "";
    expect(await writeWith(key)).toBe("201");
    expect(out).toMatch(/^password {7}\S{20}$/m);
    const rows = await world.sql("select sandbox from accounts where name = 'Sand'");
    expect(rows).toEqual([{ sandbox: true }]);
  });
});

describe("matchbook key create", () => {
  it.each([
    ["read", "403 INSUFFICIENT_SCOPE"],
    ["read_write", "201"],
  ])("creates a key of scope %s", async (scope, write) => {
    const { account_id } = world.account;

    const answer = answerOf(
      await matchbook(
        ...["key", "create", "--account", account_id.toUpperCase(), "--scope", scope, "--json"],
      ),
    );

    const key = answer.key as string;
    expect(answer).toEqual({ account_id, id: expect.any(String), scope, key });
    expect([await readWith(key), await writeWith(key)]).toEqual(["200", write]);
  });
});

describe("matchbook key list and key revoke", () => {
  it("list every key of the account and revoke one immediately, with an audit event", async () => {
    const { account_id } = world.account;
    const account = ["--account", account_id];
    const made = answerOf(
      await matchbook(
        ...["key", "create", ...account, "--scope", "read", "--name", "Short", "--json"],
        ...["--expires-at", "2099-12-31"],
      ),
    );
    const keysNow = async () =>
      (answerOf(await matchbook("key", "list", ...account, "--json")) as Json).keys;
    const [short] = (await keysNow()).filter((key: Json) => key.id === made.id);
    expect(short).toMatchObject({ name: "Short", scope: "read", revoked_at: null });
    expect(short.expires_at).toBe("2100-01-01T00:00:00.000Z");
    expect(await readWith(made.key as string)).toBe("200");

    const revoked = await matchbook("key", "revoke", ...account, "--key", made.id as string);
    expect([revoked.exit, revoked.err]).toEqual([0, ""]);
    expect(await readWith(made.key as string)).toBe("401 UNAUTHORIZED");
    const [ended] = (await keysNow()).filter((key: Json) => key.id === made.id);
    expect(ended.revoked_at).not.toBeNull();
    const events = await world.sql(
      "select action, actor_kind from audit_events where account_id = $1 and resource_id = $2 order by seq",
      [account_id, made.id],
    );
    expect(events).toEqual([
      { action: "created", actor_kind: "operator" },
      { action: "revoked", actor_kind: "operator" },
    ]);
    const again = await matchbook("key", "revoke", ...account, "--key", made.id as string);
    expect([again.exit, again.err]).toEqual([1, expect.stringMatching(/^NOT_FOUND: /)]);
  });
});

describe("matchbook account list", () => {
  it("lists every account with its admins", async () => {
    const { accounts } = answerOf(await matchbook("account", "list", "--json")) as Json;
    const [own] = accounts.filter((one: Json) => one.id === world.account.account_id);
    expect(own).toMatchObject({ sandbox: false, admins: [world.account.admin.email] });
  });
});

describe("matchbook user password", () => {
  it("sets the password of the last admin, with an audit event of the operator", async () => {
    const { admin, account_id } = world.account;
    const answer = answerOf(await matchbook("user", "password", "--email", admin.email, "--json"));
    expect(answer).toEqual({ email: admin.email, password: expect.stringMatching(/^\S{20}$/) });
    const login = await findLogin(world.db, admin.email);
    expect(await isPassword(login?.password_hash ?? null, answer.password as string)).toBe(true);
    const [event] = await world.sql(
      "select actor_kind, actor_id, resource_id from audit_events where account_id = $1 and action = 'password_changed' order by seq desc limit 1",
      [account_id],
    );
    expect(event).toEqual({ actor_kind: "operator", actor_id: "cli", resource_id: admin.user_id });

    const unknown_one = await matchbook("user", "password", "--email", "unknown@cli.example");
    expect([unknown_one.exit, unknown_one.err]).toEqual([
      1,
      "There is no login unknown@cli.example: `user invite` prints a link for a user.\n",
    ]);
  });
});

describe("matchbook sign-in-link", () => {
  it("prints a link of a login with an active user, and refuses other addresses", async () => {
    const { email } = world.account.admin;
    const answer = answerOf(await matchbook("sign-in-link", "--email", email, "--json"));
    expect(answer).toEqual({
      email,
      minutes: 10,
      link: expect.stringMatching(/\/sign-in\/link\?token=[\w-]{43}$/),
    });
    const unknown_one = await matchbook("sign-in-link", "--email", "unknown@cli.example");
    expect([unknown_one.exit, unknown_one.out, unknown_one.err]).toEqual([
      1,
      "",
      "There is no login unknown@cli.example of an active user.\n",
    ]);
    expect((await matchbook("sign-in-link")).exit).toBe(2);
  });
});

describe("matchbook studio create", () => {
  it("refuses an address without a login", async () => {
    const refused = await matchbook("studio", "create", "--email", "unknown@cli.example");
    expect([refused.exit, refused.out, refused.err]).toEqual([
      1,
      "",
      "There is no login unknown@cli.example.\n",
    ]);
  });
});

describe("matchbook user reset-factor", () => {
  it("removes the factors of an address, with an audit event of the operator", async () => {
    const { admin, account_id } = world.account;
    await world.sql(
      "insert into passkeys (id, login_id, name, public_key, counter, transports) select 'key', id, 'Lost', '', 0, '{}' from logins where lower(email) = lower($1)",
      [admin.email],
    );
    const answer = answerOf(
      await matchbook("user", "reset-factor", "--email", admin.email, "--json"),
    );
    expect(answer).toEqual({ email: admin.email, reset: true });
    expect(await world.sql("select 1 from passkeys")).toEqual([]);
    const [event] = await world.sql(
      "select actor_kind, resource_id from audit_events where account_id = $1 and action = 'factors_reset'",
      [account_id],
    );
    expect(event).toEqual({ actor_kind: "operator", resource_id: admin.user_id });

    const unknown_one = await matchbook("user", "reset-factor", "--email", "unknown@cli.example");
    expect([unknown_one.exit, unknown_one.err]).toEqual([
      1,
      "There is no login unknown@cli.example.\n",
    ]);
  });
});

describe("matchbook user create", () => {
  it("creates a user that the API returns, and refuses a second one with the same address", async () => {
    const args = ["user", "create", "--account", world.account.account_id, "--name", "Ida"];
    const rest = ["--email", "ida@cli.example", "--role", "standard", "--json"];

    const answer = answerOf(await matchbook(...args, ...rest));

    expect(answer).toEqual({
      account_id: world.account.account_id,
      user_id: expect.any(String),
      email: "ida@cli.example",
      role: "standard",
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    expect(await world.done(`GET /users/${answer.user_id}`)).toMatchObject({
      name: "Ida",
      email: "ida@cli.example",
      role: "standard",
      active: true,
    });
    const again = await matchbook(...args, ...rest);
    expect([again.exit, again.out]).toEqual([1, ""]);
    expect(again.err).toMatch(/^EMAIL_TAKEN: /);
  });

  it("invites the owner of an existing login and does not change the login", async () => {
    const other = await world.openAnother();
    const email = world.account.admin.email;
    const args = ["user", "create", "--account", other.account_id, "--name", "Guest", "--json"];

    const answer = answerOf(await matchbook(...args, "--email", email, "--role", "standard"));

    expect(answer.password).toBeNull();
    const [user] = await world.sql("select login_id from users where id = $1", [answer.user_id]);
    expect(user.login_id).toBeNull();
    const mails = (await world.mails()).filter(({ to }) => to?.[0]?.address === email);
    const links = mails.flatMap(
      ({ text }) => /\/invitation\?token=[\w-]{43}/.exec(text ?? "") ?? [],
    );
    expect(links).toHaveLength(1);
  });
});

describe("matchbook user invite", () => {
  it("prints the link, and is refused for a user with a login", async () => {
    const { account_id, admin } = world.account;
    const user = await world.done("POST /users", { name: "Una", email: "una@cli.example" });
    const invite = (id: string) =>
      matchbook("user", "invite", "--account", account_id, "--user", id);

    const ended = await invite(user.id);

    expect(ended).toMatchObject({ exit: 0, err: "" });
    expect(ended.out).toMatch(/^http:\/\/\S+\/invitation\?token=[\w-]{43}\n$/);
    const refused = await invite(admin.user_id);
    expect([refused.exit, refused.out]).toEqual([1, ""]);
    expect(refused.err).toMatch(/^USER_HAS_LOGIN: /);
  });
});

describe("matchbook oauth rotate-keys", () => {
  it("creates a new key and states when it begins to sign", async () => {
    const ended = await matchbook("oauth", "rotate-keys");
    expect([ended.exit, ended.out]).toEqual([0, ""]);
    expect(ended.err).toMatch(/^In a minute, access tokens will be signed with the key [\w-]+\./);
    expect(await world.sql("select kid from oauth_keys where retired_at is null")).toHaveLength(1);
  });
});

describe("matchbook migrate", () => {
  it("reports on standard error, also that nothing is to be migrated", async () => {
    const template_url = inject("template_url");
    const url = await copyDatabase(template_url);
    try {
      expect(await onDatabase(url, "migrate")).toEqual({
        exit: 0,
        out: "",
        err: "Nothing to migrate.\n",
      });
    } finally {
      await dropDatabase(template_url, url);
    }
    const gone = await onDatabase(url, "migrate");
    expect([gone.exit, gone.out]).toEqual([1, ""]);
    expect(gone.err).toContain("does not exist");
  });
});

describe("matchbook distribute", () => {
  it("changes nothing on a server without Citus, and says so", async () => {
    const ended = await matchbook("distribute");
    expect([ended.exit, ended.out]).toEqual([2, ""]);
    expect(ended.err).toMatch(/^This server does not have the extension citus: nothing was/);
  });
});

describe("matchbook resume", () => {
  it("resumes the background work of a restored database once", async () => {
    await world.sql("insert into background_pause values (true, clock_timestamp())");
    const said = (err: string) => ({ exit: 0, out: "", err });
    expect(await matchbook("resume")).toEqual(said("Background work continues.\n"));
    expect(await matchbook("resume")).toEqual(said("Background work was not paused.\n"));
    expect(await world.services.background.isPaused()).toBe(false);
  });

  it("takes nothing but `continue` for webhooks", async () => {
    for (const argv of [
      ["resume", "--webhooks=send"],
      ["serve", "--webhooks=continue"],
    ]) {
      const ended = await matchbook(...argv);
      expect([ended.exit, ended.out]).toEqual([2, ""]);
      expect(ended.err).toContain("--webhooks");
    }
  });

  it("begins new feeds of events on request", async () => {
    const feeds = () => world.sql("select feed_id from audit_heads order by account_id");
    const before = await feeds();
    const ended = await matchbook("resume", "--new-feed");
    expect([ended.exit, ended.err]).toEqual([
      0,
      "New feeds of events have begun: programs that follow the earlier ones get FEED_RESET.\nBackground work was not paused.\n",
    ]);
    const after = await feeds();
    expect(after).toHaveLength(before.length);
    for (const [at, { feed_id }] of after.entries()) expect(feed_id).not.toBe(before[at].feed_id);
  });
});

describe("matchbook verify", () => {
  it("exits with 0 if the books of all accounts are correct, and with 1 otherwise", async () => {
    const right = await matchbook("verify", "--json");
    const { ok, accounts } = answerOf(right) as Json;
    expect([ok, accounts.length]).toEqual([true, accounts.filter((one: Json) => one.ok).length]);
    expect(accounts[0].checks.map((one: Json) => one.name)).toContain("documents");

    const { account_id } = world.account;
    await world.sql("update audit_heads set seq = seq + 1 where account_id = $1", [account_id]);
    const wrong = await matchbook("verify", "--account", account_id);
    await world.sql("update audit_heads set seq = seq - 1 where account_id = $1", [account_id]);
    expect([wrong.exit, wrong.err]).toEqual([1, ""]);
    expect(wrong.out).toMatch(
      /^account .*: audit_trail at \d+: the event is missing\n1 account is/,
    );
    expect((await matchbook("verify", "--account", account_id)).exit).toBe(0);
  });
});

describe("matchbook inspect", () => {
  it("describes the resources of a reference, as text and as JSON", async () => {
    const { account_id } = world.account;
    const customer = await world.done("POST /customers", { name: "Odd", external_id: "odd" });
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      external_id: "odd",
    });

    const { exit, out, err } = await matchbook("inspect", "ext:odd", "--account", account_id);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toContain(`customer ${customer.id}, account ${account_id}\n`);
    expect(out).toMatch(new RegExp(`^invoice ${id}, account .*\n(?:  .*\n)*  status draft\n`, "m"));
    expect(out).toContain(`\n\`POST /invoices/${id}/issue\` issues it.\n\nAudit events\n  at `);
    const { found } = answerOf(await matchbook("inspect", id, "--json")) as Json;
    expect(found).toMatchObject([
      { kind: "invoice", id, account_id, events: [{ action: "created" }] },
    ]);

    const nothing = await matchbook("inspect", "ext:unknown");
    expect(nothing).toEqual({ exit: 1, out: "", err: 'There is no resource "ext:unknown".\n' });
  });
});

describe("matchbook help", () => {
  it.each(["help", "--help"])("is printed on standard output for `%s`", async (word) => {
    const { exit, out, err } = await matchbook(word);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Usage: matchbook <command>\n/);
    expect(out).toContain("\n  verify ");
  });
});

describe("matchbook --version", () => {
  it("prints the version", async () => {
    const said = await matchbook("--version");
    expect(said).toEqual({
      exit: 0,
      out: expect.stringMatching(/^matchbook \d+\.\d+\.\d+\n$/),
      err: "",
    });
  });
});

describe("an invalid command", () => {
  it("exits with 2, no standard output, and a sentence", async () => {
    const account = ["--account", world.account.account_id];
    const calls: [string[], RegExp][] = [
      [[], /^Usage: matchbook/],
      [[], new RegExp(`--format ${journalFormats.join("\\|")}`)],
      [
        ["acount", "create"],
        /^There is no command "acount create"\. Did you mean `account create`\?/,
      ],
      [["servve"], /Did you mean `serve`\?/],
      [
        ["export", "everything"],
        /There is `export journal`\. `matchbook help` lists all commands\.\n$/,
      ],
      [
        ["key", "create", ...account, "--scope", "read", "--expires-at", "soon"],
        /--expires-at must be a date/,
      ],
      [["account", "create", "--admin-email", "a@x.example"], /--name is required/],
      [["inspect", "--json"], /^The first argument is the resource to inspect/],
      [["key", "create", "--account", "17", "--scope", "read"], /--account must be/],
      [["key", "create", ...account, "--scope", "write"], /--scope must be/],
      [["key", "create", ...account, "--scope", "read", "--colour", "red"], /--colour/],
      [
        ["user", "create", ...account, "--name", "A", "--email", "a@x.example", "--role", "root"],
        /--role must be/,
      ],
    ];

    const ended = await Promise.all(calls.map(([args]) => matchbook(...args)));

    for (const [index, [args, sentence]] of calls.entries()) {
      const name = args.join(" ");
      expect([ended[index]?.exit, ended[index]?.out], name).toEqual([2, ""]);
      expect(ended[index]?.err, name).toMatch(sentence);
    }
  });

  it("exits with 1 for an account that does not exist", async () => {
    const unknown_one = "0190a000-0000-7000-8000-000000000000";

    const ended = await matchbook(
      "key",
      "create",
      "--account",
      unknown_one,
      "--scope",
      "read",
      "--json",
    );

    expect(ended).toEqual({ exit: 1, out: "", err: `There is no account ${unknown_one}.\n` });
  });
});
