/**
 * Sends one webhook and reads the beginning of the answer, within 15 seconds in all. Only to addresses that are allowed, on a new
 * connection whose look-up judges them; redirects are not followed. What failed is reported without a difference between a closed and
 * a silent port.
 */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { isAddress } from "../../../domain/base/ip-address.ts";
import { type AllowedHosts, isReachable, reachOf } from "../../../domain/webhooks/endpoint-url.ts";
import { timeLimit } from "../../../platform/runtime/time-limit.ts";
import {
  AddressRefused,
  isRefused,
  type LookUp,
  lookupAllowed,
} from "../../../platform/security/allowed-address.ts";
import { openLookUp } from "../../../platform/security/name-look-up.ts";

interface OutgoingWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The headers that the endpoint has besides: their values are hidden in the answer. */
  readonly own_headers: Readonly<Record<string, string>>;
}

/** The network that webhooks leave by. */
export interface WebhookNetwork {
  readonly allowed: AllowedHosts;
  /** Looks names up instead of the DNS. */
  readonly lookUp?: LookUp;
  /** The certificates of authorities that are trusted instead of the known ones. */
  readonly ca?: string;
  /** The time limit in all; 15 seconds by default. */
  readonly most_ms?: number;
}

type SendError =
  | "address_not_allowed"
  | "connection_lost"
  | "invalid_response"
  | "name_not_found"
  | "timeout"
  | "tls_failed"
  | "unreachable";

/** What became of an attempt. It succeeded if `status` is 2xx. */
interface Answer {
  /** The status; null without one. */
  readonly status: number | null;
  /** Why there is no status; null with one. */
  readonly error: SendError | null;
  readonly response_headers: Readonly<Record<string, string>>;
  /** The beginning of the answer; null without one. */
  readonly response_body: string | null;
  readonly duration_ms: number;
}

const MOST_MS = 15_000;
const MOST_SHOWN_BYTES = 4_096;
const MOST_SHOWN_HEADERS = 50;
const HIDDEN = "…";
/** A new connection for each attempt: a kept one would be used under an earlier look-up. */
const AGENT_OPTIONS = { keepAlive: false, maxSockets: Number.POSITIVE_INFINITY } as const;
const agents = { "http:": new http.Agent(AGENT_OPTIONS), "https:": new https.Agent(AGENT_OPTIONS) };

/** Sends a webhook. Never throws for what the other end does; `signal` ends it early, as a `timeout`. */
export async function sendWebhook(
  webhook: OutgoingWebhook,
  network: WebhookNetwork,
  signal?: AbortSignal,
): Promise<Answer> {
  const began = performance.now();
  const limit = timeLimit(network.most_ms ?? MOST_MS, signal);
  const answer = await exchange(webhook, network, limit.signal).finally(limit.clear);
  return {
    ...hidden(answer, webhook.own_headers),
    duration_ms: Math.round(performance.now() - began),
  };
}

type Exchanged = Omit<Answer, "duration_ms">;

function failed(error: SendError): Exchanged {
  return { status: null, error, response_headers: {}, response_body: null };
}

function exchange(
  webhook: OutgoingWebhook,
  network: WebhookNetwork,
  signal: AbortSignal,
): Promise<Exchanged> {
  const url = new URL(webhook.url);
  const reach = reachOf(url, network.allowed);
  if (reach === null) return Promise.resolve(failed("address_not_allowed"));
  const { networks } = network.allowed;
  const fits = (address: string): boolean => isReachable(address, reach, networks);
  const lookUp = network.lookUp ?? openLookUp(reach === "any" || networks.length > 0, signal);
  return new Promise((resolve) => {
    let state: "connecting" | "securing" | "open" | "answered" = "connecting";
    const fail = (cause: unknown): void => {
      if (state !== "answered") resolve(failed(errorOf(cause, state, signal)));
    };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isAddress(host) && !fits(host)) return fail(new AddressRefused(host));
    const sent = begin(
      url,
      webhook,
      signal,
      { lookup: lookupAllowed(fits, lookUp), ...(network.ca !== undefined && { ca: network.ca }) },
      fail,
    );
    sent?.on("socket", (socket: Socket) => {
      const is_secure = socket instanceof TLSSocket;
      socket.once("connect", () => {
        state = is_secure ? "securing" : "open";
      });
      socket.once("secureConnect", () => {
        state = "open";
      });
    });
    sent?.on("error", fail);
    sent?.on("response", (answer) => {
      state = "answered";
      readBeginning(answer, webhook, signal).then((read) => {
        sent.destroy();
        resolve(read);
      });
    });
    sent?.end(webhook.body);
  });
}

