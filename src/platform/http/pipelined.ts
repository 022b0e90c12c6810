/**
 * Requests that come on a connection before the one before them is answered. Replies leave in the order of requests, so a
 * place that one of them held could be the place for which the request before it waits: each takes its place when it is next.
 */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who waits on a connection. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Whether other replies have to leave before this one. */
export function isBehind({ raw }: FastifyReply): boolean {
  return raw.socket === null;
}

/** Resolves when the reply is the next one of its connection, or nobody is there any more to take it. */
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

/** A reply has left: it is the turn of the next one of its connection. */
export function callNext(request: FastifyRequest): void {
  for (const look of waiting.get(request.raw.socket) ?? []) look();
}
