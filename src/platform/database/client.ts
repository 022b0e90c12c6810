/** One connection of its own, beside every pool: for what is done at the start, and by the command line. */
import pg from "pg";

/** Opens the connection, does the work with it, and ends it in any case. Throws what connecting or the work does. */
export async function withClient<Result>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(options);
  // A connection that breaks fails its statement; an unheard "error" event would end the process besides.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
