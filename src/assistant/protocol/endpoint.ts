/**
 * The MCP endpoint (spec 8.5): the gates in front of it in their order, then the official server,
 * without sessions, for both eras of the protocol. It knows no tool and no token: both are handed in.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  validateHostHeader,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { type Caller, type McpScope, mcpScopes } from "../../platform/context.ts";
import { bearerOf, leftOf } from "../../platform/http/admission.ts";
import { MOST_BODY_BYTES, parseBody } from "../../platform/http/body.ts";
import {
  envelopeOf,
  problemFromDatabase,
  statusOfKind,
  unreadableStatus,
} from "../../platform/http/problems.ts";
import { noticeCredential } from "../../platform/http/server.ts";
import { RateLimiter } from "../../platform/limits/token-bucket.ts";
import type { Services } from "../../platform/services.ts";
import type { FindNamed } from "./arguments.ts";
import { type Catalogue, type Catalogues, levelOf } from "./catalogue.ts";
import { plainAnswer, plainMessage } from "./plain-message.ts";
import { isRefused, outcomeOfCall, type Personal, structuredOf } from "./tool-outcome.ts";

export const MCP_PATH = "/api/mcp";
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource/api/mcp";

/** The person behind an access token; null for anything that is not a live one. */
type AuthenticateToken = (token: string) => Promise<Caller | null>;

/** 120 requests a minute for each grant. */
const RATE = { per_second: 2, burst: 120 };

declare module "fastify" {
  interface FastifyRequest {
    assistant: {
      readonly caller: Personal;
      readonly catalogue: Catalogue;
      /** Aborted when the client leaves. */
      readonly left: AbortSignal;
    } | null;
  }
}

/** Registers the endpoint for all methods. */
export function mountMcp(
  app: FastifyInstance,
  services: Services,
  catalogues: Catalogues,
  authenticate: AuthenticateToken,
  findNamed: FindNamed,
): void {
  const serve = serverOf(services, findNamed);
  const limiter = new RateLimiter(services.config.rate_limit === null ? null : RATE);
  const gate = gateOf(services, catalogues, authenticate, limiter);
  app.register(async (mcp) => {
    mcp.decorateRequest("assistant", null);
    mcp.removeAllContentTypeParsers();
    mcp.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_request: FastifyRequest, body: Buffer) => parseBody(body),
    );
    mcp.setErrorHandler((error, request, reply) => unreadable(services, error, request, reply));
    mcp.route({
      method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      url: MCP_PATH,
      onRequest: gate,
      preHandler: async (request, reply) =>
        countBatch(limiter, request, reply) ?? stepUp(services, catalogues, request, reply),
      handler: async (request, reply) => {
        // Its stream would never end, and there is nothing to tell: catalogues change with role and scopes only.
        if (methodOf(request.body) === SUBSCRIPTION) return refuseMethod(reply, request.body);
        const person = personOf(request);
        const message = plainMessage(request, person.catalogue);
        if (message !== undefined) {
          const text = await plainAnswer(services, findNamed, message, {
            id: request.id,
            ...person,
          });
          return reply.type("application/json; charset=utf-8").send(text);
        }
        const answer = await serve(request);
        const bytes = Buffer.from(await answer.arrayBuffer());
        reply.code(answer.status);
        if (bytes.length === 0) return reply.send();
        return reply.type("application/json; charset=utf-8").send(bytes);
      },
    });
  });
}

const SUBSCRIPTION = "subscriptions/listen";

function methodOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "method" in message
    ? message.method
    : undefined;
}

function refuseMethod(reply: FastifyReply, message: unknown): FastifyReply {
  const { id } = message as { readonly id?: unknown };
  const error = { code: -32601, message: "Method not found" };
  const shown_id = typeof id === "string" || typeof id === "number" ? id : null;
  return reply
    .code(404)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ jsonrpc: "2.0", id: shown_id, error }));
}

