/**
 * Sends one request to another machine, within limits: only to an allowed address, without following redirects, with a bounded
 * response. A failure says whether any byte of the request may have been sent.
 */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { connect, isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { LedgerAnswer } from "../../ledger/connector.ts";
import {
  AddressRefused,
  type AddressRule,
  fits,
  isRefused,
  type Loopback,
  lookupFor,
} from "./allowed-address.ts";

interface Outbound {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /** The longest answer that is read; 5 MB by default. */
  readonly most_bytes?: number;
}

const MOST_BYTES = 5 * 1024 * 1024;
/** How long an idle connection is kept. Servers commonly keep them longer, so few are reset when used again. */
const IDLE_MS = 4_000;

/** Connections are pooled by what they may reach: one that was opened under a weaker rule is not used under another. */
const agents = new Map<string, http.Agent>();

/**
 * Sends a request and reads the whole response. Never throws for failures of the other end. `not_sent` is only for a connection
 * that was never established; a reset on a reused connection is `lost`.
 */
export function send(request: Outbound, rule: AddressRule): Promise<LedgerAnswer> {
  return new Promise((resolve) => {
    const { signal, url } = request;
    if (signal.aborted) return resolve(notSent(signal.reason));
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !fits(host, rule)) return resolve(refused(host));
    let is_open = false;
    const opened = (): void => {
      is_open = true;
    };
    const failed = (cause: unknown): void => {
      if (is_open) resolve({ state: "lost", reason: reasonOf(cause, signal), cause });
      else resolve(isRefused(cause) ? refused(host) : notSent(cause));
    };
    const sent = begin(request, rule, failed);
    if (sent === undefined) return;
    sent.on("socket", (socket) => {
      const is_secure = socket instanceof TLSSocket;
      if (sent.reusedSocket || !socket.connecting) opened();
      else socket.once(is_secure ? "secureConnect" : "connect", opened);
    });
    sent.on("error", failed);
    sent.on("response", (answer) => {
      opened();
      read(answer, sent, request.most_bytes ?? MOST_BYTES).then(resolve, failed);
    });
    sent.end(request.body ?? undefined);
  });
}

/** Connects to a host by TCP, under the same rule of addresses. Rejects when it cannot, and when the signal aborts. */
export function connectTo(
  host: string,
  port: number,
  rule: Loopback,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0 && !fits(host, rule)) return reject(new AddressRefused(host));
    const socket = connect({ host, port, lookup: lookupFor(rule) });
    const end = (): void => void socket.destroy(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      signal.removeEventListener("abort", end);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Begins the request. A request that Node refuses, for example for a header with a line break, is not sent. */
function begin(
  { method, url, headers, body, signal }: Outbound,
  rule: AddressRule,
  failed: (cause: unknown) => void,
): ClientRequest | undefined {
  const { request } = url.protocol === "https:" ? https : http;
  const sent_headers = {
    "user-agent": "Matchbook",
    "accept-encoding": "identity",
    // Without this header Node does not frame the body of a DELETE, and the server would read the body as another request.
    ...(body !== null && { "content-length": Buffer.byteLength(body) }),
    ...headers,
  };
  const agent = agentFor(url.protocol, rule);
  try {
    return request(url, { method, headers: sent_headers, signal, agent });
  } catch (error) {
    failed(error);
    return undefined;
  }
}

function agentFor(protocol: string, rule: AddressRule): http.Agent {
  const key = `${protocol} ${rule}`;
  const known = agents.get(key);
  if (known !== undefined) return known;
  const { Agent } = protocol === "https:" ? https : http;
  const options = { keepAlive: true, maxSockets: 16, timeout: IDLE_MS, lookup: lookupFor(rule) };
  const agent = new Agent(options);
  agents.set(key, agent);
  return agent;
}

async function read(
  answer: IncomingMessage,
  sent: ClientRequest,
  most_bytes: number,
): Promise<LedgerAnswer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > most_bytes) {
      sent.destroy();
      const cause = new Error(`an answer of more than ${most_bytes} bytes`);
      return { state: "lost", reason: "bad_response", cause };
    }
    parts.push(part);
  }
  if (!answer.complete) throw new Error("the answer was cut off");
  return {
    state: "answered",
    status: answer.statusCode ?? 0,
    headers: new Map(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: Buffer.concat(parts),
  };
}

function notSent(cause: unknown): LedgerAnswer {
  return { state: "not_sent", reason: "unavailable", cause };
}

function refused(host: string): LedgerAnswer {
  return { state: "not_sent", reason: "not_allowed", cause: new AddressRefused(host) };
}

function reasonOf(cause: unknown, { aborted }: AbortSignal) {
  if (aborted) return "timeout";
  const { code = "" } = cause as NodeJS.ErrnoException;
  return code.startsWith("HPE_") ? "bad_response" : "connection_lost";
}
