/** The REST routes of webhook endpoints. Secrets are answered once, beside what an idempotency key keeps. */
import { run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import {
  defineRoute,
  defineShown,
  noContent,
  type RouteAnswer,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { rotateSecret } from "./change-secret.ts";
import { enableEndpoint, pauseEndpoint } from "./change-status.ts";
import { mintSecret } from "./mint-secret.ts";
import { listEndpoints, showEndpoint } from "./queries.ts";
import { changeEndpoint, createEndpoint, deleteEndpoint } from "./save.ts";
import {
  EndpointEnabling,
  NewWebhookEndpoint,
  SecretRotation,
  WebhookEndpointCreate,
  WebhookEndpointList,
  WebhookEndpointQuery,
  WebhookEndpointResource,
  WebhookEndpointUpdate,
} from "./schemas.ts";

export const webhookRoutes = routesOf("Webhooks", [
  defineRoute("GET /webhook-endpoints", {
    operation: "webhook_endpoints.list",
    summary: "List webhook endpoints",
    access: "read",
    query: WebhookEndpointQuery,
    replies: { 200: WebhookEndpointList },
    handle: (cx, { query }) => listEndpoints(cx, query),
  }),

  defineRoute("POST /webhook-endpoints", {
    operation: "webhook_endpoints.create",
    summary: "Send the events of the account to a program",
    description:
      "The answer has the `secret` that signs the requests, once. A repeat with the same `external_id` and content answers 200 with that endpoint, and so does a repeat with its `Idempotency-Key`, 201: both without the secret. A lost secret is replaced by `rotate-secret`.",
    access: "write",
    body: WebhookEndpointCreate,
    replies: { 200: WebhookEndpointResource, 201: NewWebhookEndpoint },
    refuses: ["EXTERNAL_ID_CONFLICT", "TOO_MANY_ENDPOINTS"],
    async handle(cx, { body }) {
      const secret = mintSecret();
      const saved = await run(createEndpoint, cx, { ...body, secret });
      return saved.created ? withSecret(cx, 201, saved.document, secret) : savedText(saved);
    },
  }),

  defineShown("GET /webhook-endpoints/:ref", {
    operation: "webhook_endpoints.get",
    summary: "Read a webhook endpoint",
    description:
      "The `ETag` has two parts. `If-Match` compares the first, which `backlog`, `through` and `last_success_at` do not change.",
    params: RefParams,
    replies: { 200: WebhookEndpointResource },
    refuses: ["NOT_FOUND"],
    show: (cx, { ref }) => showEndpoint(cx, ref),
    progress: ["backlog", "through", "last_success_at"],
  }),

  defineRoute("PATCH /webhook-endpoints/:ref", {
    operation: "webhook_endpoints.update",
    summary: "Change the fields sent; attempts that have not begun follow them",
    access: "write",
    params: RefParams,
    body: WebhookEndpointUpdate,
    replies: { 200: WebhookEndpointResource },
    refuses: ["NOT_FOUND", "EXTERNAL_ID_CONFLICT"],
    handle: (cx, { params, body }) => run(changeEndpoint, cx, { ref: params.ref, changes: body }),
  }),

  defineRoute("DELETE /webhook-endpoints/:ref", {
    operation: "webhook_endpoints.delete",
    summary: "Delete a webhook endpoint with its deliveries; nothing more is sent",
    access: "write",
    params: RefParams,
    replies: { 204: null },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params }) {
      await run(deleteEndpoint, cx, params);
      return noContent;
    },
  }),

  defineRoute("POST /webhook-endpoints/:ref/rotate-secret", {
    operation: "webhook_endpoints.rotate_secret",
    summary: "Give a webhook endpoint a new secret",
    description:
      "The answer has the new `secret`, once. Until `secret_expires_at` the previous one signs, too: the header `webhook-signature` then has two signatures.",
    access: "write",
    params: RefParams,
    body: SecretRotation,
    body_is_optional: true,
    replies: { 200: NewWebhookEndpoint },
    refuses: ["NOT_FOUND"],
    async handle(cx, { params, body }) {
      const secret = mintSecret();
      const document = await run(rotateSecret, cx, { ...body, ref: params.ref, secret });
      return withSecret(cx, 200, document, secret);
    },
  }),

  defineRoute("POST /webhook-endpoints/:ref/pause", {
    operation: "webhook_endpoints.pause",
    summary: "Send nothing to a webhook endpoint until it is enabled",
    description: "Events wait for at most 30 days. One that is disabled stays disabled.",
    access: "write",
    params: RefParams,
    replies: { 200: WebhookEndpointResource },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params }) => run(pauseEndpoint, cx, params),
  }),

  defineRoute("POST /webhook-endpoints/:ref/enable", {
    operation: "webhook_endpoints.enable",
    summary: "Resume a webhook endpoint where it stood",
    description: "Also one that was disabled. With `skip` it continues with the next event.",
    access: "write",
    params: RefParams,
    body: EndpointEnabling,
    body_is_optional: true,
    replies: { 200: WebhookEndpointResource },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, body }) => run(enableEndpoint, cx, { ...params, ...body }),
  }),
]);

/** Returns an answer with a secret, which is not kept. A call that resumes after a lost one does not have the secret that was stored. */
function withSecret(
  { once }: Context,
  status: number,
  document: JsonText,
  secret: string,
): RouteAnswer {
  const is_resumed = once !== null && once.committed !== null;
  if (is_resumed) return { status, text: document };
  const text = `${document.slice(0, -1)},"secret":${jsonText(secret)}}` as JsonText;
  return { status, text, kept: document };
}