function begin(
  url: URL,
  { headers, own_headers, body }: OutgoingWebhook,
  signal: AbortSignal,
  connection: https.RequestOptions,
  fail: (cause: unknown) => void,
): ClientRequest | undefined {
  const { request } = url.protocol === "https:" ? https : http;
  const sent_headers = {
    "user-agent": "Matchbook",
    "accept-encoding": "identity",
    ...lowerCased(own_headers),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const agent = agents[url.protocol === "https:" ? "https:" : "http:"];
  try {
    return request(url, { ...connection, method: "POST", headers: sent_headers, signal, agent });
  } catch (error) {
    fail(error);
    return undefined;
  }
}

export function lowerCased(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/**
 * Reads what is shown of an answer, until the time is over. The status counts as soon as it is there: the receiver has the event,
 * whatever happens to the rest of its answer.
 */
async function readBeginning(
  answer: IncomingMessage,
  { own_headers }: OutgoingWebhook,
  signal: AbortSignal,
): Promise<Exchanged> {
  // A hidden value that begins in the shown part is read as a whole.
  const longest = Math.max(0, ...Object.values(own_headers).map(({ length }) => length));
  const parts: Buffer[] = [];
  let length = 0;
  const stop = (): void => void answer.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length >= MOST_SHOWN_BYTES + longest) break;
    }
  } catch {
    // The answer was cut off, or is not HTTP any more.
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const read = Buffer.concat(parts).subarray(0, MOST_SHOWN_BYTES + longest);
  return {
    status: answer.statusCode ?? 0,
    error: null,
    response_headers: Object.fromEntries(
      Object.entries(answer.headers)
        .filter(([name]) => name !== "set-cookie")
        .slice(0, MOST_SHOWN_HEADERS)
        .map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    // The database takes no text with the character NUL.
    response_body: read.toString("utf8").replaceAll("\0", "\uFFFD"),
  };
}

/** Returns the answer without the values of the endpoint's own headers, its body cut to what is shown. */
function hidden(answer: Exchanged, own_headers: OutgoingWebhook["own_headers"]): Exchanged {
  const values = Object.values(own_headers)
    .filter((value) => value !== "")
    .sort((a, b) => b.length - a.length);
  const hide = (text: string): string =>
    values.reduce((shown, value) => shown.replaceAll(value, HIDDEN), text);
  const { response_body } = answer;
  return {
    ...answer,
    response_headers: Object.fromEntries(
      Object.entries(answer.response_headers).map(([name, value]) => [
        name,
        cutTo(MOST_SHOWN_BYTES, hide(value)),
      ]),
    ),
    response_body: response_body === null ? null : cutTo(MOST_SHOWN_BYTES, hide(response_body)),
  };
}

/** Returns the text cut to so many bytes, at the end of a character. */
function cutTo(bytes: number, text: string): string {
  const buffer = Buffer.from(text, "utf8");
  if (buffer.length <= bytes) return text;
  return new TextDecoder("utf-8").decode(buffer.subarray(0, bytes), { stream: true });
}

const NAME_CODES = ["ENOTFOUND", "ENODATA", "EAI_AGAIN", "ESERVFAIL", "EREFUSED", "EBADNAME"];

function errorOf(
  cause: unknown,
  state: "connecting" | "securing" | "open",
  { aborted }: AbortSignal,
): SendError {
  if (isRefused(cause)) return "address_not_allowed";
  if (aborted) return state === "connecting" ? "unreachable" : "timeout";
  const { code = "" } = cause as NodeJS.ErrnoException;
  if (state === "connecting") return NAME_CODES.includes(code) ? "name_not_found" : "unreachable";
  if (state === "securing") return "tls_failed";
  return code.startsWith("HPE_") ? "invalid_response" : "connection_lost";
}
