/** Assembles the program; only this file knows all parts of the program. */
import type { FastifyInstance } from "fastify";
import { planCommit } from "./assistant/catalogue.ts";
import { catalogues } from "./assistant/open-catalogues.ts";
import { mountMcp } from "./assistant/protocol/endpoint.ts";
import { findNamed } from "./assistant/views/names.ts";
import { startBackground } from "./background.ts";
import { keyAuthentication } from "./features/access/api-keys/authenticate.ts";
import { tokenAuthentication } from "./features/access/oauth/authenticate.ts";
import { mountOauth } from "./features/access/oauth/endpoints.ts";
import { openServices } from "./open-services.ts";
import { mountDocs } from "./platform/http/docs.ts";
import { mountOperations } from "./platform/http/operations.ts";
import { openServer } from "./platform/http/server.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Log } from "./platform/runtime/log.ts";
import type { Services } from "./platform/runtime/services.ts";
import type { Worker } from "./platform/runtime/worker.ts";
import { routes } from "./routes.ts";
import { signInFirst } from "./web/access/sign-in.tsx";
import { mountDocumentLinks } from "./web/document-links/document-link.tsx";
import { mountPages } from "./web/frame/page.tsx";
import { actions, pages } from "./web/pages.ts";

export interface App {
  readonly services: Services;
  readonly server: FastifyInstance;
  /** Starts the background work; without it the process only serves requests. */
  startWorker(): Worker;
  /** Ends current requests, background work and connections. */
  close(): Promise<void>;
}

/** How long heavy requests may continue when the process stops, in milliseconds. */
const TIMEOUT_MS = 4_000;

/** Builds the program on a migrated database, without listening. */
export function openApp(
  config: Config,
  database_url: string,
  log: Log,
  overrides: Partial<Services> = {},
): App {
  const provided = { plan_commit: planCommit, ...overrides };
  const opened = openServices(config, database_url, log, provided);
  const { services } = opened;
  const server = openServer(services, routes, keyAuthentication(services.gate, log));
  mountOperations(server, services);
  mountMcp(server, services, catalogues, tokenAuthentication(services), findNamed);
  mountDocs(server, routes, config.base_url);
  mountOauth(server, services);
  mountDocumentLinks(server, services);
  mountPages(server, services, pages, actions, signInFirst);
  const workers: Worker[] = [];
  return {
    services,
    server,
    startWorker() {
      const worker = startBackground(services);
      workers.push(worker);
      return worker;
    },
    async close() {
      // Requests in progress may finish until the timeout, which then aborts the remaining ones.
      const stop_timer = setTimeout(async () => {
        await services.heavy?.close();
        // A client that does not read its response is disconnected.
        server.server.closeAllConnections();
      }, TIMEOUT_MS);
      await server.close();
      clearTimeout(stop_timer);
      await services.heavy?.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await opened.close();
    },
  };
}