/** Host, Origin, Accept, token, rate, method: each is asked before the body is read (spec 8.5). */
function gateOf(
  services: Services,
  catalogues: Catalogues,
  authenticate: AuthenticateToken,
  limiter: RateLimiter,
) {
  const { base_url } = services.config;
  const hosts = hostsOf(base_url);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { host, origin, accept = "" } = request.headers;
    if (!validateHostHeader(host, hosts).ok) {
      return answer(reply, 403, "HOST_NOT_ALLOWED", "This address is not served under that host.");
    }
    if (origin !== undefined && origin !== base_url) {
      return answer(reply, 403, "ORIGIN_NOT_ALLOWED", "Pages of other origins may not call this.");
    }
    if (request.method === "POST" && !acceptsBoth(accept)) {
      const message = "The Accept header must name application/json and text/event-stream.";
      return answer(reply, 406, "NOT_ACCEPTABLE", message);
    }
    const token = bearerOf(request);
    const caller = token === undefined ? null : await authenticate(token);
    if (caller === null || !isPersonal(caller)) {
      if (token !== undefined) await noticeCredential(services, "token_refused", request, token);
      reply.header("www-authenticate", `Bearer resource_metadata="${metadataOf(services)}"`);
      const message = "An access token of this service is required; connect through the browser.";
      return answer(reply, 401, "UNAUTHORIZED", message);
    }
    request.caller = caller;
    const { grant, role } = caller.person;
    const scopes = grant?.scopes ?? new Set<McpScope>();
    request.assistant = { caller, catalogue: catalogues.of(role, scopes), left: leftOf(reply) };
    const hasty = countOne(limiter, caller, reply);
    if (hasty) return hasty;
    if (request.method !== "POST") {
      reply.header("allow", "POST");
      return answer(reply, 405, "METHOD_NOT_ALLOWED", "Only POST is served here.");
    }
    return undefined;
  };
}

/** Answers 429 when the grant has used up its minute. */
function countOne(
  limiter: RateLimiter,
  caller: Personal,
  reply: FastifyReply,
): FastifyReply | undefined {
  const grant_id = caller.person.grant?.id ?? "";
  const { allowed, retry_after_seconds } = limiter.take(grant_id, Date.now());
  if (allowed) return undefined;
  reply.header("retry-after", String(retry_after_seconds));
  const message = `At most 120 requests a minute; wait ${retry_after_seconds} seconds.`;
  return answer(reply, 429, "RATE_LIMITED", message);
}

/** The gate has counted a batch as one request; each message more in it is one more. */
function countBatch(
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { body } = request;
  if (!Array.isArray(body)) return undefined;
  const { caller } = personOf(request);
  for (let message = 1; message < Math.min(body.length, RATE.burst + 1); message += 1) {
    const hasty = countOne(limiter, caller, reply);
    if (hasty) return hasty;
  }
  return undefined;
}

/** As the transport reads it: both types by name, a wildcard is none. */
function acceptsBoth(accept: string): boolean {
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

function isPersonal(caller: Caller): caller is Personal {
  return caller.person !== null && caller.person.grant !== null;
}

function metadataOf(services: Services): string {
  return `${services.config.base_url}${RESOURCE_METADATA_PATH}`;
}

/** Names of loopback are one host; any other origin has one name. */
function hostsOf(base_url: string): string[] {
  const { hostname } = new URL(base_url);
  const loopback = ["localhost", "127.0.0.1", "[::1]"];
  return loopback.includes(hostname) ? loopback : [hostname];
}

function answer(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  // The contract has the body of 401 whole (spec 8.5).
  const named = status === 401 ? {} : { request_id: reply.request.id };
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: { code, message, ...named } }));
}

/** A known tool above the token's scopes: the client may ask the person for more (spec 8.5). */
function stepUp(
  services: Services,
  catalogues: Catalogues,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (request.body === undefined)
    throw new Problem("MALFORMED_REQUEST", { message: "There is no body." });
  const { person } = personOf(request).caller;
  const level = levelOf(person.grant?.scopes ?? new Set());
  for (const message of Array.isArray(request.body) ? request.body : [request.body]) {
    const name = toolCalled(message);
    const scope = name === undefined ? undefined : catalogues.scopeOf(name);
    if (scope === undefined) continue;
    const needed = mcpScopes.indexOf(scope) + 1;
    if (needed <= level) continue;
    const scopes = mcpScopes.slice(0, needed).join(" ");
    reply.header(
      "www-authenticate",
      `Bearer error="insufficient_scope", scope="${scopes}", resource_metadata="${metadataOf(services)}"`,
    );
    const words = `The person has not allowed this assistant to use ${name}. They may connect it again and allow ${scope}.`;
    return answer(reply, 403, "INSUFFICIENT_SCOPE", words);
  }
  return undefined;
}

