/** The HTTP server: limits, credentials, rate limit, log line and error envelope. The caller passes in the routes. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import { notFound, Problem } from "../../domain/base/problem.ts";
import type { Caller } from "../commands/context.ts";
import { sql } from "../database/sql.ts";
import { RateLimiter } from "../fairness/limits/token-bucket.ts";
import type { Services } from "../runtime/services.ts";
import { digestOf, notice } from "../security/notice.ts";
import { type Admission, bearerOf, type Keys, requireTurn } from "./admission.ts";
import { LARGE_BYTES, MOST_BODY_BYTES, parseBody, UnreadBody } from "./body.ts";
import { checksOf } from "./check.ts";
import { refusalFrom } from "./client-left.ts";
import { HeadWatch } from "./head-watch.ts";
import { keptPath, loggedPath } from "./logged-path.ts";
import { mount } from "./mount.ts";
import { callNext } from "./pipelined.ts";
import { envelopeOf, internalError, statusOfKind, unreadableStatus } from "./problems.ts";
import { openRequestLog, type RequestLog } from "./request-log.ts";
import type { Route } from "./route.ts";
import {
  API_PREFIX,
  API_VERSION,
  nameVersion,
  requireKnownVersion,
  VERSION_HEADER,
} from "./version.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The types of files that a route takes instead of JSON. */
    content_types?: readonly string[];
  }

  interface FastifyRequest {
    caller: Caller | null;
    /** The command that the request ran; null while there is none. */
    command: string | null;
    /** The digest of the login that the request is about; null when it names none. */
    login_digest: string | null;
    /** The code of the refusal that was answered; null while there is none. */
    refusal: string | null;
  }
}

/** Builds the server without listening. `mountPages` answers unknown paths outside of the API. */
export function openServer(
  services: Services,
  routes: readonly Route[],
  keys: Keys,
): FastifyInstance {
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MOST_BODY_BYTES,
    exposeHeadRoutes: false,
    requestTimeout: 15_000,
    trustProxy: services.config.trusted_proxies.length > 0 && [...services.config.trusted_proxies],
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 4096 },
    // A request without a Host header is refused below, because Node's own refusal has no envelope.
    http: { maxHeaderSize: 16_384, headersTimeout: 8_000, requireHostHeader: false },
    // Loggers of requests are created only when a request logs something (`logOfRequest`).
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => requestIdFrom(request.headers["x-request-id"]),
    clientErrorHandler: (_error, socket) => refuseUnreadable(socket),
    frameworkErrors: (error, request, reply) => answerError(services, error, request, reply),
  });
  for (const name of ["caller", "command", "login_digest", "refusal"]) {
    app.decorateRequest(name, null);
  }
  app.addHttpMethod("OPTIONS", { hasBody: false, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer) => parseBody(body),
  );
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.header("cache-control", "no-store");
    nameVersion(request, reply);
    if (services.background.seems_paused()) reply.header("matchbook-background", "paused");
    const is_nameless = request.headers.host === undefined && request.raw.httpVersion !== "1.0";
    done(is_nameless ? namelessHost() : undefined);
  });
  leaveExpectations(app);
  recordAnswers(app, services);
  app.setErrorHandler((error, request, reply) => answerError(services, error, request, reply));
  const admission = admissionOf(app, services, keys);
  app.register(
    async (api) => {
      const checks = checksOf(routes);
      for (const route of routes) {
        // The parsers of a route that takes files are its own.
        if (route.file) api.register(async (own) => mount(own, route, services, checks, admission));
        else mount(api, route, services, checks, admission);
      }
      if (services.heavy) leaveLargeBodies(api);
      // The credential is checked first, so that the API's paths stay hidden from unknown callers. Neither refusal reads a body.
      api.addHook("onRequest", async (request, reply) => {
        if (request.is404) await refuseUnknown(admission, request, reply);
      });
      api.setNotFoundHandler(absent);
    },
    { prefix: API_PREFIX },
  );
  return app;
}

function admissionOf(app: FastifyInstance, services: Services, keys: Keys): Admission {
  const heads = new HeadWatch((ids) => readHeads(services, ids));
  // Requests that wait are answered first, because a stop waits for requests in progress.
  app.addHook("preClose", async () => heads.stop());
  const admission: Admission = {
    keys,
    heads,
    limiter: new RateLimiter(services.config.rate_limit),
    admit: (request, reply) => admitCaller(services, request, reply, admission),
  };
  return admission;
}

/** Reads the sequences of the last events of accounts. */
async function readHeads(
  { gate }: Services,
  account_ids: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await gate.rows<{ account_id: string; seq: bigint }>(
    sql`select account_id, seq from audit_heads where account_id = any(${account_ids})`,
  );
  return new Map(rows.map(({ account_id, seq }) => [account_id, seq]));
}

/** Logs each answered request, and keeps those of API keys for the page of developers. */
function recordAnswers(app: FastifyInstance, services: Services): void {
  const requests = openRequestLog(services.pools.background, services.log);
  app.addHook("onClose", () => requests.close());
  app.addHook("onResponse", (request, reply, done) => {
    logLine(services, request, reply);
    keepRequest(requests, request, reply);
    callNext(request);
    done();
  });
}

