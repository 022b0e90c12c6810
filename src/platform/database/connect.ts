/** Connects to the database: the configured PostgreSQL, or the bundled one, which is started if it does not run. */
import type { Config } from "../runtime/config.ts";
import { startEmbedded } from "./embedded.ts";
import { requireReachable } from "./reach.ts";
import type { DatabaseRoles } from "./serving-role.ts";

export interface OpenedDatabase extends DatabaseRoles {
  /** Restarts the bundled server when its process is gone, and returns its address; undefined for a configured server. */
  readonly revive: (() => Promise<string>) | undefined;
  /** Stops the bundled server if this process was the last to use it. */
  close(): Promise<void>;
}

/** Returns the configured PostgreSQL, or the bundled one in the data directory. */
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