function toolCalled(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { params } = message as { params?: { name?: unknown } | null };
  const name = methodOf(message) === "tools/call" ? params?.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function personOf(request: FastifyRequest) {
  if (request.assistant === null) throw new Error("a request has passed the gate without a person");
  return request.assistant;
}

/** Serves one request by the official server, in the era of the protocol that it speaks. */
function serverOf(
  services: Services,
  findNamed: FindNamed,
): (request: FastifyRequest) => Promise<Response> {
  const served = new WeakMap<Request, FastifyRequest>();
  const modern = quietly(() =>
    createMcpHandler(
      ({ requestInfo }) => {
        const request = requestInfo && served.get(requestInfo);
        if (request === undefined) throw new Error("a server is asked for without a request");
        return openServer(services, request, findNamed);
      },
      { legacy: "reject", responseMode: "json" },
    ),
  );
  return async (fastify_request) => {
    const request = webRequest(services, fastify_request);
    const parsedBody = withoutCancellations(fastify_request.body);
    if (!(await isLegacyRequest(request, parsedBody))) {
      served.set(request, fastify_request);
      return modern.fetch(request, { parsedBody });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = openServer(services, fastify_request, findNamed);
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  };
}

/**
 * A batch without what would cancel its own requests: a cancelled request is never answered, and the answer
 * to the batch would wait for it for ever. Requests of other batches are of another server, out of reach.
 */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const left = body.filter((message) => methodOf(message) !== "notifications/cancelled");
  return left.length === 0 ? body : left;
}

/** The constructor warns of notifications that are dropped; we send none. */
function quietly<Value>(make: () => Value): Value {
  const { warn } = console;
  console.warn = () => {};
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

/** Headers alone: the body is parsed already. */
function webRequest(services: Services, { raw }: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = raw.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(`${services.config.base_url}${MCP_PATH}`, { method: "POST", headers });
}

const INSTRUCTIONS = `Matchbook invoices work and retainers and recognises revenue. Read with the list_* and get_*
tools. To change anything, call a plan_* tool, tell the person in words what the plan does, and call commit with its
plan_id when they have agreed. Nothing but commit changes anything. Amounts are net of VAT.`;

function openServer(services: Services, request: FastifyRequest, findNamed: FindNamed): Server {
  const { caller, catalogue, left } = personOf(request);
  const server = new Server(
    { name: "matchbook", title: "Matchbook", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...catalogue.listed] as never[] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const offered = catalogue.offered.get(params.name);
    if (offered === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${nameOf(params.name)}.`,
      );
    }
    const sent = params.arguments ?? {};
    const call = { request_id: request.id, caller, left, offered, sent };
    const outcome = await outcomeOfCall(services, findNamed, call);
    if (isRefused(outcome)) return outcome;
    return {
      content: [{ type: "text" as const, text: outcome.text }],
      structuredContent: structuredOf(outcome),
    };
  });
  return server;
}

const nameOf = (name: string): string => JSON.stringify(name.slice(0, 64));

/** What cannot be read is told in the words of JSON-RPC. */
function unreadable(
  services: Services,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = unreadableStatus(error);
  const send = (http: number, code: number, message: string, data?: object) =>
    reply
      .code(http)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } }));
  const told = problemFromDatabase(error);
  // The database is away, or has no time.
  if (told instanceof Problem && (told.kind === "unavailable" || told !== error)) {
    const { error: shown } = envelopeOf(told, request.id);
    reply.header("retry-after", String(told.extras.retry_after_seconds ?? 1));
    return send(statusOfKind[told.kind], -32603, shown.message, { code: shown.code });
  }
  if (error instanceof Problem) return send(400, -32700, error.message);
  if (status === 413) return send(413, -32700, `The body is larger than ${MOST_BODY_BYTES} bytes.`);
  if (status === 415) return send(415, -32700, "The content type must be application/json.");
  if (status !== undefined) return send(400, -32700, "The request cannot be read.");
  services.log.error({ request_id: request.id, err: error }, "unexpected error");
  return send(500, -32603, `Something went wrong on our side. Request ${request.id}.`);
}
