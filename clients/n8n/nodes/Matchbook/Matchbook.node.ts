/** The node with the actions of the API. They are generated from the OpenAPI document; here is what each of them does besides. */
import type {
  IExecuteSingleFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  INodeExecutionData,
  INodeProperties,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
} from "n8n-workflow";
import { refusalOf } from "../refusal.js";
import generated from "./generated/properties.json";

export class Matchbook implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Matchbook",
    name: "matchbook",
    icon: "file:matchbook.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Invoices, customers, hours and payments in Matchbook",
    defaults: { name: "Matchbook" },
    inputs: ["main"] as INodeTypeDescription["inputs"],
    outputs: ["main"] as INodeTypeDescription["outputs"],
    credentials: [{ name: "matchbookApi", required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}/api/v1',
      headers: { accept: "application/json" },
      // The refusals are made into errors by `readAnswer`, which shows more of them.
      ignoreHttpStatusErrors: true,
    },
    properties: (generated as unknown as INodeProperties[]).map(withBehaviour),
  };
}

/** Adds to each operation what JSON can not express. */
function withBehaviour(property: INodeProperties): INodeProperties {
  if (property.name !== "operation") return property;
  const options = property.options as INodePropertyOptions[];
  return { ...property, options: options.map(operationOf) };
}

function operationOf(option: INodePropertyOptions): INodePropertyOptions {
  const { request, output } = option.routing ?? {};
  return {
    ...option,
    routing: {
      ...(request ? { request } : {}),
      output: { postReceive: [readAnswer, ...(output?.postReceive ?? [])] },
      ...(request?.method === "POST" ? { send: { preSend: [addKey] } } : {}),
    },
  };
}

/**
 * Gives a POST a key of its execution, run and item, so that "Retry On Fail" does nothing twice. Each run of a loop has another one.
 */
async function addKey(
  this: IExecuteSingleFunctions,
  options: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  const execution = this.getExecutionId();
  if (execution === undefined) return options;
  const run = this.evaluateExpression("{{ $runIndex }}", this.getItemIndex());
  const key = [
    "n8n",
    this.getWorkflow().id,
    execution,
    this.getNode().id,
    run,
    this.getItemIndex(),
  ];
  return { ...options, headers: { ...options.headers, "Idempotency-Key": key.join("-") } };
}

/** Throws for a refusal; an answer without a body becomes an item. */
async function readAnswer(
  this: IExecuteSingleFunctions,
  items: INodeExecutionData[],
  response: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  if (response.statusCode >= 300) throw refusalOf(this.getNode(), response);
  if (response.statusCode === 204) return [{ json: { success: true } }];
  return items;
}
