/**
 * Creates, changes and deletes webhook endpoints (spec 15.2). Secrets and the values of headers are sealed before they are stored:
 * neither a document nor an event of the trail has them.
 */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { given } from "../../../domain/base/given.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { requireEndpointUrl } from "../../../domain/webhooks/endpoint-url.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { headersPlace, secretPlace } from "./mint-secret.ts";
import { notifyOfUrl } from "./notify-admins.ts";
import {
  countEndpoints,
  deleteEndpointRow,
  type EndpointState,
  getEndpoint,
  headOf,
  insertEndpoint,
  lockEndpoint,
  presentEndpoint,
  updateEndpoint,
} from "./queries.ts";
import { WebhookEndpointCreate, WebhookEndpointUpdate } from "./schemas.ts";

const MOST_ENDPOINTS = 20;

/** A changed endpoint, and its URL when that is another one. */
interface Changed {
  readonly document: JsonText;
  readonly new_url: string | null;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Creates an endpoint with the given secret. Throws EXTERNAL_ID_CONFLICT, TOO_MANY_ENDPOINTS, and VALIDATION_FAILED for a URL that is not
 * allowed, a header without a value or a sequence beyond the last event.
 */
export const createEndpoint = defineCreation({
  name: "create_webhook_endpoint",
  input: WebhookEndpointCreate.extend({ secret: z.string() }),
  table: "webhook_endpoints",
  contentOf: ({ secret: _, ...sent }) => ({ ...DEFAULTS, ...sent }),

  async plan(tx, { secret, after, headers: sent_headers, ...sent }, request_hash) {
    requireEndpointUrl(sent.url, tx.limits.webhook_hosts);
    const headers = headersFrom(sent_headers ?? {}, {});
    const head = await headOf(tx);
    if (after !== undefined && BigInt(after) > head) {
      throw invalidField("after", "too_large", `The last event has the sequence ${head}.`);
    }
    if ((await countEndpoints(tx)) >= MOST_ENDPOINTS) throw new Problem("TOO_MANY_ENDPOINTS");
    const { account_id } = tx.caller;
    const id = newId<string>();
    const now = timestampOf(Date.now());
    const row = {
      external_id: sent.external_id ?? null,
      description: sent.description ?? null,
      format: sent.format ?? DEFAULTS.format,
      payload: sent.payload ?? DEFAULTS.payload,
      ordering: sent.ordering ?? DEFAULTS.ordering,
      max_per_second: sent.max_per_second ?? DEFAULTS.max_per_second,
      url: sent.url,
      event_types: [...sent.event_types],
      id,
      ...sealedHeaders(tx, id, headers),
      secret_sealed: tx.sealing.seal(secret, secretPlace(account_id, id)).content,
      read_through: after === undefined ? head : BigInt(after),
      request_hash,
      created_at: now,
      updated_at: now,
    };
    return { row };
  },

  async commit(tx, { row }): Promise<Saved> {
    insertEndpoint(tx, row);
    const document = presentEndpoint(await getEndpoint(tx, row.id));
    tx.audit("webhook_endpoint", row.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: async (tx, id) => ({
    created: false,
    document: presentEndpoint(await getEndpoint(tx, id)),
  }),

  async after(cx, saved): Promise<Saved> {
    if (saved.created) await notifyOfUrl(cx, JSON.parse(saved.document).url);
    return saved;
  },
});

/** Changes the given fields; deliveries that are not begun follow them. Throws NOT_FOUND, EXTERNAL_ID_CONFLICT, VALIDATION_FAILED. */
export const changeEndpoint = defineCommand({
  name: "change_webhook_endpoint",
  access: "write",
  input: z.object({ ref: Ref, changes: WebhookEndpointUpdate }),

  async plan(tx, { ref, changes: { headers: sent_headers, ...changes } }) {
    const before = await lockEndpoint(tx, ref);
    if (changes.url !== undefined && changes.url !== before.url) {
      requireEndpointUrl(changes.url, tx.limits.webhook_hosts);
    }
    const kept = openedHeaders(tx, before);
    const headers = sent_headers === undefined ? kept : headersFrom(sent_headers, kept);
    const fields = given(changes) as Partial<EndpointState>;
    const is_same =
      isDeepStrictEqual(headers, kept) &&
      Object.entries(fields).every(([name, value]) =>
        isDeepStrictEqual(before[name as keyof EndpointState], value),
      );
    return { before, fields, headers, is_same };
  },

  async commit(tx, { before, fields, headers, is_same }): Promise<Changed> {
    const was = presentEndpoint(before);
    if (is_same) return { document: was, new_url: null };
    const stored = {
      ...fields,
      ...sealedHeaders(tx, before.id, headers),
      updated_at: timestampOf(Date.now()),
    };
    updateEndpoint(tx, before.id, stored);
    const document = presentEndpoint({ ...before, ...stored });
    tx.audit("webhook_endpoint", before.id, "updated", { before: was, after: document });
    const new_url = stored.url === undefined || stored.url === before.url ? null : stored.url;
    return { document, new_url };
  },

  async after(cx, { document, new_url }): Promise<JsonText> {
    if (new_url !== null) await notifyOfUrl(cx, new_url);
    return document;
  },
});

/** Deletes an endpoint, its secret and its deliveries at once. Throws NOT_FOUND. */
export const deleteEndpoint = defineCommand({
  name: "delete_webhook_endpoint",
  access: "write",
  input: z.object({ ref: Ref }),
  plan: (tx, { ref }) => lockEndpoint(tx, ref),

  async commit(tx, before): Promise<void> {
    deleteEndpointRow(tx, before.id);
    tx.audit("webhook_endpoint", before.id, "deleted", {
      before: presentEndpoint(before),
      after: null,
    });
  },
});

/** Defaults, with which repetitions are recognised too. */
const DEFAULTS = {
  format: "standard",
  payload: "full",
  ordering: "resource",
  max_per_second: 50,
} as const;

/** Returns the headers that were sent; null keeps the value of the name. Throws VALIDATION_FAILED where there is none. */
function headersFrom(sent: NonNullable<WebhookEndpointUpdate["headers"]>, kept: Headers): Headers {
  const entries = Object.entries(sent).map(([name, value]): [string, string] => {
    const kept_value = Object.hasOwn(kept, name) ? kept[name] : undefined;
    const found = value ?? kept_value;
    if (found !== undefined) return [name, found];
    throw invalidField(`headers.${name}`, "required", "The header has no value yet.");
  });
  return Object.fromEntries(entries);
}

function sealedHeaders(tx: Tx, id: string, headers: Headers) {
  const header_names = Object.keys(headers);
  const place = headersPlace(tx.caller.account_id, id);
  const headers_sealed =
    header_names.length === 0 ? null : tx.sealing.seal(JSON.stringify(headers), place).content;
  return { header_names, headers_sealed };
}

function openedHeaders(tx: Tx, { id, headers_sealed }: EndpointState): Headers {
  if (headers_sealed === null) return {};
  return JSON.parse(tx.sealing.open(headers_sealed, headersPlace(tx.caller.account_id, id)));
}
