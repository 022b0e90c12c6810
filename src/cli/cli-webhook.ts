/** The commands for webhooks: the endpoints of an account, what was sent to them, and what the operator ends. */
import type * as z from "zod";
import { listDeliveries } from "../features/integrations/webhook-deliveries/queries.ts";
import { queueReplay } from "../features/integrations/webhook-deliveries/queue-replay.ts";
import {
  type WebhookDeliveryResource,
  WebhookReplayInput,
} from "../features/integrations/webhook-deliveries/schemas.ts";
import { sendTest } from "../features/integrations/webhook-deliveries/send-test.ts";
import { disableEndpoint } from "../features/integrations/webhooks/change-status.ts";
import { mintSecret } from "../features/integrations/webhooks/mint-secret.ts";
import { listEndpoints } from "../features/integrations/webhooks/queries.ts";
import { createEndpoint } from "../features/integrations/webhooks/save.ts";
import {
  WebhookEndpointCreate,
  type WebhookEndpointResource,
} from "../features/integrations/webhooks/schemas.ts";
import { run } from "../platform/commands/command.ts";
import { pageFrom } from "../platform/database/page.ts";
import { isRef } from "../platform/http/schemas.ts";
import { inAccount } from "./cli-database.ts";
import { answer, optionsOf, required, text, UsageError } from "./cli-options.ts";

type Delivery = z.output<typeof WebhookDeliveryResource>;

const ofAccount = { account: { type: "string" }, json: { type: "boolean" } } as const;
const ofEndpoint = { ...ofAccount, endpoint: { type: "string" } } as const;

const LISTED = 100;

export function webhookList(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofAccount);
  return inAccount(required(options, "account"), async (cx) => {
    const { data } = pageFrom<WebhookEndpointResource>(await listEndpoints(cx, { limit: LISTED }));
    answer(options, data, data.map(lineOf));
  });
}

/** Creates an endpoint and prints its secret, which is shown only now. */
export function webhookCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    ...ofAccount,
    url: { type: "string" },
    types: { type: "string" },
  });
  const event_types = required(options, "types").split(",");
  const parsed = WebhookEndpointCreate.safeParse({ url: required(options, "url"), event_types });
  if (!parsed.success) throw new UsageError(faultsOf(parsed.error));
  return inAccount(required(options, "account"), async (cx) => {
    const secret = mintSecret();
    const { document } = await run(createEndpoint, cx, { ...parsed.data, secret });
    const endpoint: WebhookEndpointResource = JSON.parse(document);
    answer(options, { ...endpoint, secret }, [lineOf(endpoint), `secret ${secret}`]);
  });
}

export function webhookDeliveries(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofEndpoint);
  const ref = endpointOf(options);
  return inAccount(required(options, "account"), async (cx) => {
    const { data } = pageFrom<Delivery>(await listDeliveries(cx, ref, { limit: LISTED }));
    answer(options, data, data.map(lineOfDelivery));
  });
}

/** Sends the example of a type at once, by default of one that is for the endpoint. What the receiver answers is no failure. */
export function webhookTest(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { ...ofEndpoint, type: { type: "string" } });
  const ref = endpointOf(options);
  return inAccount(required(options, "account"), async (cx) => {
    const delivery: Delivery = JSON.parse(await sendTest(cx, ref, text(options, "type")));
    answer(options, delivery, [lineOfDelivery(delivery)]);
  });
}

/** Sends what was given up or skipped again; with --all every event that is for the endpoint. */
export function webhookReplay(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    ...ofEndpoint,
    after: { type: "string" },
    through: { type: "string" },
    all: { type: "boolean" },
  });
  const ref = endpointOf(options);
  const number = (name: string) => {
    const value = text(options, name);
    return value === undefined ? undefined : Number(value);
  };
  const parsed = WebhookReplayInput.safeParse({
    after: number("after"),
    through: number("through"),
    only: options.all === true ? "all" : "dead",
  });
  if (!parsed.success) throw new UsageError(faultsOf(parsed.error));
  return inAccount(required(options, "account"), async (cx) => {
    const { queued } = await run(queueReplay, cx, { ...parsed.data, ref });
    answer(options, { queued }, [`${queued} events are sent again.`]);
  });
}

/** Disables an endpoint until it is enabled by the account. */
export function webhookDisable(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, ofEndpoint);
  const ref = endpointOf(options);
  return inAccount(required(options, "account"), async (cx) => {
    const endpoint = JSON.parse(await run(disableEndpoint, cx, { ref }));
    answer(options, endpoint, [lineOf(endpoint)]);
  });
}

function endpointOf(options: ReturnType<typeof optionsOf>): string {
  const ref = required(options, "endpoint");
  if (!isRef(ref)) throw new UsageError("--endpoint must be an id, or ext: and an external id.");
  return ref;
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n");
}

function lineOf(endpoint: WebhookEndpointResource): string {
  const { id, status, disabled_reason, backlog, url, event_types } = endpoint;
  const state = disabled_reason === null ? status : `${status} (${disabled_reason})`;
  return `${id} ${state}, ${backlog} waiting: ${event_types.join(",")} to ${url}`;
}

function lineOfDelivery(delivery: Delivery): string {
  const { created_at, status, event_type, sequence, attempts, id } = delivery;
  const last = attempts.at(-1);
  const answered = last === undefined ? "" : ` (${last.status ?? last.error})`;
  return `${created_at} ${status}${answered} ${event_type} ${sequence ?? "test"} ${id}`;
}
