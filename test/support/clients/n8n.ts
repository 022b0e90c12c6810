/**
 * A small n8n: the engine of n8n (`n8n-workflow`) with its expressions, static data and declarative requests, and what the server of
 * n8n has around it: credentials, requests over HTTP, and the addresses of webhooks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Json } from "../world/world.ts";

const CREDENTIALS = "matchbookApi";

interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Action {
  readonly resource: string;
  readonly operation: string;
  readonly [parameter: string]: unknown;
}

/** Where a node runs: n8n repeats the same place with "Retry On Fail". Without an execution it is a new one. */
interface Place {
  readonly execution?: string;
  readonly run?: number;
}

export interface N8n {
  /** The package as n8n loads it: a class for each file that `package.json` names. */
  readonly loaded: Readonly<Record<string, Json>>;
  /** Runs the node with the actions on items, one by default. Returns the items that it outputs. */
  act(action: Action, items?: readonly Json[], place?: Place): Promise<Json[]>;
  /** Makes the test of the credentials. */
  testCredentials(credentials: Credentials): Promise<Json>;
  openTrigger(node_id: string, mode?: "trigger" | "manual"): Trigger;
  close(): Promise<void>;
}

interface Trigger {
  /** The static data of the workflow, which n8n keeps from one activation to the next. */
  readonly static_data: Json;
  /** The events that have started the workflow. */
  readonly events: Json[];
  /** The status of each answer to a request. */
  readonly statuses: number[];
  /** The address of the webhook. */
  readonly url: string;
  /** Publishes the workflow: makes the webhook unless it exists. */
  publish(event_types: readonly string[]): Promise<void>;
  /** Only the second step of a publication, when the first one has found nothing. */
  create(event_types: readonly string[]): Promise<void>;
  switchOff(): Promise<void>;
  eventTypes(): Promise<Json[]>;
}

