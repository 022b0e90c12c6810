/** What operators call: is the process alive, can it work, what does it measure (decisions.md 28). */
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../../domain/problem.ts";
import { query } from "../database/database.ts";
import { readMigrations } from "../database/migrate.ts";
import { sha256 } from "../json.ts";
import type { Services } from "../services.ts";

/** Registers /healthz, /readyz and /metrics. */
export function mountOperations(app: FastifyInstance, services: Services): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const faults = await faultsOf(services);
    return reply
      .code(faults.length === 0 ? 200 : 503)
      .send({ status: faults.length === 0 ? "ready" : "not_ready", faults });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayMeasure(request, services.config.metrics_token)) throw new Problem("NOT_FOUND");
    return reply.type(services.metrics.content_type).send(await services.metrics.text());
  });
}

async function faultsOf(services: Services): Promise<string[]> {
  try {
    const applied = await query<{ name: string }>(
      services.db,
      "select name from schema_migrations",
    );
    const names = new Set(applied.map((row) => row.name));
    const missing = (await readMigrations()).filter((migration) => !names.has(migration.name));
    return missing.map((migration) => `migration ${migration.name} is not applied`);
  } catch {
    return ["the database does not answer"];
  }
}

/** With the token, or from this machine without a proxy in between. */
function mayMeasure(request: FastifyRequest, token: string | null): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token !== null && given !== undefined) return timingSafeEqual(sha256(given), sha256(token));
  const is_forwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some(
    (name) => request.headers[name] !== undefined,
  );
  const address = request.socket.remoteAddress ?? "";
  return !is_forwarded && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
