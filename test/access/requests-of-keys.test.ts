/** The calling key and the request log over REST: their fields, filters and pages, and that they show one account alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { mintKey, revokeKey } from "../../src/features/access/api-keys/mint.ts";
import { transact } from "../../src/platform/commands/tx.ts";
import { callPlainly } from "../support/http/plain-call.ts";
import { refusal } from "../support/http/refusal.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({
  environment: { MATCHBOOK_RATE_LIMIT: "70:90", MATCHBOOK_IN_FLIGHT: "8:1:4" },
});
const ids: Record<string, string> = {};
beforeAll(async () => {
  const { account_id } = world.account;
  for (const { id, scope } of await world.sql(
    "select id, scope from api_keys where account_id = $1",
    [account_id],
  )) {
    ids[scope] = id;
  }
});

const listed = async (query = "", key?: string): Promise<Json[]> =>
  (await world.done(`GET /requests${query}`, undefined, key)).data;

/** Waits until the log has the request with this id. */
async function logged(request_id: string | null): Promise<Json> {
  await expect
    .poll(async () => (await listed("?limit=100")).some(({ id }) => id === request_id))
    .toBe(true);
  return (await listed("?limit=100")).find(({ id }) => id === request_id);
}

describe("GET /key", () => {
  it.each(["read", "read_write"] as const)(
    "answers the calling key with scope %s",
    async (scope) => {
      const { keys, account_id } = world.account;
      const key = await world.done("GET /key", undefined, keys[scope]);
      expect(key).toEqual({
        object: "api_key",
        id: ids[scope],
        name: expect.stringMatching(/\S/),
        scope,
        expires_at: null,
        account_id,
        sandbox: false,
        limits: { per_second: 70, burst: 90, at_once: 8, heavy: 1 },
      });
    },
  );

  it("says that an account is a sandbox, and when a key ends", async () => {
    const sandbox = await world.openAnother({ sandbox: true });
    expect(await world.done("GET /key", undefined, sandbox.keys.read)).toMatchObject({
      sandbox: true,
    });

    const cx = await operatorContext(world.services, world.account.account_id);
    const fields = { name: "Nightly", scope: "read", last_day: "2099-12-31" } as Parameters<
      typeof mintKey
    >[1];
    const { key } = await transact(cx, (tx) => mintKey(tx, fields));
    expect(await world.done("GET /key", undefined, key)).toMatchObject({
      name: "Nightly",
      expires_at: "2100-01-01T00:00:00.000Z",
    });
  });
});

