/**
 * Connects clients to the bundled server, and creates what the server needs before its first use: the role `matchbook`, its
 * database, and the serving role. Neither role is a superuser, so that the same rules apply as on a hosted PostgreSQL.
 */
import { createHmac } from "node:crypto";
import { DatabaseError } from "pg";
import { withClient } from "../client.ts";
import { SUPERUSER } from "./cluster.ts";

/** The database, and the role that owns it. */
const NAME = "matchbook";
/** The serving role, which owns nothing. */
const SERVING = "matchbook_serve";

/** Where the server listens: `host` is a folder (with a socket in it) or 127.0.0.1. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Returns the connection string of the product's database for its owner, for node-postgres and libpq alike. */
export function databaseUrl(address: Address, password: string): string {
  return connectionString(address, NAME, NAME, password);
}

/** Returns the connection string for the serving role. */
export function servingUrl(address: Address, password: string): string {
  return connectionString(address, SERVING, NAME, servingPassword(password));
}

/** Derives the serving role's password from the owner's, which it does not reveal, so that there is only one file to keep. */
function servingPassword(password: string): string {
  return createHmac("sha256", password).update(SERVING).digest("base64url");
}

/** Whether the server accepts connections, or `not yet`. Throws an Error when it responds but refuses our password. */
export async function knock(address: Address, password: string): Promise<"answers" | "not yet"> {
  try {
    await withClient(optionsOf(superuserUrl(address, password)), async () => {});
    return "answers";
  } catch (error) {
    // 53300: every connection is in use, so the server runs. 57P03: it starts or stops.
    if (error instanceof DatabaseError && error.code === "53300") {
      return "answers";
    }
    if (error instanceof DatabaseError && error.code?.startsWith("28")) {
      throw new Error(`The database server does not accept the stored password: ${error.message}.`);
    }
    return "not yet";
  }
}

/** Creates the missing roles and database, also in a data directory of an earlier version. */
export async function prepareDatabase(address: Address, password: string): Promise<void> {
  await withClient(optionsOf(superuserUrl(address, password)), async (client) => {
    // A killed process leaves its `create database` running in the server. This lock waits for it, which our file lock cannot.
    await client.query("select pg_advisory_lock(1)");
    const found = await client.query<{
      has_role: boolean;
      has_serving: boolean;
      has_database: boolean;
    }>(
      `select exists (select from pg_roles where rolname = $1) as has_role,
              exists (select from pg_roles where rolname = $2) as has_serving,
              exists (select from pg_database where datname = $1) as has_database`,
      [NAME, SERVING],
    );
    if (found.rows[0]?.has_role !== true) {
      // The literal is safe: node-postgres quotes it, and a utility statement takes no parameters.
      const literal = client.escapeLiteral(password);
      await client.query(`create role ${NAME} login createdb password ${literal}`);
    }
    if (found.rows[0]?.has_database !== true) {
      await client.query(`create database ${NAME} owner ${NAME}`);
    }
    if (found.rows[0]?.has_serving !== true) {
      await client.query(`create role ${SERVING} login`);
    }
    // The owner may see and end the sessions of the serving role. Granted each time, because an earlier start may have ended just
    // before.
    await client.query(`grant ${SERVING} to ${NAME}`);
    const literal = client.escapeLiteral(servingPassword(password));
    await client.query(`alter role ${SERVING} password ${literal}`);
  });
}

/** Whether the product's database can be opened now. */
export async function opens(address: Address, password: string): Promise<boolean> {
  try {
    await withClient(optionsOf(databaseUrl(address, password)), async () => {});
    return true;
  } catch {
    return false;
  }
}

const superuserUrl = (address: Address, password: string): string =>
  connectionString(address, SUPERUSER, SUPERUSER, password);

const optionsOf = (url: string) => ({ connectionString: url, connectionTimeoutMillis: 10_000 });

function connectionString(
  address: Address,
  role: string,
  database: string,
  password: string,
): string {
  const login = `${role}:${encodeURIComponent(password)}`;
  // sslmode is explicit, because PGSSLMODE in the environment would otherwise request TLS from this local server.
  return address.host.includes("/")
    ? `postgresql://${login}@/${database}?host=${encodeURIComponent(address.host)}&port=${address.port}&sslmode=disable`
    : `postgresql://${login}@${address.host}:${address.port}/${database}?sslmode=disable`;
}
