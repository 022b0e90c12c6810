/**
 * The endpoints of the authorization server for programs: metadata, registration, tokens, revocation, keys. All respond with the
 * JSON of OAuth, none reads a cookie, and any origin may call them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../domain/base/problem.ts";
import { mcpScopes } from "../../../platform/commands/context.ts";
import { runAtEntryPoint } from "../../../platform/commands/entry-point.ts";
import { countAttemptFrom, type Limit } from "../../../platform/fairness/limits/rate-counter.ts";
import { parseBody } from "../../../platform/http/body.ts";
import {
  type Fields,
  FORM_TYPE,
  fieldsFrom,
  MOST_FORM_BYTES,
} from "../../../platform/http/form.ts";
import { problemFromDatabase, unreadableStatus } from "../../../platform/http/problems.ts";
import { noticeCredential } from "../../../platform/http/server.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import { AUTHORIZE_PATH, isOurResource } from "./authorize.ts";
import {
  type Client,
  findClient,
  isRedirectUri,
  LONGEST_CLIENT_ID,
  Registration,
  registerClient,
} from "./client.ts";
import { exchangeCode, refresh, type TokenAnswer, type TokenRefusal } from "./exchange.ts";
import { keyRing } from "./keys.ts";
import { revokeToken } from "./revoke.ts";
import { knownScopes } from "./scopes.ts";
import { mcpUrl } from "./tokens.ts";

/** Clients of many people may share one address: bursts are allowed. */
const REGISTRATIONS: Limit = { name: "registration from an address", most: 200, seconds: 600 };

/** A refusal in the format of RFC 6749, 5.2. */
class OauthError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

/** Registers every address of the authorization server except the consent page. */
export function mountOauth(app: FastifyInstance, services: Services): void {
  app.register(async (oauth) => {
    oauth.removeAllContentTypeParsers();
    const parse = (type: string, read: (bytes: Buffer) => unknown) =>
      oauth.addContentTypeParser(
        type,
        { parseAs: "buffer", bodyLimit: MOST_FORM_BYTES },
        async (_request: FastifyRequest, body: Buffer) => read(body),
      );
    parse("application/json", (body) => ({ json: parseBody(body) }));
    parse(FORM_TYPE, (body) => ({ form: fieldsFrom(body.toString("utf8")) }));
    oauth.addHook("onRequest", async (_request, reply) => {
      reply.headers({ "access-control-allow-origin": "*" });
    });
    oauth.setErrorHandler((error, request, reply) => sendError(services, error, request, reply));
    mountMetadata(oauth, services);
    mountTokens(oauth, services);
    const addresses = [...documentPaths, ...METADATA_PATHS, ...TOKEN_PATHS];
    for (const url of addresses) oauth.options(url, preflight);
  });
}

const PRM_PATH = "/.well-known/oauth-protected-resource";
const AS_PATH = "/.well-known/oauth-authorization-server";
const METADATA_PATHS = [PRM_PATH, `${PRM_PATH}/api/mcp`, AS_PATH, `${AS_PATH}/api/mcp`];
const documentPaths = ["/api/oauth/jwks"];
const TOKEN_PATHS = ["/api/oauth/register", "/api/oauth/token", "/api/oauth/revoke"];

function mountMetadata(oauth: FastifyInstance, services: Services): void {
  const { base_url } = services.config;
  const resource = {
    resource: mcpUrl(base_url),
    authorization_servers: [base_url],
    scopes_supported: mcpScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Matchbook",
  };
  const server = {
    issuer: base_url,
    authorization_endpoint: `${base_url}${AUTHORIZE_PATH}`,
    token_endpoint: `${base_url}/api/oauth/token`,
    registration_endpoint: `${base_url}/api/oauth/register`,
    revocation_endpoint: `${base_url}/api/oauth/revoke`,
    jwks_uri: `${base_url}/api/oauth/jwks`,
    scopes_supported: mcpScopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
  for (const url of METADATA_PATHS) {
    const document = url.startsWith(PRM_PATH) ? resource : server;
    oauth.get(url, (_request, reply) => sendPublic(reply, document));
  }
  oauth.get("/api/oauth/jwks", async (_request, reply) => {
    const keys = await keyRing(services).publicKeys();
    // Never cached: a new key signs from a minute after its creation.
    reply.headers({ "cache-control": "public, no-cache" });
    return sendJson(reply, 200, { keys });
  });
}

function sendPublic(reply: FastifyReply, document: unknown): FastifyReply {
  reply.headers({ "cache-control": "public, max-age=300" });
  return sendJson(reply, 200, document);
}

function mountTokens(oauth: FastifyInstance, services: Services): void {
  oauth.post("/api/oauth/register", async (request, reply) => {
    await countAttemptFrom(services.gate, REGISTRATIONS, request.ip);
    return sendJson(reply, 201, await register(services, request.body));
  });
  oauth.post("/api/oauth/token", async (request, reply) => {
    const form = formOf(request);
    const answer = await tokenFor(services, form);
    if ("error" in answer) {
      const given = form.code ?? form.refresh_token ?? "";
      await noticeCredential(services, "token_refused", request, given, answer.error_description);
    }
    return sendJson(reply, "error" in answer ? 400 : 200, answer);
  });
  oauth.post("/api/oauth/revoke", async (request, reply) => {
    const form = formOf(request);
    const client = await clientOf(services, form);
    if (form.token === undefined) throw new OauthError(400, "invalid_request", "token is needed");
    await runAtEntryPoint(revokeToken, services, { client_id: client.id, token: form.token });
    return sendJson(reply, 200, {});
  });
}

async function register(services: Services, body: unknown): Promise<unknown> {
  const json = (body as { readonly json?: unknown } | undefined)?.json;
  const parsed = Registration.safeParse(json);
  if (!parsed.success) {
    const is_redirect = parsed.error.issues.some((issue) => issue.path[0] === "redirect_uris");
    throw new OauthError(
      400,
      is_redirect ? "invalid_redirect_uri" : "invalid_client_metadata",
      "redirect_uris must be a list of 1 to 20 addresses",
    );
  }
  const { redirect_uris, client_name, scope } = parsed.data;
  const { oauth_schemes } = services.config;
  if (!redirect_uris.every((uri) => isRedirectUri(uri, oauth_schemes))) {
    const known = oauth_schemes.length === 0 ? "" : `, or one of ${oauth_schemes.join(", ")}`;
    const description = `redirect_uris are https, http on loopback, or of a scheme of the program's own with a period, such as com.example.app${known}; without fragment and userinfo`;
    throw new OauthError(400, "invalid_redirect_uri", description);
  }
  const client = await registerClient(services.gate, client_name, redirect_uris);
  if (client.id.length > LONGEST_CLIENT_ID) {
    throw new OauthError(400, "invalid_client_metadata", "the registration is too long");
  }
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: knownScopes(scope).join(" "),
  };
}