describe("GET /requests", () => {
  it("shows a request as it was answered, without its query", async () => {
    const { headers } = await world.rest("GET /customers?search=Hemmelig&limit=2");
    const request = await logged(headers.get("x-request-id"));
    expect(request).toEqual({
      object: "request",
      id: headers.get("x-request-id"),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      key_id: ids.read_write,
      method: "GET",
      path: "/api/v1/customers",
      status: 200,
      code: null,
      duration_ms: expect.any(Number),
    });
  });

  it("shows the code of a refusal, and the id that a client has chosen", async () => {
    const headers = { "x-request-id": "chosen.by-me" };
    await callPlainly(world, "POST", "/customers", world.account.keys.read, {
      body: "{}",
      headers,
    });
    expect(await logged("chosen.by-me")).toMatchObject({
      key_id: ids.read,
      method: "POST",
      status: 403,
      code: "INSUFFICIENT_SCOPE",
    });
  });

  it("filters by key, status, path and time, and by all of them together", async () => {
    const missing = await world.rest("GET /products/ext:gone");
    const found = await world.rest("GET /products");
    const [gone, there] = [
      await logged(missing.headers.get("x-request-id")),
      await logged(found.headers.get("x-request-id")),
    ];
    const has = async (query: string) => {
      const rows = await listed(`?limit=100&${query}`);
      return [rows.some(({ id }) => id === gone.id), rows.some(({ id }) => id === there.id)];
    };
    expect(await has("status=404")).toEqual([true, false]);
    expect(await has("status=4xx")).toEqual([true, false]);
    expect(await has("status=2xx")).toEqual([false, true]);
    expect(await has("path=/api/v1/products")).toEqual([true, true]);
    expect(await has("path=/api/v1/products/")).toEqual([true, false]);
    expect(await has("path=/products")).toEqual([false, false]);
    expect(await has(`key=${ids.read}`)).toEqual([false, false]);
    expect(await has(`key=${ids.read_write}`)).toEqual([true, true]);
    expect(await has(`from=${gone.at}`)).toEqual([true, true]);
    expect(await has(`from=${gone.at.slice(0, 10)}`)).toEqual([true, true]);
    expect(await has("from=2199-01-01")).toEqual([false, false]);
    expect(await has(`to=${gone.at}`)).toEqual([true, there.at === gone.at]);
    expect(await has(`to=${gone.at.slice(0, 10)}`)).toEqual([true, true]);
    expect(await has("to=2020-12")).toEqual([false, false]);
    expect(
      await has(`key=${ids.read_write}&status=404&path=/api/v1/products&from=${gone.at}`),
    ).toEqual([true, false]);
  });

  it.each([
    ["status=600", "status invalid_value"],
    ["status=4XX", "status invalid_value"],
    ["key=mine", "key invalid_format"],
    ["from=soon", "from invalid_format"],
    ["path=", "path too_short"],
    ["cursor=abc", "cursor invalid_value"],
    ["method=GET", "method unknown_parameter"],
  ])("refuses %s", async (query, fault) => {
    const reply = await world.rest(`GET /requests?${query}`);
    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });

  it("goes through all keys in pages, the newest first, each request once", async () => {
    const { account_id } = world.account;
    await world.sql("delete from api_key_requests");
    await seed(account_id, ids.read ?? "", 30, "10 minutes");
    await seed(account_id, ids.read_write ?? "", 30, "20 minutes");
    const seen: Json[] = [];
    let cursor: string | null = null;
    do {
      const after: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page: Json = await world.done(`GET /requests?path=/seeded&limit=25${after}`);
      seen.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(60);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(60);
    const times = seen.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("has the last 1,000 of each key and nothing older than seven days", async () => {
    const { account_id } = world.account;
    await world.sql("delete from api_key_requests");
    await seed(account_id, ids.read ?? "", 1_100, "1 hour");
    await seed(account_id, ids.read_write ?? "", 40, "8 days");
    await seed(account_id, ids.read_write ?? "", 3, "6 days");
    const csv = await callPlainly(world, "GET", "/requests?path=/seeded", world.account.keys.read, {
      headers: { accept: "text/csv" },
    });
    const rows = csv.text.trim().split("\r\n").slice(1);
    expect(rows.filter((row) => row.includes(ids.read ?? "?"))).toHaveLength(1_000);
    expect(rows.filter((row) => row.includes(ids.read_write ?? "?"))).toHaveLength(3);
  });

  it("shows requests of a key that was revoked, and never those of another account", async () => {
    const { account_id } = world.account;
    const cx = await operatorContext(world.services, account_id);
    const fields = { name: "Old", scope: "read" } as const;
    const { id } = await transact(cx, (tx) => mintKey(tx, fields));
    await transact(cx, (tx) => revokeKey(tx, id));
    await seed(account_id, id, 1, "1 minute");
    expect(await listed(`?key=${id}`)).toMatchObject([{ key_id: id, path: "/seeded" }]);

    const other = await world.openAnother();
    expect(await listed(`?key=${id}`, other.keys.read_write)).toEqual([]);
    const own = await listed("?limit=100", other.keys.read_write);
    expect(
      own.filter(({ key_id }) => Object.values(ids).includes(key_id) || key_id === id),
    ).toEqual([]);
  });
});

/** Puts requests of a key into the log, a millisecond apart, the last one so long ago. */
function seed(account_id: string, key_id: string, count: number, ago: string): Promise<Json[]> {
  return world.sql(
    `insert into api_key_requests
     select $1::uuid, $2::uuid, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5($2::text || n), 1, 15))::uuid,
       at, 'GET', '/seeded', 200, 1, null, $2::text || '-' || n
     from (select n, now() - $4::interval - n * interval '1 millisecond' as at from generate_series(1, $3::int) n) made`,
    [account_id, key_id, count, ago],
  );
}
