/**
 * Serves the OpenAPI document at /api/v1/openapi.json, the change log at /api/v1/changelog, and a page at /api/docs to read it and to try calls. We serve the
 * renderer's script ourselves, from a dependency; the page's content security policy allows no other origin.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { API_CHANGES } from "./api-changes.ts";
import { openApiOf } from "./openapi.ts";
import type { Route } from "./route.ts";
import { API_PREFIX, requireKnownVersion } from "./version.ts";

/** A script under a name that contains a digest of its content, so that browsers may cache it permanently. */
interface Script {
  readonly path: string;
  readonly text: Buffer;
  readonly zipped: Buffer;
}

/** The change log as a list of one page. */
const CHANGELOG = JSON.stringify({
  object: "list",
  data: API_CHANGES.map((change) => ({ object: "change", ...change })),
  has_more: false,
  next_cursor: null,
});

/** The page's content security policy. The renderer writes inline styles. The page has no input from others. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Starts the renderer. Calls go to the origin of the page, whatever address the document names. The page does not contact the
 * renderer's makers, and a typed key is forgotten when the page is closed.
 */
const START = `Scalar.createApiReference("#reference", {
  url: "${API_PREFIX}/openapi.json",
  servers: [{ url: location.origin + "${API_PREFIX}" }],
  authentication: { preferredSecurityScheme: "api_key" },
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: "",
  showDeveloperTools: "never",
  showToolbar: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: "json",
});
`;

/** Registers the paths of the documentation. They need no key: the description of the API is public. */
export function mountDocs(app: FastifyInstance, routes: readonly Route[], base_url: string): void {
  let json: string | undefined;
  // Made on the first request, so that no start waits for it.
  const document = () => {
    json ??= JSON.stringify(openApiOf(routes, base_url));
    return json;
  };
  app.get(`${API_PREFIX}/openapi.json`, (request, reply) => {
    requireKnownVersion(request);
    return reply.type("application/json; charset=utf-8").send(document());
  });

  app.get(`${API_PREFIX}/changelog`, (request, reply) => {
    requireKnownVersion(request);
    return reply.type("application/json; charset=utf-8").send(CHANGELOG);
  });

  let read: Promise<readonly Script[]> | undefined;
  // Read on the first request: a service whose page is never opened need not hold megabytes.
  const scripts = () => {
    read ??= readScripts().catch((error: unknown) => {
      read = undefined;
      throw error;
    });
    return read;
  };
  app.get("/api/docs", async (_request, reply) =>
    reply
      .headers({ "content-security-policy": POLICY, "x-frame-options": "DENY" })
      .headers({ "referrer-policy": "no-referrer" })
      .type("text/html; charset=utf-8")
      .send(pageWith(await scripts())),
  );
  app.get("/api/docs/:script", async (request, reply) => {
    const script = (await scripts()).find(({ path }) => path === request.url.split("?", 1)[0]);
    return script === undefined ? reply.callNotFound() : sendScript(script, request, reply);
  });
}

function sendScript(script: Script, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .headers({ "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" })
    .type("text/javascript; charset=utf-8");
  const takes_gzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  if (!takes_gzip) return reply.send(script.text);
  return reply.header("content-encoding", "gzip").send(script.zipped);
}

async function readScripts(): Promise<readonly Script[]> {
  const entry = fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference"));
  const renderer = await readFile(join(dirname(entry), "js", "standalone.js"));
  return Promise.all([scriptOf("renderer", renderer), scriptOf("start", Buffer.from(START))]);
}

async function scriptOf(name: string, text: Buffer): Promise<Script> {
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return {
    path: `/api/docs/${name}.${digest}.js`,
    text,
    zipped: await promisify(gzip)(text),
  };
}

function pageWith(scripts: readonly Script[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Matchbook API</title>
    <link rel="icon" type="image/svg+xml" href="/assets/matchbook.svg" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>
      This page needs scripts. The same is in the <a href="${API_PREFIX}/openapi.json">OpenAPI document</a>.
    </noscript>
    ${scripts.map(({ path }) => `<script src="${path}"></script>`).join("\n    ")}
  </body>
</html>
`;
}
