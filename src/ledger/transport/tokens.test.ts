/** Tokens are stored before any process uses them, and a refresh token is used once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { openSealing } from "../../platform/security/sealing.ts";
import type { LedgerTokenRefusal, RenewedToken } from "../connector.ts";
import { tokenKeeperOf } from "./tokens.ts";

const world = useWorld();
const connection_id = "01990000-0000-7000-8000-000000000001";
const data_dir = mkdtempSync(join(tmpdir(), "matchbook-tokens-"));
const sealing = openSealing({ secret_keys: [], data_dir });
afterAll(() => rmSync(data_dir, { recursive: true, force: true }));

beforeAll(async () => {
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'tested', '{}', '', '')`,
    [world.account.account_id, connection_id],
  );
});

/** The token keeper of another process. */
const keeper = (db = world.services.pools.requests) => {
  const { account_id } = world.account;
  const { log } = world.services;
  return tokenKeeperOf({ db, sealing, log, account_id, connection_id });
};

/** The authorization server: each refresh token is valid once, and a second use is refused. */
const used: (string | null)[] = [];
const renew = async (refresh_token: string | null): Promise<RenewedToken | LedgerTokenRefusal> => {
  if (refresh_token !== null && used.includes(refresh_token)) return { state: "unauthorized" };
  used.push(refresh_token);
  // Another call arrives in the meantime.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const count = used.length;
  return {
    state: "token",
    access_token: `access ${count}`,
    refresh_token: `refresh ${count}`,
    lives_ms: 3_600_000,
  };
};

it("requests a token once for all waiting callers and stores it sealed", async () => {
  const both = [keeper(), keeper(world.services.pools.background), keeper()];
  const got = await Promise.all(both.map((one) => one.get(renew)));
  expect(got).toEqual(Array(3).fill({ state: "token", access_token: "access 1" }));
  expect(used).toEqual([null]);
  const [{ sealed_tokens }] = await world.sql("select sealed_tokens from ledger_connections");
  expect(sealed_tokens.includes("access 1") || sealed_tokens.includes("refresh")).toBe(false);
});

it("continues with the stored refresh token and uses each once", async () => {
  await keeper().drop("access 1");
  const got = await Promise.all([keeper().get(renew), keeper().get(renew)]);
  expect(got).toEqual(Array(2).fill({ state: "token", access_token: "access 2" }));
  expect(used).toEqual([null, "refresh 1"]);
  // A late refusal of the previous token has no effect.
  await keeper().drop("access 1");
  expect(await keeper().get(renew)).toEqual({ state: "token", access_token: "access 2" });
});

it("stores a token before its use, so that the next process finds it", async () => {
  await keeper().drop("access 2");
  // Its caller has left.
  const left = keeper().get(renew);
  const next = await keeper().get(renew);
  expect(next).toEqual({ state: "token", access_token: "access 3" });
  expect(used).toEqual([null, "refresh 1", "refresh 2"]);
  // Otherwise it might send its request during the next test.
  expect(await left).toEqual(next);
});

it("keeps the refresh token if the server does not answer or returns no new one", async () => {
  await keeper().drop("access 3");
  expect(await keeper().get(async () => ({ state: "unavailable" }))).toEqual({
    state: "unavailable",
  });
  const kept = await keeper().get(async () => ({
    state: "token",
    access_token: "short",
    refresh_token: null,
    lives_ms: 1,
  }));
  expect(kept).toEqual({ state: "token", access_token: "short" });
  expect(await keeper().get(renew)).toEqual({ state: "token", access_token: "access 4" });
  expect(used.at(-1)).toBe("refresh 3");
});

it("returns no token to another account", async () => {
  const { log, pools } = world.services;
  const { account_id } = await world.openAnother();
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets, sealed_tokens)
     select $1, id, kind, settings, key_id, sealed_secrets, sealed_tokens from ledger_connections`,
    [account_id],
  );
  const stolen = tokenKeeperOf({ db: pools.requests, sealing, log, account_id, connection_id });
  expect(await stolen.get(renew)).toMatchObject({ state: "unavailable" });
});
