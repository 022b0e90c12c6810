/** Users over REST (spec 7.1, 11.2 and 12.6). */
import pg from "pg";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { changedByOperator, userByOperator } from "../../../../test/support/world/people.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { Problem } from "../../../domain/base/problem.ts";

const world = useWorld();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

let count = 0;
function create(fields: Json = {}, key?: string): Promise<Json> {
  count += 1;
  return world.done(
    "POST /users",
    { name: "Ida", email: `ida-${count}@x.example`, ...fields },
    key,
  );
}

describe("POST /users", () => {
  it("creates an active standard user with every field", async () => {
    const { status, body } = await world.rest("POST /users", { name: "Bo", email: "bo@x.example" });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "user",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_id: null,
      name: "Bo",
      email: "bo@x.example",
      role: "standard",
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    });
    expect(await world.done(`GET /users/${body.id}`)).toEqual(body);
  });

  it("creates a user with an external id", async () => {
    const created = await create({ role: "standard", external_id: "hr-1" });

    expect(created).toMatchObject({ role: "standard", external_id: "hr-1" });
    expect(await world.done("GET /users/ext:hr-1")).toEqual(created);
  });

  it.each<[string, Json, string]>([
    ["no name and no address", {}, "name required, email required"],
    ["an empty name", { name: "", email: "a@x.example" }, "name too_short"],
    ["two addresses", { name: "A", email: "a@x.example,b@x.example" }, "email invalid_format"],
    ["an address of null", { name: "A", email: null }, "email invalid_type"],
    ["an unknown role", { name: "A", email: "a@x.example", role: "owner" }, "role invalid_value"],
  ])("refuses %s", async (_what, body, faults) => {
    expect(refusal(await world.rest("POST /users", body))).toBe(`${INVALID} ${faults}`);
  });

  it("refuses an address that is already used in the account, in any case", async () => {
    await create({ email: "kim@x.example" });

    for (const email of ["kim@x.example", "KIM@X.example"]) {
      expect(refusal(await world.rest("POST /users", { name: "Kim", email }))).toBe(
        "409 EMAIL_TAKEN",
      );
    }
  });

  it("lets another account use the same address", async () => {
    const { keys } = await world.openAnother();
    const mine = await create({ email: "both@x.example" });

    const others = await create({ email: "both@x.example" }, keys.read_write);

    expect(others.id).not.toBe(mine.id);
  });

  it("returns the existing user when the same external id and content are sent again", async () => {
    const sent = { name: "Ann", email: "ann@x.example", external_id: "ann" };
    const made = await world.done("POST /users", sent);
    const again = await world.rest("POST /users", { ...sent, role: "standard" });
    const moved = await world.done("PATCH /users/ext:ann", { email: "ann2@x.example" });

    expect([again.status, again.body]).toEqual([200, made]);
    const late = await world.rest("POST /users", sent);
    expect([late.status, late.body]).toEqual([200, moved]);
    const other = await world.rest("POST /users", { ...sent, name: "Anna" });
    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it("needs a key that may write", async () => {
    expect(refusal(await world.rest("POST /users", {}, null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest("POST /users", {}, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("GET /users/{ref}", () => {
  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["me", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`GET /users/${ref}`))).toBe(expected);
    expect(refusal(await world.rest(`PATCH /users/${ref}`, {}))).toBe(expected);
  });

  it("does not show another account's user", async () => {
    const { admin } = await world.openAnother();

    expect(refusal(await world.rest(`GET /users/${admin.user_id}`))).toBe("404 NOT_FOUND");
  });
});

describe("PATCH /users/{ref}", () => {
  it("accepts an empty object and changes nothing, not even updated_at", async () => {
    const before = await create();

    const { status, body } = await world.rest(`PATCH /users/${before.id}`, {});

    expect([status, body]).toEqual([200, before]);
  });

  it("changes only the fields sent", async () => {
    const before = await create();
    const changes = { name: "Eva", active: false };

    const changed = await world.done(`PATCH /users/${before.id}`, changes);

    expect(changed).toEqual({ ...before, ...changes, updated_at: changed.updated_at });
    expect(changed.updated_at >= before.updated_at).toBe(true);
    expect(await world.done(`GET /users/${before.id}`)).toEqual(changed);
  });

  it("lets a user change the case of their own address, but not take another user's", async () => {
    const one = await create({ email: "own@x.example" });
    const two = await create();

    expect(await world.done(`PATCH /users/${one.id}`, { email: "Own@X.example" })).toMatchObject({
      email: "Own@X.example",
    });
    const taken = await world.rest(`PATCH /users/${two.id}`, { email: "OWN@x.example" });
    expect(refusal(taken)).toBe("409 EMAIL_TAKEN");
  });

  it.each<[Json, string]>([
    [{ name: null }, "name invalid_type"],
    [{ email: "none" }, "email invalid_format"],
    [{ role: "root" }, "role invalid_value"],
    [{ active: "no" }, "active invalid_type"],
  ])("refuses %j", async (changes, fault) => {
    const { id } = await create();

    expect(refusal(await world.rest(`PATCH /users/${id}`, changes))).toBe(`${INVALID} ${fault}`);
  });

  it("keeps the assignments of a deactivated user, and allows no new ones", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Acme" });
    const product = await world.done("POST /products", { name: "Work", default_price: 10 });
    const { id: user_id } = await create();
    const lines = [
      { product_id: product.id, recognition_method: "value", assignees: [{ user_id }] },
    ];
    const draft = await world.done("POST /invoices", { customer_id, lines });
    await world.done(`PATCH /users/${user_id}`, { active: false });

    expect(await world.done(`GET /invoices/${draft.id}`)).toEqual(draft);
    const refused = await world.rest("POST /invoices", { customer_id, lines });
    expect(refusal(refused)).toBe(`${INVALID} lines[0].assignees[0].user_id unknown_reference`);
    const { status, body } = await world.rest(`PATCH /invoices/${draft.id}`, {
      lines: draft.lines,
    });
    expect([status, body]).toEqual([200, draft]);
  });
});

describe("an admin", () => {
  const moved = (): string => {
    count += 1;
    return `moved-${count}@x.example`;
  };

  it("is not created by a key", async () => {
    const fields = { name: "Own", email: "own-address@x.example", role: "admin" };
    expect(refusal(await world.rest("POST /users", fields))).toBe("403 ROLE_FORBIDDEN");
    const { data } = await world.done("GET /users?limit=100");
    expect(data.filter(({ email }: Json) => email === fields.email)).toEqual([]);

    const { id } = await create();
    const promoted = await world.rest(`PATCH /users/${id}`, { role: "admin" });
    expect(refusal(promoted)).toBe("403 ROLE_FORBIDDEN");
    expect((await world.done(`GET /users/${id}`)).role).toBe("standard");
  });

  it.each<[string, () => Json]>([
    ["the address", () => ({ email: moved() })],
    ["the role", () => ({ role: "standard" })],
    ["the active state", () => ({ active: false })],
    ["name and address", () => ({ name: "Other", email: moved() })],
  ])("keeps %s when a key tries to change it", async (_what, changes) => {
    const admin = await userByOperator(world, { name: "Second", email: moved() });

    const reply = await world.rest(`PATCH /users/${admin.id}`, changes());

    expect(refusal(reply)).toBe("403 ROLE_FORBIDDEN");
    expect(await world.done(`GET /users/${admin.id}`)).toEqual(admin);
  });

  it("who is inactive is not activated by a key", async () => {
    const { id } = await userByOperator(world, { name: "Gone", email: moved() });
    await changedByOperator(world, id, { active: false });

    const reply = await world.rest(`PATCH /users/${id}`, { active: true });

    expect(refusal(reply)).toBe("403 ROLE_FORBIDDEN");
  });

  it("may be renamed by a key, and sent back as it was read", async () => {
    const admin = await userByOperator(world, { name: "Before", email: moved() });
    const { name: _, email, role, active } = admin;

    const changes = { name: "After", email, role, active };
    expect(await world.done(`PATCH /users/${admin.id}`, changes)).toMatchObject({ name: "After" });
  });

  it("is announced by mail to every other active admin, in the language of the account", async () => {
    const { admin, account_id } = await world.openAnother();
    const make = (fields: { name: string; email: string }) =>
      userByOperator(world, fields, account_id);
    const reported = async (address: string) =>
      (await world.mails())
        .filter(({ to }) => to?.[0]?.address === address)
        .map(({ subject }) => subject ?? "")
        .filter((subject) => /administrator|is now an admin/.test(subject));
    const [account] = await world.sql("select name from accounts where id = $1", [account_id]);

    const second = await make({ name: "Second", email: moved() });
    expect(await reported(admin.email)).toEqual([`Second er nu administrator hos ${account.name}`]);
    expect(await reported(second.email)).toEqual([]);

    await world.sql(
      "update configurations set invoice_language_key = 'en-GB' where account_id = $1",
      [account_id],
    );
    const fields = { name: "Third", email: moved(), role: "standard" } as const;
    const third = await userByOperator(world, fields, account_id);
    expect(await reported(second.email)).toEqual([]);
    const change = (changes: Json) => changedByOperator(world, third.id, changes, account_id);
    await change({ role: "admin" });
    await change({ name: "Third again" });
    const sentence = `Third is now an admin of ${account.name}`;
    expect(await reported(second.email)).toEqual([sentence]);
    expect(await reported(admin.email)).toHaveLength(2);
    expect(await reported(third.email)).toEqual([]);
    const mails = (await world.mails()).filter(({ subject }) => subject === sentence);
    expect(mails[0]?.text).toContain(`Third (${third.email}) was made an admin of ${account.name}`);

    // A reactivated admin is a new admin again, and a former admin gets no notice.
    await changedByOperator(world, second.id, { active: false }, account_id);
    await change({ active: false });
    await change({ active: true });
    expect(await reported(admin.email)).toHaveLength(3);
    expect(await reported(second.email)).toHaveLength(1);
  });
});

describe("the last active admin", () => {
  /** Resolves when this many sessions wait for a lock. */
  async function waiting(sessions: number): Promise<void> {
    for (;;) {
      const rows = await world.sql(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (rows.length >= sessions) return;
    }
  }

  const another = (account_id: string): Promise<Json> => {
    count += 1;
    return userByOperator(world, { name: "Ida", email: `admin-${count}@x.example` }, account_id);
  };
  const refused = (change: Promise<Json>): Promise<string> =>
    change.then(
      () => "done",
      (error: Problem) => error.code,
    );

  it.each<[string, Json]>([
    ["demoted", { role: "standard" }],
    ["deactivated", { active: false }],
    ["both", { role: "standard", active: false }],
  ])("is not %s", async (_what, changes) => {
    const { admin, account_id, keys } = await world.openAnother();
    await create({}, keys.read_write);
    const idle = await another(account_id);
    await changedByOperator(world, idle.id, { active: false }, account_id);

    const change = changedByOperator(world, admin.user_id, changes, account_id);

    expect(await refused(change)).toBe("LAST_ADMIN");
    const stored = await world.done(`GET /users/${admin.user_id}`, undefined, keys.read);
    expect(stored).toMatchObject({ role: "admin", active: true });
  });

  it("may be renamed, and may be deactivated once there is another", async () => {
    const { admin, account_id, keys } = await world.openAnother();
    const call = `PATCH /users/${admin.user_id}`;

    expect((await world.rest(call, { name: "Still" }, keys.read_write)).status).toBe(200);
    await another(account_id);
    const left = await changedByOperator(world, admin.user_id, { active: false }, account_id);
    expect(left.active).toBe(false);
  });

  it("remains when all admins are demoted at the same time", async () => {
    const { admin, account_id, keys } = await world.openAnother();
    const others = [await another(account_id), await another(account_id)];
    const ids = [admin.user_id, ...others.map((user) => user.id)];

    // A demotion that counts admins before it waits would count some that are about to be demoted.
    const holder = new pg.Client({ connectionString: world.database_url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select 1 from users where id = any($1) for update", [ids]);
    const demotions = ids.map((id) =>
      refused(changedByOperator(world, id, { role: "standard" }, account_id)),
    );
    await waiting(ids.length);
    await holder.query("commit");
    await holder.end();
    const replies = await Promise.all(demotions);

    expect(replies.sort()).toEqual(["LAST_ADMIN", "done", "done"]);
    const { data } = await world.done("GET /users?role=admin&active=true", undefined, keys.read);
    expect(data).toHaveLength(1);
  });
});

describe("GET /users", () => {
  it("lists from the newest to the oldest, filtered by external id, role, activity and change", async () => {
    const { admin, account_id, keys } = await world.openAnother();
    const list = async (parameters: string) => {
      const { data } = await world.done(`GET /users?${parameters}`, undefined, keys.read);
      return data.map((user: Json) => user.id);
    };
    const standard = await create({ external_id: "s" }, keys.read_write);
    const [{ now }] = await world.sql("select clock_timestamp() as now");
    const fields = { name: "Gone", email: "gone@x.example" };
    const gone = await userByOperator(world, fields, account_id);
    await changedByOperator(world, gone.id, { active: false }, account_id);

    expect(await list("")).toEqual([gone.id, standard.id, admin.user_id]);
    expect(await list("role=admin")).toEqual([gone.id, admin.user_id]);
    expect(await list("role=admin&active=true")).toEqual([admin.user_id]);
    expect(await list("active=false")).toEqual([gone.id]);
    expect(await list("external_id=s")).toEqual([standard.id]);
    expect(await list(`updated_since=${now}`)).toEqual([gone.id]);
  });

  it.each([
    ["role=owner", "role invalid_value"],
    ["active=yes", "active invalid_type"],
    ["active=", "active invalid_type"],
  ])("refuses %s", async (parameters, fault) => {
    expect(refusal(await world.rest(`GET /users?${parameters}`))).toBe(`${INVALID} ${fault}`);
  });
});
