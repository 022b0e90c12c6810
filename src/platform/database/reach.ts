/**
 * Checks once, at the start, that the PostgreSQL of a setting can be reached and provides whole sessions. The message never
 * contains the password: it uses only the server's own words and the system's error codes.
 */
import pg from "pg";
import { withClient } from "./client.ts";

const TIMEOUT_MS = 30_000;

/** Throws an Error that names the setting when no connection can be opened, or when a pooler splits sessions. */
export async function requireReachable(
  url: string,
  setting: "DATABASE_URL" | "MATCHBOOK_MIGRATION_DATABASE_URL" | "MATCHBOOK_REPLICA_URL",
): Promise<void> {
  const fault = await faultBehind(url).catch(faultOf);
  if (fault !== null) throw new Error(`The settings are not valid. ${setting}: ${fault}`);
}

/** How many rounds two connections must keep separate server processes before the check trusts them. */
const TURNS = 3;

/**
 * Returns the fault of the server behind the connections; null when there is none. Prepared statements, locks and settings belong
 * to a connection; a pooler that gives each transaction another connection loses them.
 */
function faultBehind(url: string): Promise<string | null> {
  const options = { connectionString: url, connectionTimeoutMillis: TIMEOUT_MS };
  return withClient(options, async (one) => {
    const own = await processOf(one);
    // Both numbers are equal when no pooler is between that reports its own.
    if (own === (one as unknown as { processID: number | null }).processID) return null;
    return withClient(options, async (other) => {
      const its = await processOf(other);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const now = [await processOf(one), await processOf(other)];
        if (own === its || now[0] !== own || now[1] !== its) return POOLED;
      }
      return null;
    });
  });
}

const POOLED =
  "leads to a pooler that gives each transaction another connection; name the server itself, or let the pooler keep sessions";

async function processOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

function faultOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.message;
  const code = codeOf(error);
  if (code === "ERR_INVALID_URL") return "is not a connection string";
  // Errors without a code have fixed messages of the client, for example that a password is needed.
  return `the server cannot be reached (${code ?? (error as Error).message})`;
}

/** Returns the code of the error; when several addresses were tried, the code of the first. */
function codeOf(error: unknown): string | undefined {
  const one = error instanceof AggregateError ? error.errors[0] : error;
  const code = (one as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
