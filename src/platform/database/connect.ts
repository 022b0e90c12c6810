/** Where the database is: the configured PostgreSQL, or the bundled one, started where it does not run. */
import type { Config } from "../runtime/config.ts";
import { startEmbedded } from "./embedded.ts";
import { requireReachable } from "./reach.ts";
import type { DatabaseRoles } from "./serving-role.ts";

export interface OpenedDatabase extends DatabaseRoles {
  /** Starts the bundled server again when it has gone, and answers where it is; undefined for a server of somebody else. */
  readonly revive: (() => Promise<string>) | undefined;
  /** Stops the bundled server when this process was the last to use it. */
  close(): Promise<void>;
}

/** The configured PostgreSQL, or the bundled one in the data directory. */
export async function connectDatabase(
  config: Config,
  note: (message: string) => void,
): Promise<OpenedDatabase> {
  if (config.database_url !== null) {
    const url = config.database_url;
    const owner_url = config.migration_database_url ?? url;
    await requireReachable(url, "DATABASE_URL");
    if (owner_url !== url) await requireReachable(owner_url, "MATCHBOOK_MIGRATION_DATABASE_URL");
    return { url, owner_url, revive: undefined, close: async () => {} };
  }
  const embedded = await startEmbedded({ data_dir: config.data_dir, log: note });
  return {
    url: embedded.serving_url,
    owner_url: embedded.url,
    revive: embedded.revive,
    close: () => embedded.stop(),
  };
}
