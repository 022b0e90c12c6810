/**
 * Whether the PostgreSQL of a setting can be reached, asked once at the start. What is told never
 * holds the password: of the connection's errors only the server's own words and the system's codes.
 */
import pg from "pg";

const PATIENCE_MS = 30_000;

/** Throws an Error that names the setting when no connection to it can be opened. */
export async function requireReachable(
  url: string,
  setting: "DATABASE_URL" | "MATCHBOOK_MIGRATION_DATABASE_URL",
): Promise<void> {
  try {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
    // A connection that breaks is also told here, and an unheard "error" event ends the process.
    client.on("error", () => {});
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    throw new Error(`The settings are not valid. ${setting}: ${faultOf(error)}`);
  }
}

function faultOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.message;
  const code = codeOf(error);
  if (code === "ERR_INVALID_URL") return "is not a connection string";
  // Without a code they are fixed words of the client, such as that a password is needed.
  return `the server cannot be reached (${code ?? (error as Error).message})`;
}

/** Of several addresses that were tried, the code of the first. */
function codeOf(error: unknown): string | undefined {
  const one = error instanceof AggregateError ? error.errors[0] : error;
  const code = (one as NodeJS.ErrnoException | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
