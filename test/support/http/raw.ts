/** HTTP as bytes on a socket, for requests that no client library would send. */
import { connect, type Socket } from "node:net";
import type { Json } from "../world/world.ts";

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, otherwise the text. */
  readonly body: Json;
}

const TIMEOUT_MS = 60_000;

/**
 * Sends the bytes on a new connection and returns the first reply. Throws when no reply has come after a minute, or when the
 * connection ends without one.
 */
export async function sendRaw(origin: string, ...bytes: (string | Buffer)[]): Promise<RawReply> {
  const socket = openSocket(origin);
  const reply = firstReply(socket);
  for (const part of bytes) socket.write(part);
  try {
    return await reply;
  } finally {
    socket.destroy();
  }
}

/** A connection whose errors are not thrown: a server that refuses may close it while we still write. */
export function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  return socket;
}

/** The head of a request with its key; further header lines are sent unchanged. */
export function head(call: string, key: string, ...lines: string[]): string {
  return [
    `${call} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${key}`,
    ...lines,
    "",
    "",
  ].join("\r\n");
}

/** The first complete reply on the socket. */
export function firstReply(socket: Socket): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error("no answer")), TIMEOUT_MS);
    const settle = () => {
      clearTimeout(timer);
      const reply = replyFrom(text);
      if (reply) resolve(reply);
      else reject(new Error(`the connection ended with: ${JSON.stringify(text)}`));
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (replyFrom(text)) settle();
    });
    socket.on("close", settle);
  });
}

/** Undefined while the reply is incomplete. */
function replyFrom(text: string): RawReply | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const content = text.slice(end + 4);
  if (content.length < Number(headers["content-length"] ?? 0)) return undefined;
  const is_json = headers["content-type"]?.startsWith("application/json");
  const body = is_json ? JSON.parse(Buffer.from(content, "latin1").toString()) : content;
  return { status: Number(first.split(" ")[1]), headers, body };
}
