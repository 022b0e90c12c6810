/** Opens a single connection outside of every pool: for work at the start, and for the command line. */
import pg from "pg";

/** Opens the connection, does the work with it, and always closes it. Throws the errors of connecting and of the work. */
export async function withClient<Result>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(options);
  // A broken connection makes its statement fail; without a listener, the "error" event would also end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
