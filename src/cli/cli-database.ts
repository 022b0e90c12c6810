/** Opens the database and the program for a command, and always closes them. */
import { operatorContext } from "../features/access/accounts/create.ts";
import { openServices } from "../open-services.ts";
import type { Context } from "../platform/commands/context.ts";
import { connectDatabase, type OpenedDatabase } from "../platform/database/connect.ts";
import { holdsDatabase } from "../platform/database/embedded.ts";
import { migrateForServing } from "../platform/database/serving-role.ts";
import { type Config, readConfig } from "../platform/runtime/config.ts";
import { openLog } from "../platform/runtime/log.ts";
import type { Services } from "../platform/runtime/services.ts";
import { accountId } from "./cli-options.ts";

/** Whether a command needs an existing database (`existing`), or may create one (`any`). */
type Need = "existing" | "any";

/** Opens the program on the migrated database, without serving requests, and always closes the program. */
export function withServices(
  need: Need,
  work: (services: Services) => Promise<void>,
): Promise<number> {
  return withDatabase(need, async (database, config) => {
    await migrateForServing(database);
    await onDatabase(database.url, config, work);
  });
}

/** Opens the program for one account, as its operator. */
export function inAccount(id: string, work: (cx: Context) => Promise<void>): Promise<number> {
  const account = accountId(id);
  return withServices("existing", async (services) =>
    work(await operatorContext(services, account)),
  );
}

/** Does the work on a migrated database, with the serving role. */
export async function onDatabase(
  url: string,
  config: Config,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const { services, close } = openServices(config, url, openLog("silent"));
  try {
    await work(services);
  } finally {
    await close();
  }
}

/** Opens the database. Only a command with `any` creates a missing database. */
export async function withDatabase(
  need: Need,
  work: (database: OpenedDatabase, config: Config) => Promise<void>,
): Promise<number> {
  const config = readConfig(process.env);
  if (need === "existing" && config.database_url === null && !holdsDatabase(config.data_dir)) {
    throw new Error(
      `There is no database in ${config.data_dir}: \`npm start\` in the folder of the program creates one there, or set MATCHBOOK_DATA_DIR to the folder of your database.`,
    );
  }
  const database = await connectDatabase(config, () => {});
  try {
    await work(database, config);
    return 0;
  } finally {
    await database.close();
  }
}
