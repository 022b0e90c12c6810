/** What stands behind every surface, opened on a migrated database: the only file that names a connector. */
import { builtinLedger } from "./ledger/connectors/builtin/connector.ts";
import type { Connection } from "./ledger/ledger.ts";
import { openBackground } from "./platform/background.ts";
import { systemClock } from "./platform/clock.ts";
import type { Config } from "./platform/config.ts";
import { closeDatabase, openDatabase } from "./platform/database/database.ts";
import { watchDatabase } from "./platform/database/watch.ts";
import type { Log } from "./platform/log.ts";
import { openHold } from "./platform/mail/hold.ts";
import { openMailTransports } from "./platform/mail/transports.ts";
import { openMetrics } from "./platform/metrics.ts";
import type { Services } from "./platform/services.ts";

interface OpenedServices {
  readonly services: Services;
  close(): Promise<void>;
}

export function openServices(
  config: Config,
  database_url: string,
  log: Log,
  overrides: Partial<Services> = {},
): OpenedServices {
  const db = openDatabase(database_url, config.database_connections, (error) =>
    // The watch tells when all are.
    log.debug({ err: error }, "a database connection was lost"),
  );
  const background = openBackground(db, config.background);
  const services: Services = {
    config,
    db,
    watch: watchDatabase(db, log),
    clock: systemClock,
    log,
    mail: openMailTransports(config, openHold(db, background)),
    background,
    metrics: openMetrics(),
    ledgers: new Map<string, Connection>([[builtinLedger.kind, builtinLedger]]),
    checks_replies: false,
    ...overrides,
  };
  return {
    services,
    async close() {
      await services.mail.close();
      await services.watch.stop();
      await closeDatabase(db);
    },
  };
}
