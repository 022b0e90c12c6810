/** The trigger: starts a workflow with each event of the chosen types, by a webhook whose signature it verifies. */
import type {
  IHookFunctions,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from "n8n-workflow";
import { refusalOf } from "../refusal.js";
import {
  adaptEndpoint,
  createEndpoint,
  removeEndpoint,
  replaceSecret,
  request,
  secretOf,
} from "./endpoint.js";
import { isSigned } from "./signature.js";

export class MatchbookTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Matchbook Trigger",
    name: "matchbookTrigger",
    icon: "file:matchbook.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["eventTypes"].join(", ") }}',
    description: "Starts the workflow when something happens in Matchbook",
    defaults: { name: "Matchbook Trigger" },
    inputs: [],
    outputs: ["main"] as INodeTypeDescription["outputs"],
    credentials: [{ name: "matchbookApi", required: true }],
    webhooks: [
      { name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" },
    ],
    properties: [
      {
        displayName: "Event Names or IDs",
        name: "eventTypes",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getEventTypes" },
        required: true,
        default: [],
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
    ],
  };

  methods = {
    loadOptions: {
      async getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const response = await request(this, "GET", "/event-types");
        if (response.statusCode !== 200) throw refusalOf(this.getNode(), response);
        const { data } = response.body as unknown as { data: { type: string; sentence: string }[] };
        return [
          { name: "*", value: "*", description: "Everything but users, keys and assistants" },
          ...data.map(({ type, sentence }) => ({ name: type, value: type, description: sentence })),
        ];
      },
    },
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return adaptEndpoint(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await createEndpoint(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await removeEndpoint(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const received = this.getRequestObject();
    const refuse = (status: number): IWebhookResponseData => {
      this.getResponseObject().status(status).end();
      return { noWebhookResponse: true };
    };
    const secret = secretOf(this);
    if (secret === undefined) {
      // The request comes again, and has a signature of the new secret then.
      await replaceSecret(this);
      return refuse(503);
    }
    if (received.rawBody === undefined) await received.readRawBody();
    if (!isSigned(received.rawBody, received.headers, secret)) return refuse(401);
    const event = JSON.parse(received.rawBody.toString("utf8"));
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}
