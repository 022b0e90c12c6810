/** Whether a server is the coordinator of a Citus cluster, and what each transaction then says first. */
import type { Database } from "./database.ts";

const known = new WeakMap<Database["pool"], Promise<boolean>>();

/** Asks a server whether its database has the extension. */
export async function isCluster(ask: (text: string) => Promise<unknown[]>): Promise<boolean> {
  return (await ask("select from pg_extension where extname = 'citus'")).length > 0;
}

/** As `isCluster`, asked once for each pool. */
export function isOnCluster({ pool }: Pick<Database, "pool">): Promise<boolean> {
  const asked = known.get(pool) ?? isCluster(async (text) => (await pool.query<object>(text)).rows);
  known.set(pool, asked);
  // A server that is away is asked again.
  asked.catch(() => known.delete(pool));
  return asked;
}
