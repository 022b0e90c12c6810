/** Receivers of webhooks that misbehave: servers on this machine that answer with the bytes that a test gives. */
import http from "node:http";
import https from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { KEY } from "./certificates.ts";

interface FaultyReceiver {
  readonly port: number;
  /** The bytes of each connection, as they have arrived. */
  readonly received: string[];
  close(): Promise<void>;
}

/** Listens for plain connections. `answer` is called for each, when the first bytes are there. */
export async function openFaulty(answer: (socket: Socket) => void): Promise<FaultyReceiver> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const place = received.push("") - 1;
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      received[place] += bytes.toString("utf8");
    });
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A request as a receiver got it. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:port/hook`, or https. */
  readonly url: string;
  readonly requests: Received[];
  close(): Promise<void>;
}

interface ReceiverOptions {
  /** The status of each answer, or what answers. */
  readonly answer?: (request: Received, response: http.ServerResponse) => void;
  /** The certificate of a server over https. */
  readonly certificate?: string;
}

/** Listens for webhooks and keeps them. Answers 204 without `answer`. */
export async function openReceiver({
  answer,
  certificate,
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const handle = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      const received = { headers: request.headers, body, path: request.url ?? "" };
      requests.push(received);
      if (answer === undefined) response.writeHead(204).end();
      else answer(received, response);
    });
  };
  const server =
    certificate === undefined
      ? http.createServer(handle)
      : https.createServer({ key: KEY, cert: certificate }, handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}/hook`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
