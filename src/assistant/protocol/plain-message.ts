/**
 * The short path of the most frequent requests: one message, in the era of the protocol without an envelope, that lists the
 * tools, calls a tool or pings, and contains nothing else. The response equals that of the official server, without the server's
 * requests, responses and schemas. Any other message goes to the official server.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import type { FastifyRequest } from "fastify";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import type { Services } from "../../platform/runtime/services.ts";
import type { FindNamed } from "./arguments.ts";
import type { Catalogue, OfferedTool } from "./catalogue.ts";
import { outcomeOfCall, type PersonCaller, resultText } from "./tool-outcome.ts";

type Id = string | number;

type PlainMessage =
  | { readonly method: "ping"; readonly id: Id }
  | { readonly method: "tools/list"; readonly id: Id }
  | {
      readonly method: "tools/call";
      readonly id: Id;
      readonly offered: OfferedTool;
      readonly sent: Readonly<Record<string, unknown>>;
    };

type Members = Readonly<Record<string, unknown>>;

/** Returns the message of a request that lists the tools, calls a tool or pings; undefined for any other message. */
export function plainMessage(
  { raw, body }: FastifyRequest,
  catalogue: Catalogue,
): PlainMessage | undefined {
  const { headers } = raw;
  const version = headers["mcp-protocol-version"];
  const is_known = version === undefined || OLDER.has(String(version));
  const names_more = headers["mcp-method"] !== undefined || headers["mcp-name"] !== undefined;
  if (!is_known || names_more || !hasOnly(body, MESSAGE)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || !isId(id)) return undefined;
  if (method === "ping" || method === "tools/list") {
    return params === undefined || hasOnly(params, NOTHING) ? { method, id } : undefined;
  }
  if (method !== "tools/call" || !hasOnly(params, CALL)) return undefined;
  const { name, arguments: sent = {} } = params;
  const offered = typeof name === "string" ? catalogue.offered.get(name) : undefined;
  return offered !== undefined && isPlain(sent) ? { method, id, offered, sent } : undefined;
}

/** The protocol versions whose messages have no envelope. */
const OLDER: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

const MESSAGE: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const CALL: ReadonlySet<string> = new Set(["name", "arguments"]);
const NOTHING: ReadonlySet<string> = new Set();

function isId(id: unknown): id is Id {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isPlain(value: unknown): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !Object.hasOwn(value, "__proto__");
}

function hasOnly(value: unknown, names: ReadonlySet<string>): value is Members {
  if (!isPlain(value)) return false;
  for (const name in value) if (!names.has(name)) return false;
  return true;
}

/** Returns the response as text. */
export async function plainAnswer(
  services: Services,
  findNamed: FindNamed,
  message: PlainMessage,
  request: {
    readonly id: string;
    readonly caller: PersonCaller;
    readonly catalogue: Catalogue;
    readonly left: AbortSignal;
  },
): Promise<string> {
  const answered = (result: string): string => answeredText(message.id, result);
  if (message.method === "ping") return answered("{}");
  if (message.method === "tools/list") return answered(listedText(request.catalogue));
  const { offered, sent } = message;
  const { id: request_id, caller, left } = request;
  const call = { request_id, caller, left, offered, sent };
  return answered(resultText(await outcomeOfCall(services, findNamed, call)));
}

/** Returns the response to a message with a result, as text. */
export function answeredText(id: Id, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${jsonText(id)}}`;
}

const listed = new WeakMap<Catalogue, JsonText>();

/** Returns the catalogue as text. The text is cached, because a catalogue is made at the start and never changes. */
function listedText(catalogue: Catalogue): JsonText {
  const known = listed.get(catalogue) ?? jsonText({ tools: catalogue.listed });
  listed.set(catalogue, known);
  return known;
}
