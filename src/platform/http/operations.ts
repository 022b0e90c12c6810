/** The endpoints for operators: whether the process is alive, whether it can work, and what it measures (spec 12.5). */
import { timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { readMigrations } from "../database/migrate.ts";
import { sha256 } from "../runtime/json.ts";
import type { Services } from "../runtime/services.ts";

/** Registers /healthz, /readyz and /metrics. */
export function mountOperations(app: FastifyInstance, services: Services): void {
  app.get("/healthz", async (_request, reply) => {
    const is_gone = services.watch.away_ms() > MOST_AWAY_MS;
    return reply.code(is_gone ? 503 : 200).send({ status: is_gone ? "no_database" : "ok" });
  });
  app.get("/readyz", async (_request, reply) => {
    const [faults, is_paused] = await Promise.all([faultsOf(services), isPaused(services)]);
    return reply.code(faults.length === 0 ? 200 : 503).send({
      status: faults.length === 0 ? "ready" : "not_ready",
      faults,
      ...(is_paused ? { background: "paused" } : {}),
    });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayMeasure(request, services.config.metrics_token)) throw new Problem("NOT_FOUND");
    return reply.type(services.metrics.content_type).send(await services.metrics.text());
  });
}

/** Whether background work is paused; the last known state when the database does not respond in time. */
async function isPaused({ background }: Services): Promise<boolean> {
  const late = new AbortController();
  const known = delay(ANSWER_MS, undefined, { signal: late.signal }).then(background.seems_paused);
  // The error of a promise that loses the race is ignored.
  known.catch(() => {});
  const asked = background.isPaused().catch(background.seems_paused);
  return Promise.race([asked, known]).finally(() => late.abort());
}

/** The length of an outage after which `/healthz` fails: the supervisor may then replace the process. */
const MOST_AWAY_MS = 60_000;

/** The maximum wait for the database, below the two seconds within which `/readyz` responds. */
const ANSWER_MS = 1_500;

async function faultsOf(services: Services): Promise<string[]> {
  const applied = await services.watch.migrations(ANSWER_MS);
  if (applied === undefined) return ["the database does not answer"];
  const names = new Set(applied);
  const missing = (await readMigrations()).filter((migration) => !names.has(migration.name));
  return missing.map((migration) => `migration ${migration.name} is not applied`);
}

/** Whether a request may read metrics: with the token if one is set; otherwise, from this machine and not through a proxy. */
function mayMeasure(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token !== null) return timingSafeEqual(sha256(given ?? ""), sha256(token));
  const is_forwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some(
    (name) => request.headers[name] !== undefined,
  );
  const address = request.socket.remoteAddress ?? "";
  return !is_forwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