async function tokenFor(services: Services, form: Fields): Promise<TokenAnswer | TokenRefusal> {
  const { grant_type } = form;
  if (grant_type === undefined) {
    throw new OauthError(400, "invalid_request", "grant_type is needed");
  }
  if (grant_type !== "authorization_code" && grant_type !== "refresh_token") {
    const description = "only authorization_code and refresh_token are known";
    throw new OauthError(400, "unsupported_grant_type", description);
  }
  const client = await clientOf(services, form);
  if (!isOurResource(form.resource, services.config.base_url)) {
    throw new OauthError(400, "invalid_target", "the resource is not the MCP endpoint");
  }
  if (grant_type === "authorization_code") {
    const { code, redirect_uri, code_verifier: verifier } = form;
    if (code === undefined) throw new OauthError(400, "invalid_request", "code is needed");
    const sent = { code, client_id: client.id, redirect_uri, verifier };
    return runAtEntryPoint(exchangeCode, services, sent);
  }
  const { refresh_token, scope } = form;
  if (refresh_token === undefined) {
    throw new OauthError(400, "invalid_request", "refresh_token is needed");
  }
  const sent = { refresh_token, client_id: client.id, scope: scope || undefined };
  return runAtEntryPoint(refresh, services, sent);
}

function formOf(request: FastifyRequest): Fields {
  const form = (request.body as { readonly form?: Fields } | undefined)?.form;
  if (form !== undefined) return form;
  throw new OauthError(400, "invalid_request", `the body must be ${FORM_TYPE}`);
}

/** Returns the client of a request. After a 401 clients register again, which resolves the fault. */
async function clientOf(services: Services, form: Fields): Promise<Client> {
  const client = await findClient(services.gate, form.client_id);
  if (client === undefined) throw new OauthError(401, "invalid_client", "the client is not known");
  return client;
}

async function preflight(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.headers({
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "content-type, authorization, mcp-protocol-version",
    "access-control-max-age": "86400",
  });
  return reply.code(204).send();
}

function sendError(
  services: Services,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = problemFromDatabase(thrown);
  const refused = refusalOf(error);
  if (refused === undefined) {
    services.log.error({ request_id: request.id, err: error }, "unexpected error");
    const error_description = `Something went wrong on our side. Request ${request.id}.`;
    return sendJson(reply, 500, { error: "server_error", error_description });
  }
  if (error instanceof Problem && error.extras.retry_after_seconds !== undefined) {
    reply.header("retry-after", String(error.extras.retry_after_seconds));
  }
  const { status, code, message } = refused;
  return sendJson(reply, status, { error: code, error_description: message });
}

function refusalOf(error: unknown): OauthError | undefined {
  if (error instanceof OauthError) return error;
  if (error instanceof Problem) {
    // RFC 6749 has this error code for a status that the service does not use.
    if (error.kind === "unavailable") {
      return new OauthError(500, "temporarily_unavailable", error.message);
    }
    return error.kind === "limited" || error.code === "RESOURCE_BUSY"
      ? new OauthError(429, "temporarily_unavailable", error.message)
      : new OauthError(400, "invalid_request", error.message);
  }
  if (unreadableStatus(error) === undefined) return undefined;
  return new OauthError(400, "invalid_request", "the request cannot be read");
}

function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(value));
}