/** Ignores unknown `Expect` headers, to which Node would respond with an empty 417. */
function leaveExpectations({ server }: FastifyInstance): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Leaves a large body unparsed, for the thread that gets the request. */
function leaveLargeBodies(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer) =>
      body.length > LARGE_BYTES ? new UnreadBody(body) : parseBody(body),
  );
}

function namelessHost(): Problem {
  return new Problem("MALFORMED_REQUEST", { message: "The request names no host." });
}

async function absent(request: FastifyRequest): Promise<never> {
  const { method, url } = request;
  throw notFound("endpoint", `${method} ${url.split("?", 1)[0] ?? ""}`);
}

/** Refuses an unknown address of the API as the order of checks has it. */
async function refuseUnknown(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  await admission.admit(request, reply);
  requireKnownVersion(request);
  return absent(request);
}

async function admitCaller(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { keys, limiter }: Admission,
): Promise<void> {
  const token = bearerOf(request);
  const caller = token === undefined ? null : await keys.authenticate(token);
  if (caller === null) {
    if (token !== undefined) await noticeCredential(services, "key_refused", request, token);
    throw new Problem("UNAUTHORIZED");
  }
  request.caller = caller;
  requireTurn(limiter, caller.account_id, reply);
}

/** Logs a key or token that was refused. */
export async function noticeCredential(
  services: Services,
  event: "key_refused" | "token_refused",
  request: FastifyRequest,
  given: string,
  reason?: string,
): Promise<void> {
  notice(services, event, {
    address: request.ip,
    // Malformed credentials are refused without the database, also while the database is away.
    credential: await digestOf(services.gate, given).catch(() => undefined),
    request_id: request.id,
    route: request.routeOptions.url,
    reason,
  });
}

function answerError(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = refusalFrom(thrown);
  reply.type("application/json; charset=utf-8");
  // An address that cannot be read passes no hook.
  nameVersion(request, reply);
  const problem = error instanceof Problem ? error : unreadable(error, request);
  if (problem === undefined) {
    services.log.error({ request_id: request.id, err: error }, "unexpected error");
    request.refusal = "INTERNAL_ERROR";
    return reply.code(500).send(JSON.stringify(internalError(request.id)));
  }
  request.refusal = problem.code;
  const wait = problem.extras.retry_after_seconds;
  if (wait !== undefined) reply.header("retry-after", String(wait));
  if (problem.kind === "unauthorized") reply.header("www-authenticate", "Bearer");
  return reply
    .code(statusOfKind[problem.kind])
    .send(JSON.stringify(envelopeOf(problem, request.id)));
}

/** Converts the framework's own refusals to the refusal of an unreadable request. */
function unreadable(error: unknown, { routeOptions }: FastifyRequest): Problem | undefined {
  const status = unreadableStatus(error);
  if (status === undefined) return undefined;
  const { content_types = ["application/json"] } = routeOptions.config;
  const messages: Readonly<Record<number, string>> = {
    413: `The body is larger than ${routeOptions.bodyLimit ?? MOST_BODY_BYTES} bytes.`,
    415: `The content type must be ${content_types.join(", ")}.`,
  };
  const message = messages[status];
  return new Problem("MALFORMED_REQUEST", message === undefined ? {} : { message });
}

/** Sends the envelope for requests that HTTP itself cannot read (spec 11.5). Their path is not known. */
function refuseUnreadable(socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(envelopeOf(new Problem("MALFORMED_REQUEST"), randomUUID()));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n${VERSION_HEADER}: ${API_VERSION}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function requestIdFrom(header: string | string[] | undefined): string {
  return typeof header === "string" && /^[\w.-]{1,64}$/.test(header) ? header : randomUUID();
}

function logLine(services: Services, request: FastifyRequest, reply: FastifyReply): void {
  const seconds = reply.elapsedTime / 1000;
  const route = request.routeOptions.url ?? "(none)";
  services.metrics.observe(request.method, route, reply.statusCode, seconds);
  if (reply.statusCode === 429) {
    notice(services, "rate_limited", {
      address: request.ip,
      login: request.login_digest ?? undefined,
      request_id: request.id,
      route,
      account_id: request.caller?.account_id,
      actor: request.caller?.actor.id,
    });
  }
  services.log.info(
    {
      request_id: request.id,
      method: request.method,
      path: loggedPath(request.url, request.routeOptions.url),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.command === null ? {} : { command: request.command }),
      ...(request.caller
        ? { account_id: request.caller.account_id, actor: request.caller.actor.id }
        : {}),
    },
    "request",
  );
}

/** Keeps a request of an API key for the page of developers. */
function keepRequest(requests: RequestLog, request: FastifyRequest, reply: FastifyReply): void {
  const { caller } = request;
  if (caller === null || caller.actor.kind !== "api_key") return;
  requests.keep({
    account_id: caller.account_id,
    key_id: caller.actor.id,
    method: request.method,
    path: keptPath(request.url, request.routeOptions.url),
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    refusal: request.refusal,
    request_id: request.id,
  });
}
