/**
 * The gates of the MCP endpoint in their order (spec 8.5): host, origin, `Accept`, token, rate, method; after the body, the count
 * of a batch and tools above the token's scopes. The lookup of tokens is a parameter.
 *
 * A request with a small body and a token that was live a moment ago is read to its end before the token is looked up: a call
 * that one SQL query answers is read together with the token (`at-once.ts`). No response is sent before that lookup, and refusals
 * stay the same.
 */
import { validateHostHeader } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { type Caller, type McpScope, mcpScopes } from "../../platform/commands/context.ts";
import { RateLimiter } from "../../platform/fairness/limits/token-bucket.ts";
import {
  bearerOf,
  type Credentials,
  leftOf,
  type SeenBefore,
} from "../../platform/http/admission.ts";
import { LARGE_BYTES } from "../../platform/http/body.ts";
import { noticeCredential } from "../../platform/http/server.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { type Catalogue, type Catalogues, levelOf } from "./catalogue.ts";
import type { PersonCaller } from "./tool-outcome.ts";

const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource/api/mcp";

/** Looks up the persons behind access tokens. */
export type GrantTokens = Credentials<SeenBefore>;

/** 120 requests a minute for each grant. */
const RATE = { per_second: 2, burst: 120 };

declare module "fastify" {
  interface FastifyRequest {
    assistant: {
      readonly caller: PersonCaller;
      readonly catalogue: Catalogue;
      /** Aborts when the client leaves. */
      readonly left: AbortSignal;
    } | null;
    /** A token that was valid before and still has to be looked up; null after the lookup, or for a token that is not known. */
    unasked: SeenBefore | null;
  }
}

export interface Gate {
  /** Checks the request before the body is read. Returns the reply where the request is refused. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Looks up the token, unless already done. Returns the reply where the token is refused or the rate is exceeded. */
  ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Checks the content of the body. Returns the reply where it is refused. */
  look(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
  /** Counts a request of the grant. Returns false when the grant has used up its requests for this minute. */
  hasTurn(caller: PersonCaller): boolean;
}

export function openGate(services: Services, catalogues: Catalogues, tokens: GrantTokens): Gate {
  const { base_url } = services.config;
  const hosts = hostsOf(base_url);
  const limiter = new RateLimiter(services.config.rate_limit === null ? null : RATE);
  const ask: Gate["ask"] = async (request, reply) => {
    request.unasked = null;
    const token = bearerOf(request);
    const caller = token === undefined ? null : await tokens.authenticate(token);
    if (caller === null || !isPersonal(caller)) {
      if (token !== undefined) await noticeCredential(services, "token_refused", request, token);
      reply.header("www-authenticate", `Bearer resource_metadata="${metadataOf(services)}"`);
      const message = "An access token of this service is required; connect through the browser.";
      return answer(reply, 401, "UNAUTHORIZED", message);
    }
    request.caller = caller;
    request.assistant = { caller, catalogue: offeredTo(catalogues, caller), left: leftOf(reply) };
    return countOne(limiter, caller, reply);
  };
  return {
    ask,
    async enter(request, reply) {
      const { host, origin, accept = "" } = request.headers;
      if (!validateHostHeader(host, hosts).ok) {
        return answer(
          reply,
          403,
          "HOST_NOT_ALLOWED",
          "This address is not served under that host.",
        );
      }
      if (origin !== undefined && origin !== base_url) {
        return answer(
          reply,
          403,
          "ORIGIN_NOT_ALLOWED",
          "Pages of other origins may not call this.",
        );
      }
      const is_post = request.method === "POST";
      if (is_post && !acceptsBoth(accept)) {
        const message = "The Accept header must name application/json and text/event-stream.";
        return answer(reply, 406, "NOT_ACCEPTABLE", message);
      }
      const token = is_post && isSmall(request) ? bearerOf(request) : undefined;
      request.unasked = (token !== undefined && tokens.seen(token)) || null;
      if (request.unasked !== null) return undefined;
      const refused = await ask(request, reply);
      if (refused || is_post) return refused;
      reply.header("allow", "POST");
      return answer(reply, 405, "METHOD_NOT_ALLOWED", "Only POST is served here.");
    },
    look: (request, reply) =>
      countBatch(limiter, request, reply) ?? stepUp(services, catalogues, request, reply),
    hasTurn: (caller) => limiter.take(grantOf(caller), Date.now()).allowed,
  };
}

/** Returns the catalogue for a person's assistant. */
export function offeredTo(catalogues: Catalogues, { person }: PersonCaller): Catalogue {
  return catalogues.of(person.role, person.grant?.scopes ?? new Set<McpScope>());
}

/** Whether the body is small enough to read it before the token is looked up. */
function isSmall({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return length !== undefined && Number(length) <= LARGE_BYTES;
}

function grantOf({ person }: PersonCaller): string {
  return person.grant?.id ?? "";
}

/** Counts a request. Replies 429 when the grant has used up its requests for this minute. */
function countOne(
  limiter: RateLimiter,
  caller: PersonCaller,
  reply: FastifyReply,
): FastifyReply | undefined {
  const { allowed, retry_after_seconds } = limiter.take(grantOf(caller), Date.now());
  if (allowed) return undefined;
  reply.header("retry-after", String(retry_after_seconds));
  const message = `At most 120 requests a minute; wait ${retry_after_seconds} seconds.`;
  return answer(reply, 429, "RATE_LIMITED", message);
}

/** Counts each further message of a batch. The gate has counted the batch as one request. */
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

/** Whether the client names both media types. As in the transport, a wildcard does not count. */
function acceptsBoth(accept: string): boolean {
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

export function isPersonal(caller: Caller): caller is PersonCaller {
  return caller.person !== null && caller.person.grant !== null;
}

function metadataOf(services: Services): string {
  return `${services.config.base_url}${RESOURCE_METADATA_PATH}`;
}

/** Returns the hosts of the origin. The names of loopback count as one host; any other origin has one name. */
function hostsOf(base_url: string): string[] {
  const { hostname } = new URL(base_url);
  const loopback = ["localhost", "127.0.0.1", "[::1]"];
  return loopback.includes(hostname) ? loopback : [hostname];
}

function answer(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  // The contract defines the whole body of 401 (spec 8.5).
  const named = status === 401 ? {} : { request_id: reply.request.id };
  return reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: { code, message, ...named } }));
}

/** Refuses a known tool above the token's scopes. The client may then ask the person for more scopes (spec 8.5). */
function stepUp(
  services: Services,
  catalogues: Catalogues,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (request.body === undefined)
    throw new Problem("MALFORMED_REQUEST", { message: "The body is missing." });
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

export function methodOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "method" in message
    ? message.method
    : undefined;
}

/** Returns the person of the request. Throws before the token was looked up. */
export function personOf(request: FastifyRequest) {
  if (request.assistant === null) throw new Error("a request has passed the gate without a person");
  return request.assistant;
}
