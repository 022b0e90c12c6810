/** Puts the parts together: the only file that knows all of them. */
import type { FastifyInstance } from "fastify";
import { keyAuthentication } from "./features/api-keys/authenticate.ts";
import {
  sendDueDeliveries,
  settleAbandonedDeliveries,
  waitingRenderer,
} from "./features/documents/worker.ts";
import { settleDueIntent } from "./features/invoices/worker.ts";
import { builtinLedger } from "./ledger/connectors/builtin/connector.ts";
import type { Connection } from "./ledger/ledger.ts";
import { systemClock } from "./platform/clock.ts";
import type { Config } from "./platform/config.ts";
import { openDatabase } from "./platform/database/database.ts";
import { mountDocs } from "./platform/http/docs.tsx";
import { mountOperations } from "./platform/http/operations.ts";
import { openServer } from "./platform/http/server.ts";
import type { Log } from "./platform/log.ts";
import { openMailroom } from "./platform/mail/mailroom.ts";
import { openMetrics } from "./platform/metrics.ts";
import type { Services } from "./platform/services.ts";
import { startWorker, type Worker } from "./platform/worker.ts";
import { routes } from "./routes.ts";

export interface App {
  readonly services: Services;
  readonly server: FastifyInstance;
  /** Starts the background work; without it only requests are served. */
  startWorker(): Worker;
  /** Ends requests under way, background work and connections. */
  close(): Promise<void>;
}

const REST_MS = 2_000;

/** Builds the program on a migrated database, without listening. */
export function openApp(
  config: Config,
  database_url: string,
  log: Log,
  overrides: Partial<Services> = {},
): App {
  const db = openDatabase(database_url, config.database_connections, (error) =>
    log.warn({ err: error }, "a database connection was lost"),
  );
  const services: Services = {
    config,
    db,
    clock: systemClock,
    log,
    mail: openMailroom(config),
    metrics: openMetrics(),
    ledgers: new Map<string, Connection>([[builtinLedger.kind, builtinLedger]]),
    checks_replies: false,
    ...overrides,
  };
  const server = openServer(services, routes, keyAuthentication(db, log));
  mountOperations(server, services);
  mountDocs(server, routes, config.base_url);
  const workers: Worker[] = [];
  return {
    services,
    server,
    startWorker() {
      const worker = startWorker(tasksOf(services), REST_MS, log);
      workers.push(worker);
      return worker;
    },
    async close() {
      await server.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await services.mail.close();
      await db.destroy();
    },
  };
}

function tasksOf(services: Services) {
  return [
    { name: "settle intents", run: () => settleDueIntent(services) },
    { name: "settle abandoned deliveries", run: () => settleAbandonedDeliveries(services) },
    { name: "send deliveries", run: () => sendDueDeliveries(services) },
    { name: "render documents", run: waitingRenderer(services) },
  ];
}
