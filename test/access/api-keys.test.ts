/** The life of an API key: created, used, expired, revoked (spec 11.6). */
import { describe, expect, it } from "vitest";
import { operatorContext } from "../../src/features/access/accounts/create.ts";
import { type MintedKey, mintKey, revokeKey } from "../../src/features/access/api-keys/mint.ts";
import { type Tx, transact } from "../../src/platform/commands/tx.ts";
import { refusal } from "../support/http/refusal.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();

async function within<Result>(
  work: (tx: Tx) => Promise<Result>,
  account_id: string = world.account.account_id,
): Promise<Result> {
  const cx = await operatorContext(world.services, account_id);
  return transact(cx, work);
}

const mint = (scope: "read" | "read_write"): Promise<MintedKey> =>
  within((cx) => mintKey(cx, { name: "Test", scope }));

const readWith = async (key: string | null) =>
  refusal(await world.rest("GET /customers", undefined, key));
const writeWith = async (key: string) =>
  refusal(await world.rest("POST /customers", { name: "A" }, key));

describe("a key", () => {
  it("may read with the scope read, and read and write with read_write", async () => {
    const [reader, writer] = [await mint("read"), await mint("read_write")];

    expect([await readWith(reader.key), await writeWith(reader.key)]).toEqual([
      "200",
      "403 INSUFFICIENT_SCOPE",
    ]);
    expect([await readWith(writer.key), await writeWith(writer.key)]).toEqual(["200", "201"]);
  });

  it("is stored only as a digest", async () => {
    const { id, key } = await mint("read");

    const [row] = await world.sql("select * from api_keys where id = $1", [id]);

    expect(row).toMatchObject({ prefix: key.slice(0, 10), scope: "read", revoked_at: null });
    expect(JSON.stringify(row)).not.toContain(key.slice(10));
  });

  it("is refused from the first request after its revocation", async () => {
    const { id, key } = await mint("read_write");
    expect(await readWith(key)).toBe("200");

    await within((cx) => revokeKey(cx, id));

    expect([await readWith(key), await writeWith(key)]).toEqual([
      "401 UNAUTHORIZED",
      "401 UNAUTHORIZED",
    ]);
  });

  it("can be revoked once, and only by its own account", async () => {
    const { id, key } = await mint("read");
    const other = await world.openAnother();

    await expect(within((cx) => revokeKey(cx, id), other.account_id)).rejects.toThrow(
      "no such resource",
    );
    expect(await readWith(key)).toBe("200");
    await within((cx) => revokeKey(cx, id));
    await expect(within((cx) => revokeKey(cx, id))).rejects.toThrow("no such resource");
  });

  it("is refused after its expiry", async () => {
    const { id, key } = await mint("read");
    const expire = (when: string) =>
      world.sql(`update api_keys set expires_at = clock_timestamp() + $2::interval where id = $1`, [
        id,
        when,
      ]);

    await expire("1 hour");
    expect(await readWith(key)).toBe("200");
    await expire("-1 second");
    expect(await readWith(key)).toBe("401 UNAUTHORIZED");
  });

  it("records when it was last used", async () => {
    const { id, key } = await mint("read");
    const lastUsed = async () =>
      (await world.sql("select last_used_at from api_keys where id = $1", [id]))[0].last_used_at;
    expect(await lastUsed()).toBeNull();

    await readWith(key);

    // It is written in parallel with the request, not before its answer.
    await expect.poll(lastUsed).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it("appears in the audit trail with its prefix when it is created and when it is revoked", async () => {
    const { id, key } = await mint("read");
    await within((cx) => revokeKey(cx, id));

    const { data } = await world.done(`GET /audit-events?resource_type=api_key&resource_id=${id}`);

    const shown = { object: "api_key", name: "Test", scope: "read", prefix: key.slice(0, 10) };
    expect(data).toMatchObject([
      { action: "revoked", before: shown, after: null },
      { action: "created", before: null, after: shown },
    ]);
    expect(JSON.stringify(data)).not.toContain(key);
  });
});

describe("a request without a valid key", () => {
  it.each([
    ["none", null],
    ["text that is no key", "secret"],
    ["a key with a wrong checksum", `mbk_${"a".repeat(36)}`],
  ])("(%s) is 401 with the envelope and a challenge", async (_what, key) => {
    const reply = await world.rest("GET /customers", undefined, key);

    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({
      error: {
        code: "UNAUTHORIZED",
        message: expect.any(String),
        request_id: reply.headers.get("x-request-id"),
      },
    });
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each(["Basic abc", "Bearer", "Bearer  ", "Token x"])("(%j) is 401", async (authorization) => {
    const response = await fetch(`${world.origin}/api/v1/customers`, {
      headers: { authorization },
    });

    expect(response.status).toBe(401);
  });

  it("does not learn which paths exist", async () => {
    expect(refusal(await world.rest("GET /nothing/here", undefined, null))).toBe(
      "401 UNAUTHORIZED",
    );
    expect(refusal(await world.rest("GET /nothing/here"))).toBe("404 NOT_FOUND");
  });

  it("is refused before its body and parameters are read", async () => {
    expect(refusal(await world.rest("POST /customers", "{", null))).toBe("401 UNAUTHORIZED");
    expect(refusal(await world.rest("GET /customers?limit=0", undefined, null))).toBe(
      "401 UNAUTHORIZED",
    );
  });
});
