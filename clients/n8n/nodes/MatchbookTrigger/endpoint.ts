/**
 * The webhook endpoint of a trigger. Its external id is of the workflow and the node, so it exists once, however often the workflow is
 * published. The secret is in the static data of the node.
 */
import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IWebhookFunctions,
} from "n8n-workflow";
import { refusalOf } from "../refusal.js";

interface Endpoint {
  readonly url: string;
  readonly event_types: readonly string[];
  readonly status: "enabled" | "paused" | "failing" | "disabled";
  /** In the answer to its creation and to `rotate-secret` only. */
  readonly secret?: string;
}

type Host = IHookFunctions | IWebhookFunctions;

/** Makes the endpoint, or adapts the one that exists. Throws a NodeApiError. */
export async function createEndpoint(host: IHookFunctions): Promise<void> {
  const external_id = externalIdOf(host);
  const description = `n8n: ${host.getWorkflow().name ?? external_id}`.slice(0, 200);
  const fields = { external_id, description, ...wantedOf(host) };
  const response = await request(host, "POST", "/webhook-endpoints", fields);
  const { secret } = response.body as unknown as Endpoint;
  if (response.statusCode === 201 && secret !== undefined) keepSecret(host, secret);
  else if (response.statusCode === 200 || response.statusCode === 409) {
    // Another publication of the workflow was faster. If it is another conflict, there is no such endpoint.
    if (!(await adaptEndpoint(host))) throw refusalOf(host.getNode(), response);
  } else throw refusalOf(host.getNode(), response);
}

/**
 * Gives the endpoint the address and types of the node, and lets it send. Returns false if there is none. A lost secret is replaced when
 * an event comes: of two publications at once, one would replace that of the other.
 */
export async function adaptEndpoint(host: IHookFunctions): Promise<boolean> {
  const path = pathOf(host);
  const found = await request(host, "GET", path);
  if (found.statusCode === 404) return false;
  const { url, event_types, status } = checked(host, found);
  const wanted = wantedOf(host);
  const is_same = url === wanted.url && sorted(event_types) === sorted(wanted.event_types);
  if (!is_same) checked(host, await request(host, "PATCH", path, wanted));
  if (status === "paused" || status === "disabled") {
    checked(host, await request(host, "POST", `${path}/enable`, {}));
  }
  return true;
}

/** Removes the endpoint, also when it is gone already. */
export async function removeEndpoint(host: IHookFunctions): Promise<void> {
  const response = await request(host, "DELETE", pathOf(host));
  if (response.statusCode !== 404) checked(host, response);
  delete host.getWorkflowStaticData("node")[externalIdOf(host)];
}

/** The replacements in progress: several requests find a secret missing at the same time. */
const replacing = new Map<string, Promise<void>>();

/** Gets a new secret, unless another request has got one. The previous one signs for a day, too. */
export async function replaceSecret(host: IWebhookFunctions): Promise<void> {
  const external_id = externalIdOf(host);
  const before = replacing.get(external_id) ?? Promise.resolve();
  const turn = before
    .catch(() => {})
    .then(async () => {
      if (secretOf(host) !== undefined) return;
      const response = await request(host, "POST", `${pathOf(host)}/rotate-secret`, {});
      const { secret } = checked(host, response);
      if (secret !== undefined) keepSecret(host, secret);
    });
  replacing.set(external_id, turn);
  await turn;
}

export function secretOf(host: Host): string | undefined {
  return host.getWorkflowStaticData("node")[externalIdOf(host)] as string | undefined;
}

function keepSecret(host: Host, secret: string): void {
  host.getWorkflowStaticData("node")[externalIdOf(host)] = secret;
}

/** "Listen for test event" has an endpoint of its own, so that it leaves the published one alone. */
function externalIdOf(host: Host): string {
  const { id } = host.getWorkflow();
  const end = host.getMode() === "manual" ? "-test" : "";
  return `n8n-${id}-${host.getNode().id}${end}`;
}

const pathOf = (host: Host) =>
  `/webhook-endpoints/${encodeURIComponent(`ext:${externalIdOf(host)}`)}`;

function wantedOf(host: IHookFunctions): Pick<Endpoint, "url" | "event_types"> {
  const event_types = host.getNodeParameter("eventTypes") as string[];
  return { url: host.getNodeWebhookUrl("default") ?? "", event_types };
}

const sorted = (types: readonly string[]) => [...types].sort().join();

function checked(host: Host, response: IN8nHttpFullResponse): Endpoint {
  if (response.statusCode >= 300) throw refusalOf(host.getNode(), response);
  return response.body as unknown as Endpoint;
}

/** Makes a request, and returns any answer. */
export async function request(
  host: Host | ILoadOptionsFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: object,
): Promise<IN8nHttpFullResponse> {
  const { baseUrl } = await host.getCredentials("matchbookApi");
  const base = String(baseUrl).replace(/\/+$/, "");
  return host.helpers.httpRequestWithAuthentication.call(host, "matchbookApi", {
    method,
    url: `${base}/api/v1${path}`,
    ...(body === undefined ? {} : { body: body as IDataObject }),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  });
}
