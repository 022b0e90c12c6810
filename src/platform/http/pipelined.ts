/**
 * Orders requests that arrive on a connection before the previous one is answered. Replies leave in order, so a later
 * request could hold the slot that an earlier one needs. Each request takes its slot when its reply is next.
 */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The requests that wait, by connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Whether other replies have to be sent before this one. */
export function isBehind({ raw }: FastifyReply): boolean {
  return raw.socket === null;
}

/** Resolves when the reply is the next one of its connection, or when the client has disconnected. */
export function turnOf(reply: FastifyReply): Promise<void> {
  const { socket } = reply.request.raw;
  const others = waiting.get(socket) ?? new Set();
  waiting.set(socket, others);
  return new Promise((resolve) => {
    const look = (): void => {
      if (isBehind(reply) && !socket.destroyed) return;
      others.delete(look);
      socket.off("close", look);
      resolve();
    };
    others.add(look);
    socket.setMaxListeners(0);
    socket.once("close", look);
    look();
  });
}

/** Lets the next reply on the connection proceed. To be called after a reply was sent. */
export function callNext(request: FastifyRequest): void {
  for (const look of waiting.get(request.raw.socket) ?? []) look();
}
