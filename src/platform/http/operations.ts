/** What operators call: is the process alive, can it work, what does it measure (spec 12.5). */
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { readMigrations } from "../database/migrate.ts";
import { sha256 } from "../json.ts";
import type { Services } from "../services.ts";

/** Registers /healthz, /readyz and /metrics. */
export function mountOperations(app: FastifyInstance, services: Services): void {
  app.get("/healthz", async (_request, reply) => {
    const is_gone = services.watch.away_ms() > MOST_AWAY_MS;
    return reply.code(is_gone ? 503 : 200).send({ status: is_gone ? "no_database" : "ok" });
  });
  app.get("/readyz", async (_request, reply) => {
    const faults = await faultsOf(services);
    return reply.code(faults.length === 0 ? 200 : 503).send({
      status: faults.length === 0 ? "ready" : "not_ready",
      faults,
      ...((await isPaused(services, faults)) ? { background: "paused" } : {}),
    });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayMeasure(request, services.config.metrics_token)) throw new Problem("NOT_FOUND");
    return reply.type(services.metrics.content_type).send(await services.metrics.text());
  });
}

/** Whether background work stands still; as it was last known while the database does not answer. */
async function isPaused({ background }: Services, faults: readonly string[]): Promise<boolean> {
  if (faults.length > 0) return background.seems_paused();
  return background.isPaused().catch(() => background.seems_paused());
}

/** Without a database for so long, a process is no better than one that is gone: whoever supervises it may replace it. */
const MOST_AWAY_MS = 60_000;

/** Below the two seconds in which `/readyz` tells. */
const ANSWER_MS = 1_500;

async function faultsOf(services: Services): Promise<string[]> {
  const applied = await services.watch.migrations(ANSWER_MS);
  if (applied === undefined) return ["the database does not answer"];
  const names = new Set(applied);
  const missing = (await readMigrations()).filter((migration) => !names.has(migration.name));
  return missing.map((migration) => `migration ${migration.name} is not applied`);
}

/** With the token where there is one; without, from this machine and not through a proxy. */
function mayMeasure(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token !== null) return timingSafeEqual(sha256(given ?? ""), sha256(token));
  const is_forwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some(
    (name) => request.headers[name] !== undefined,
  );
  const address = request.socket.remoteAddress ?? "";
  return !is_forwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
