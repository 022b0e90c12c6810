/** Sends a reply that was made as plain data, in this thread or another. */
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Reply } from "./asked.ts";

export function sendReply(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status).headers(headers);
  if (body === null) return reply.send();
  if (typeof body === "string") return reply.send(body);
  if (body instanceof Uint8Array)
    return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return reply.send(Readable.from(body));
}
