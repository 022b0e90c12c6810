/** The client: a method for each operation of the API, by group and name. */
import { type Call, type CallOptions, callOf, type List } from "./call.ts";
import { type FollowOptions, follow } from "./follow.ts";
import { API_VERSION, OPERATIONS, type Operations } from "./generated/operations.ts";
import type { Event } from "./generated/types/types.gen.ts";
import { send, type TransportOptions } from "./transport.ts";

export interface MatchbookOptions {
  /** Where the service is, such as `https://matchbook.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The time for one attempt, in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number;
  /** How often a call is repeated; 5 by default. */
  readonly maxRetries?: number;
  readonly fetch?: typeof fetch;
  /** Is told once when the service is older than this client; writes to the console by default. */
  readonly warn?: (message: string) => void;
}

/** What a request has besides its method and path. */
export interface RequestInput extends CallOptions {
  readonly query?: object | undefined;
  /** An object is sent as JSON; text and bytes as they are, with `contentType`. */
  readonly body?: unknown;
}

type Operation = (...input: unknown[]) => Call<unknown>;

export interface Matchbook extends Omit<Operations, "events"> {
  readonly events: Operations["events"] & {
    /** Yields events in their order, and waits for further ones. `save` gets the cursor for the next start. */
    follow(options?: FollowOptions): AsyncGenerator<Event>;
  };
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor makes a member for each group of operations.
export class Matchbook {
  readonly #base: string;
  readonly #key: string;
  readonly #transport: TransportOptions;
  readonly #warn: (message: string) => void;
  #is_checked = false;

  constructor({ baseUrl, apiKey, ...others }: MatchbookOptions) {
    if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("`apiKey` is no API key.");
    this.#base = `${new URL(baseUrl).href.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`;
    this.#key = apiKey;
    const own_fetch = others.fetch ?? ((...input) => globalThis.fetch(...input));
    const { timeoutMs = 60_000, maxRetries = 5 } = others;
    this.#transport = { fetch: own_fetch, timeoutMs, maxRetries };
    this.#warn = others.warn ?? ((message) => console.warn(message));
    for (const [group, operations] of Object.entries(OPERATIONS)) {
      const made: Record<string, unknown> = {};
      for (const [name, route] of Object.entries(operations)) made[name] = this.#operation(route);
      Object.defineProperty(this, group, { value: made, enumerable: true });
    }
    Object.assign(this.events, { follow: (options: FollowOptions = {}) => this.#follow(options) });
  }

  /** Makes a request to a path below `/api/v1`, for what has no method here. Throws as every call does. */
  request<Answer = unknown>(method: string, path: string, input: RequestInput = {}): Call<Answer> {
    const running = this.#send(method, path, { ...input, ...keyFor(method, input) });
    return callOf(running as Promise<{ data: Answer; response: Response }>, async (cursor) => {
      const query = { ...input.query, after: undefined, cursor };
      return (await this.#send(method, path, { ...input, query })).data as List<unknown>;
    });
  }

  #operation(route: string): Operation {
    const [method = "", pattern = ""] = route.split(" ");
    const is_query = method === "GET" || method === "DELETE";
    return (...input) => {
      let at = 0;
      const path = pattern.replace(/\{\w+\}/g, () => part(input[at++]));
      const [own, options] = input.slice(at);
      const sent = is_query ? { query: own as object } : { body: own };
      return this.request(method, path, { ...sent, ...(options as RequestInput) });
    };
  }

  async #send(method: string, path: string, input: RequestInput) {
    const { query, body, accept, contentType, idempotencyKey, ifMatch, signal } = input;
    const is_json = body !== undefined && !isRaw(body);
    const headers = new Headers({ authorization: `Bearer ${this.#key}` });
    const given = {
      accept,
      "content-type": contentType ?? (is_json ? "application/json" : undefined),
      "idempotency-key": idempotencyKey,
      "if-match": ifMatch,
    };
    for (const [name, value] of Object.entries(given)) if (value) headers.set(name, value);
    const sent = is_json ? JSON.stringify(body) : (body as BodyInit | undefined);
    const init = { method, headers, body: sent ?? null, signal: signal ?? null };
    const url = this.#base + path + queryOf(query);
    const { response, bytes } = await send(url, init, this.#transport);
    this.#checkVersion(response);
    return { data: contentOf(response, bytes), response };
  }

  #follow(options: FollowOptions): AsyncGenerator<Event> {
    return follow(
      (query, signal) => this.request("GET", "/events", { query, ...(signal ? { signal } : {}) }),
      options,
    );
  }

  #checkVersion({ headers }: Response): void {
    if (this.#is_checked) return;
    this.#is_checked = true;
    const version = headers.get("matchbook-version") ?? "";
    if (version >= API_VERSION) return;
    this.#warn(
      `The service knows the API of ${version || "an unknown day"}, this client that of ${API_VERSION}.`,
    );
  }
}

/** Makes the key of a POST before its first attempt, so that all attempts have the same one. */
function keyFor(method: string, { idempotencyKey }: RequestInput): CallOptions {
  return method === "POST" ? { idempotencyKey: idempotencyKey ?? crypto.randomUUID() } : {};
}

function part(value: unknown): string {
  if (typeof value === "string" && value !== "" && value !== "." && value !== "..") {
    return encodeURIComponent(value);
  }
  throw new TypeError("A reference in the path is an id, or `ext:` and an external id.");
}

function queryOf(query: object = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

function isRaw(body: unknown): boolean {
  return (
    typeof body === "string" ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof Blob ||
    body instanceof FormData
  );
}

/** Returns JSON parsed, other text as text, all else as bytes; null where there is nothing. */
function contentOf({ headers }: Response, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return null;
  const type = headers.get("content-type") ?? "";
  if (/^application\/json\b/.test(type)) return JSON.parse(new TextDecoder().decode(bytes));
  const is_text = /^text\/|^application\/(?:xml|x-ndjson)\b/.test(type);
  return is_text ? new TextDecoder().decode(bytes) : bytes;
}