/** Opens n8n with the package that is installed in a folder. */
export async function openN8n(folder: string, given: () => Credentials): Promise<N8n> {
  const load = createRequire(join(folder, "index.js"));
  const { Workflow, RoutingNode, NodeHelpers } = load("n8n-workflow");
  // The engine lets JSON write big integers as text. The service of later tests in this process must not have that.
  Reflect.deleteProperty(BigInt.prototype, "toJSON");
  const place = "./node_modules/n8n-nodes-matchbook/";
  const { n8n } = load(`${place}package.json`);
  const loaded: Record<string, Json> = {};
  for (const file of [...n8n.credentials, ...n8n.nodes]) {
    const [name = ""] = file.split("/").at(-1).split(".");
    loaded[name] = new (load(place + file)[name])();
  }
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const handle = handlers.get(request.url ?? "");
    if (handle === undefined) response.writeHead(404).end();
    else handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;

  const workflowWith = (node: Json, static_data: Json = {}): Json =>
    new Workflow({
      ...{ id: "w1", name: "Orders", active: true, nodes: [node], connections: {} },
      nodeTypes: {
        getByNameAndVersion: (name: string) =>
          name === "matchbook" ? loaded.Matchbook : loaded.MatchbookTrigger,
      },
      staticData: static_data,
    });

  /** Makes a request as n8n does: with the headers of the credentials, and without an empty body. */
  const requestWith = (workflow: Json, node: Json, credentials: Credentials) =>
    async function httpRequest(_: string, options: Json): Promise<Json> {
      const { headers } = loaded.MatchbookApi.authenticate.properties;
      const own = Object.entries(headers).map(([name, value]) => [
        name,
        workflow.expression.getSimpleParameterValue(node, value, "internal", {
          $credentials: credentials,
        }),
      ]);
      const url = new URL((options.baseURL ?? "") + options.url);
      for (const [name, value] of Object.entries(options.qs ?? {})) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
      const has_body = Object.keys(options.body ?? {}).length > 0;
      const response = await fetch(url, {
        method: options.method ?? "GET",
        headers: {
          ...options.headers,
          ...Object.fromEntries(own),
          ...(has_body ? { "content-type": "application/json" } : {}),
        },
        body: has_body ? JSON.stringify(options.body) : null,
      });
      const { status: statusCode } = response;
      if (statusCode >= 400 && options.ignoreHttpStatusErrors !== true) {
        throw new Error(`Request failed with status code ${statusCode}`);
      }
      const bytes = Buffer.from(await response.arrayBuffer());
      const is_json = response.headers.get("content-type")?.startsWith("application/json");
      const is_parsed = is_json === true && options.encoding !== "arraybuffer";
      return { statusCode, body: is_parsed ? JSON.parse(bytes.toString()) : bytes };
    };

  let executions = 0;
  /** Runs a node of the declarative style. */
  const route = async (
    type: Json,
    node: Json,
    items: readonly Json[],
    at: Place,
    credentials: Credentials,
  ) => {
    const workflow = workflowWith(node);
    executions += 1;
    const { execution = `e${executions}`, run = 0 } = at;
    const data = { main: [items.map((json) => ({ json }))] };
    const run_data = { resultData: { runData: {} } };
    const execute_data = { data, node, source: null };
    const resolve = (value: Json, item: number): Json =>
      workflow.expression.getParameterValue(
        ...[value, run_data, run, item, node.name, data.main[0], "manual", {}, execute_data],
      );
    const functionsFor = (item: number) => ({
      getNodeParameter: (path: string, fallback: Json) =>
        resolve(
          path.split(".").reduce((part, name) => part?.[name], node.parameters) ?? fallback,
          item,
        ),
      getCredentials: async () => credentials,
      getExecuteData: () => execute_data,
      getItemIndex: () => item,
      getNode: () => node,
      getWorkflow: () => ({ id: workflow.id, name: workflow.name }),
      getExecutionId: () => execution,
      evaluateExpression: (text: string) => resolve(`=${text}`, item),
      continueOnFail: () => false,
      helpers: {
        httpRequestWithAuthentication: requestWith(workflow, node, credentials),
        prepareBinaryData: async (bytes: Buffer) => ({ data: bytes.toString("base64") }),
      },
    });
    const runner = new RoutingNode(workflow, node, data.main[0], run_data, {}, "manual");
    const [output] = await runner.runNode(data, run, type, execute_data, {
      getExecuteFunctions: () => functionsFor(0),
      getExecuteSingleFunctions: (...input: Json[]) => functionsFor(input[6]),
    });
    return output.map(({ json, binary }: Json) => (binary ? { binary } : json));
  };

  return {
    loaded,
    act(action, items = [{}], at = {}) {
      const parameters = structuredClone(action);
      const node = { id: "n1", name: "Matchbook", type: "matchbook", typeVersion: 1, parameters };
      return route(loaded.Matchbook, node, items, at, given());
    },
    async testCredentials(credentials) {
      const { request } = loaded.MatchbookApi.test;
      const description = {
        ...{ properties: [], requestDefaults: request },
        credentials: [{ name: CREDENTIALS, required: true }],
      };
      const node = { id: "t", name: "Test", type: "matchbook", typeVersion: 1, parameters: {} };
      const [answer] = await route({ description }, node, [{}], {}, credentials);
      return answer;
    },
    openTrigger(node_id, mode = "trigger") {
      const static_data = {};
      const trigger = loaded.MatchbookTrigger;
      const [description] = trigger.description.webhooks;
      const path = mode === "manual" ? "test" : "";
      const nodeWith = (eventTypes: readonly string[]): Json => ({
        ...{ id: node_id, name: "Trigger", type: "matchbookTrigger", typeVersion: 1 },
        ...{ parameters: { eventTypes }, webhookId: node_id },
      });
      const addressOf = (node: Json): string =>
        NodeHelpers.getNodeWebhookUrl(base + path, "w1", node, description.path, false);
      const functionsFor = (eventTypes: readonly string[]): Json => {
        const node = nodeWith(eventTypes);
        const workflow = workflowWith(node, static_data);
        return {
          getMode: () => mode,
          getNode: () => node,
          getWorkflow: () => ({ id: workflow.id, name: workflow.name }),
          getWorkflowStaticData: (kind: string) => workflow.getStaticData(kind, node),
          getNodeWebhookUrl: () => addressOf(node),
          getNodeParameter: (name: string) => node.parameters[name],
          getCredentials: async () => given(),
          helpers: {
            httpRequestWithAuthentication: requestWith(workflow, node, given()),
            returnJsonArray: (json: Json) => [{ json }],
          },
        };
      };
      const methods = trigger.webhookMethods[description.name];
      const opened: Trigger = {
        static_data,
        events: [],
        statuses: [],
        url: addressOf(nodeWith([])),
        async publish(event_types) {
          const functions = functionsFor(event_types);
          if (!(await methods.checkExists.call(functions))) await methods.create.call(functions);
        },
        async create(event_types) {
          await methods.create.call(functionsFor(event_types));
        },
        async switchOff() {
          await methods.delete.call(functionsFor([]));
        },
        eventTypes: () => trigger.methods.loadOptions.getEventTypes.call(functionsFor([])),
      };
      handlers.set(new URL(opened.url).pathname, async (incoming, response) => {
        const request = Object.assign(incoming, {
          // n8n reads the bytes when a node asks for them.
          async readRawBody() {
            const parts: Buffer[] = [];
            for await (const part of incoming) parts.push(part);
            Object.assign(request, { rawBody: Buffer.concat(parts) });
          },
        });
        const answered = Object.assign(response, {
          status: (code: number) => Object.assign(response, { statusCode: code }),
        });
        response.once("finish", () => opened.statuses.push(response.statusCode));
        const result = await trigger.webhook.call({
          ...functionsFor([]),
          getRequestObject: () => request,
          getResponseObject: () => answered,
        });
        for (const { json } of result.workflowData?.[0] ?? []) opened.events.push(json);
        if (result.noWebhookResponse !== true) response.end('{"message":"Workflow was started"}');
      });
      return opened;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
