/**
 * The MCP endpoint (spec 8.5): the official server, without sessions, for both eras of the protocol, behind its gates
 * (`gate.ts`). It receives tools and tokens as parameters and does not depend on them.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { MOST_BODY_BYTES, parseBody } from "../../platform/http/body.ts";
import {
  envelopeOf,
  problemFromDatabase,
  statusOfKind,
  unreadableStatus,
} from "../../platform/http/problems.ts";
import type { Services } from "../../platform/runtime/services.ts";
import type { FindNamed } from "./arguments.ts";
import { answeredAtOnce } from "./at-once.ts";
import { contextOf } from "./call-tool.ts";
import type { Catalogues } from "./catalogue.ts";
import { type GrantTokens, methodOf, openGate, personOf } from "./gate.ts";
import { instructionsFor } from "./instructions.ts";
import { plainAnswer, plainMessage } from "./plain-message.ts";
import { isRefused, outcomeOfCall, structuredOf } from "./tool-outcome.ts";

export const MCP_PATH = "/api/mcp";

/** Registers the endpoint for all methods. */
export function mountMcp(
  app: FastifyInstance,
  services: Services,
  catalogues: Catalogues,
  tokens: GrantTokens,
  findNamed: FindNamed,
): void {
  const serve = serverOf(services, findNamed);
  const gate = openGate(services, catalogues, tokens);
  app.register(async (mcp) => {
    mcp.decorateRequest("assistant", null);
    mcp.decorateRequest("unasked", null);
    mcp.removeAllContentTypeParsers();
    mcp.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_request: FastifyRequest, body: Buffer) => parseBody(body),
    );
    mcp.setErrorHandler(async (error, request, reply) => {
      try {
        const refused = request.unasked === null ? undefined : await gate.ask(request, reply);
        return refused ?? unreadable(services, error, request, reply);
      } catch (thrown) {
        return unreadable(services, thrown, request, reply);
      }
    });
    mcp.route({
      method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      url: MCP_PATH,
      onRequest: gate.enter,
      preHandler: async (request, reply) => {
        if (request.unasked !== null) {
          const text = await answeredAtOnce(services, gate, catalogues, tokens, request);
          if (text !== undefined) return reply.type(JSON_TYPE).send(text);
          const refused = await gate.ask(request, reply);
          if (refused) return refused;
        }
        return gate.look(request, reply);
      },
      handler: async (request, reply) => {
        // The stream would never end or carry an event: catalogues change only with role and scopes.
        if (methodOf(request.body) === SUBSCRIPTION) return refuseMethod(reply, request.body);
        const person = personOf(request);
        const message = plainMessage(request, person.catalogue);
        if (message !== undefined) {
          const text = await plainAnswer(services, findNamed, message, {
            id: request.id,
            ...person,
          });
          return reply.type(JSON_TYPE).send(text);
        }
        const answer = await serve(request);
        const bytes = Buffer.from(await answer.arrayBuffer());
        reply.code(answer.status);
        if (bytes.length === 0) return reply.send();
        return reply.type(JSON_TYPE).send(bytes);
      },
    });
  });
}

const JSON_TYPE = "application/json; charset=utf-8";
const SUBSCRIPTION = "subscriptions/listen";

function refuseMethod(reply: FastifyReply, message: unknown): FastifyReply {
  const { id } = message as { readonly id?: unknown };
  const error = { code: -32601, message: "Method not found" };
  const shown_id = typeof id === "string" || typeof id === "number" ? id : null;
  return reply
    .code(404)
    .type(JSON_TYPE)
    .send(JSON.stringify({ jsonrpc: "2.0", id: shown_id, error }));
}

/** Returns the official server for one request, in the request's era of the protocol. */
function serverOf(
  services: Services,
  findNamed: FindNamed,
): (request: FastifyRequest) => Promise<Response> {
  const served = new WeakMap<Request, () => Server>();
  const modern = quietly(() =>
    createMcpHandler(
      ({ requestInfo }) => {
        const open = requestInfo && served.get(requestInfo);
        if (open === undefined) throw new Error("a server is asked for without a request");
        return open();
      },
      { legacy: "reject", responseMode: "json" },
    ),
  );
  return async (fastify_request) => {
    const request = webRequest(services, fastify_request);
    const parsedBody = withoutCancellations(fastify_request.body);
    const instructions = await instructionsOf(services, fastify_request);
    const open = () => openServer(services, fastify_request, instructions, findNamed);
    if (!(await isLegacyRequest(request, parsedBody))) {
      served.set(request, open);
      return modern.fetch(request, { parsedBody });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = open();
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  };
}

/**
 * Returns a batch without cancellations of its own requests: a cancelled request never gets a response, so the response to the
 * batch would wait forever. Requests of other batches belong to other servers and cannot be cancelled.
 */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const left = body.filter((message) => methodOf(message) !== "notifications/cancelled");
  return left.length === 0 ? body : left;
}

/** The constructor warns about dropped notifications; this server sends none. */
function quietly<Value>(make: () => Value): Value {
  const { warn } = console;
  console.warn = () => {};
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

/** Returns the request with its headers only: the body is already parsed. */
function webRequest(services: Services, { raw }: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = raw.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(`${services.config.base_url}${MCP_PATH}`, { method: "POST", headers });
}

/** Returns the instructions for a message that may ask for them: the messages of a conversation after its start do not. */
async function instructionsOf(services: Services, request: FastifyRequest): Promise<string> {
  const { caller, left } = personOf(request);
  const method = methodOf(request.body);
  if (LATER.has(method) || String(method).startsWith("notifications/")) return "";
  return instructionsFor(contextOf(services, caller, request.id, left), services.config.base_url);
}

const LATER: ReadonlySet<unknown> = new Set(["tools/list", "tools/call", "ping"]);

function openServer(
  services: Services,
  request: FastifyRequest,
  instructions: string,
  findNamed: FindNamed,
): Server {
  const { caller, catalogue, left } = personOf(request);
  const server = new Server(
    { name: "matchbook", title: "Matchbook", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions },
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

/** Refuses unreadable requests in the form of JSON-RPC. */
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
      .type(JSON_TYPE)
      .send(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message, data } }));
  const problem = problemFromDatabase(error);
  // The database is away or overloaded.
  if (problem instanceof Problem && (problem.kind === "unavailable" || problem !== error)) {
    const { error: shown } = envelopeOf(problem, request.id);
    reply.header("retry-after", String(problem.extras.retry_after_seconds ?? 1));
    return send(statusOfKind[problem.kind], -32603, shown.message, { code: shown.code });
  }
  if (error instanceof Problem) return send(400, -32700, error.message);
  if (status === 413) return send(413, -32700, `The body is larger than ${MOST_BODY_BYTES} bytes.`);
  if (status === 415) return send(415, -32700, "The content type must be application/json.");
  if (status !== undefined) return send(400, -32700, "The request cannot be read.");
  services.log.error({ request_id: request.id, err: error }, "unexpected error");
  return send(500, -32603, `Something went wrong on our side. Request ${request.id}.`);
}
