/** The caller of a token, read at every call: the current rights of the person, not those at the consent. */

import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { assistantOf } from "../../../../test/support/mcp/assistant.ts";
import { changedByOperator } from "../../../../test/support/world/people.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { runAtEntryPoint } from "../../../platform/commands/entry-point.ts";
import type { Authenticate } from "../../../platform/http/admission.ts";
import { tokenAuthentication } from "./authenticate.ts";
import { keyRing, makeKey } from "./keys.ts";
import { issueAccessToken, mcpUrl } from "./tokens.ts";

/** As in the endpoint: one for all requests, which caches the signatures that it has checked. */
let whoIs: Authenticate;
const world = useWorld();
beforeAll(async () => {
  whoIs = tokenAuthentication(world.services).authenticate;
});
afterEach(() => {
  vi.useRealTimers();
});

const passing = (seconds: number) =>
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1000 });

describe("an access token", () => {
  it("identifies its person, with the account, the role and the access that its scopes allow", async () => {
    const assistant = await assistantOf(world, { role: "admin", name: "Anna", scope: "mcp:write" });

    expect(await whoIs(assistant.token)).toMatchObject({
      account_id: world.account.account_id,
      actor: { kind: "user", id: assistant.user_id },
      access: new Set(["read", "write"]),
      person: {
        user_id: assistant.user_id,
        name: "Anna",
        role: "admin",
        grant: { id: assistant.grant_id, scopes: new Set(["mcp:read", "mcp:write"]) },
      },
    });
  });

  it.each([
    ["mcp:read", ["read"]],
    ["mcp:write", ["read", "write"]],
    ["mcp:issue", ["read", "write", "issue"]],
  ] as const)("of %s gives access to %s", async (scope, access) => {
    const caller = await (await assistantOf(world, { scope })).caller();
    expect(caller.access).toEqual(new Set(access));
  });

  it("is refused once its grant is gone, has expired, or its user is inactive", async () => {
    const ended = await assistantOf(world);
    const expired = await assistantOf(world);
    const deactivated = await assistantOf(world);
    for (const { token } of [ended, expired, deactivated]) expect(await whoIs(token)).toBeTruthy();

    await world.sql("delete from oauth_grants where id = $1", [ended.grant_id]);
    await world.sql("update oauth_grants set expires_at = now() where id = $1", [expired.grant_id]);
    await world.done(`PATCH /users/${deactivated.user_id}`, { active: false });

    for (const { token } of [ended, expired, deactivated]) expect(await whoIs(token)).toBeNull();
  });

  it("has the current role of its person", async () => {
    const { token, user_id } = await assistantOf(world, { role: "standard" });
    expect((await whoIs(token))?.person?.role).toBe("standard");

    await changedByOperator(world, user_id, { role: "admin" });

    expect((await whoIs(token))?.person?.role).toBe("admin");
  });

  it("is refused by REST", async () => {
    const { token } = await assistantOf(world);
    expect((await world.rest("GET /customers", undefined, token)).status).toBe(401);
  });

  it("is valid for ten minutes", async () => {
    const { grant_id, user_id } = await assistantOf(world);
    const subject = { grant_id, user_id, client_id: "c", scopes: ["mcp:read"] as const };
    const now = Math.floor(Date.now() / 1000);

    expect(await whoIs(await issueAccessToken(world.services, subject, now - 590))).not.toBeNull();
    expect(await whoIs(await issueAccessToken(world.services, subject, now - 601))).toBeNull();
  });

  it("is refused after its end, even if its signature is cached", async () => {
    const { grant_id, user_id } = await assistantOf(world);
    const subject = { grant_id, user_id, client_id: "c", scopes: ["mcp:read"] as const };
    const now = Math.floor(Date.now() / 1000);
    const token = await issueAccessToken(world.services, subject, now - 560);
    expect(await whoIs(token)).not.toBeNull();

    passing(41);

    expect(await whoIs(token)).toBeNull();
  });

  it.each([
    ["another audience", { audience: "http://localhost:0/api/v1" }],
    ["another issuer", { issuer: "https://other.example" }],
    ["another type", { typ: "JWT" }],
    ["an unknown key", { kid: "unknown" }],
    ["no expiry", { expires: false }],
    ["a grant that is no id", { gid: "' or true --" }],
  ])("with %s is refused", async (_what, wrong) => {
    const { grant_id, user_id } = await assistantOf(world);
    const { kid, private_key } = await keyRing(world.services).signing();
    const { base_url } = world.services.config;
    const fields = {
      typ: "at+jwt",
      kid,
      issuer: base_url,
      audience: mcpUrl(base_url),
      gid: grant_id,
      expires: true,
      ...wrong,
    };
    const token = new SignJWT({ gid: fields.gid, scope: "mcp:read" })
      .setProtectedHeader({ alg: "ES256", typ: fields.typ, kid: fields.kid })
      .setIssuer(fields.issuer)
      .setSubject(user_id)
      .setAudience(fields.audience)
      .setIssuedAt();
    if (fields.expires) token.setExpirationTime("10m");

    expect(await whoIs(await token.sign(private_key))).toBeNull();
  });

  it("of another algorithm, or signed with a foreign key, is refused", async () => {
    const { grant_id, user_id } = await assistantOf(world);
    const ring = keyRing(world.services);
    const { kid, private_key } = await ring.signing();
    const public_key = await ring.verifying(kid);
    if (public_key === undefined) throw new Error("the key that signs does not verify");
    const { base_url } = world.services.config;
    const claims = {
      gid: grant_id,
      scope: "mcp:issue",
      iss: base_url,
      aud: mcpUrl(base_url),
      sub: user_id,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const signed = (alg: string, key: Parameters<SignJWT["sign"]>[0]) =>
      new SignJWT(claims).setProtectedHeader({ alg, typ: "at+jwt", kid }).sign(key);
    const foreign = await generateKeyPair("ES256");

    expect(await whoIs(await signed("ES256", private_key))).not.toBeNull();
    const forged = [
      await signed("ES256", foreign.privateKey),
      // The public key, which is known to all, used as a shared secret.
      await signed("HS256", new TextEncoder().encode(await exportSPKI(public_key))),
      new UnsecuredJWT(claims).encode(),
    ];
    for (const token of forged) expect(await whoIs(token)).toBeNull();
  });

  it.each([
    "null",
    "[]",
    '{"alg":"none"}',
    '{"alg":"ES256","kid":{}}',
    '{"alg":"ES256","kid":"__proto__"}',
    '{"alg":"ES256","crit":1}',
    '{"alg":"ES256","kid":"x","crit":["b64"],"b64":false}',
  ])("with the header %s is refused without an internal error", async (header) => {
    const encoded = [header, "{}"].map((text) => Buffer.from(text).toString("base64url"));
    expect(await whoIs(`${encoded.join(".")}.AAAA`)).toBeNull();
  });

  it.each(["", "a.b.c", "..", "x".repeat(6000), `${"e30".repeat(3)}.e30.`, "mbk_abc"])(
    "is not %s",
    async (junk) => {
      expect(await whoIs(junk)).toBeNull();
    },
  );

  it("remains valid after a rotation of the keys, and so does its successor", async () => {
    const before = await assistantOf(world);
    await runAtEntryPoint(makeKey, world.services, { is_rotation: true });
    const after = await assistantOf(world);

    expect(await whoIs(before.token)).not.toBeNull();
    expect(await whoIs(after.token)).not.toBeNull();
    const keys = await world.sql("select retired_at is null as signs from oauth_keys");
    expect(keys.map((key) => key.signs).sort()).toEqual([false, true]);
  });

  it("ends at most two minutes after its key is deleted", async () => {
    const { token } = await assistantOf(world);
    expect(await whoIs(token)).not.toBeNull();
    await world.sql("delete from oauth_keys");

    passing(61);

    expect(await whoIs(token)).toBeNull();
  });
});
