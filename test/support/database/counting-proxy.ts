/**
 * A wire between the program and PostgreSQL that counts statements and trips. A trip is one wait for the server: everything that
 * a connection sends before it needs an answer is one trip. The wire waits until the client is silent, sends everything at once,
 * and hands over all answers together, so that the counts do not depend on the speed of the machine.
 */
import { createServer, Socket } from "node:net";
import pg from "pg";
import { messagesOf, portOf } from "./proxy.ts";

/** The texts of the statements that one connection sent before it waited for their answers. */
export type Trip = readonly string[];

export interface CountingProxy {
  /** The URL of the same database through the wire. */
  readonly url: string;
  /** Returns the trips of the work: on the connections of requests, and for the look-up of a key. */
  tripsOf(work: () => Promise<unknown>): Promise<readonly Trip[]>;
  /** Returns the number of statements so far, on all connections. */
  statements(): number;
  close(): Promise<void>;
}

/** How long a client is silent when it waits for an answer. */
const SILENCE_MS = 6;

/** The settings of connections whose statements no request waits for (`BACKGROUND_LIMITS`). */
const OF_BACKGROUND = "lock_timeout=30000";
const OF_POOLS = "lock_timeout=";

export async function openCountingProxy(database_url: string): Promise<CountingProxy> {
  const target = new pg.Client({ connectionString: database_url });
  const sockets = new Set<Socket>();
  let trips: Trip[] = [];
  let statements = 0;
  const server = createServer((client) => {
    const { host, port } = target;
    const upstream = new Socket();
    upstream.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    connect(client, upstream, (trip, is_of_request) => {
      statements += trip.length;
      if (is_of_request) trips.push(trip);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { user, password, database } = target;
  const credentials = `${encodeURIComponent(user ?? "")}:${encodeURIComponent(password ?? "")}`;
  return {
    url: `postgresql://${credentials}@127.0.0.1:${portOf(server)}/${database}`,
    async tripsOf(work) {
      trips = [];
      await work();
      return trips;
    },
    statements: () => statements,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Connects both ends; calls `onTrip` with each trip, and whether a request waits for it. */
function connect(
  client: Socket,
  server: Socket,
  onTrip: (trip: Trip, is_of_request: boolean) => void,
): void {
  const texts = new TextsOfStatements();
  let is_counted = false;
  let is_started = false;
  let waiting: Buffer[] = [];
  let trip: string[] = [];
  let requests = 0;
  let unanswered = 0;
  let answers: Buffer[] = [];
  let silence: NodeJS.Timeout | undefined;
  const sendAll = (): void => {
    if (unanswered > 0 || requests === 0) return;
    onTrip(trip, is_counted);
    unanswered = requests;
    server.write(Buffer.concat(waiting));
    waiting = [];
    trip = [];
    requests = 0;
  };
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(sendAll, SILENCE_MS);
  };
  const fromClient = messagesOf(true, (message, type) => {
    if (!is_started || type === "X") {
      const text = message.toString("latin1");
      if (type === "") is_counted = text.includes(OF_POOLS) && !text.includes(OF_BACKGROUND);
      server.write(message);
      return;
    }
    waiting.push(message);
    const text = texts.executedBy(message, type);
    if (text !== undefined) trip.push(text);
    if (type === "S" || type === "Q") requests += 1;
    listen();
  });
  const fromServer = messagesOf(false, (message, type) => {
    if (!is_started) {
      is_started = type === "Z";
      client.write(message);
      return;
    }
    answers.push(message);
    if (type !== "Z") return;
    unanswered -= 1;
    if (unanswered > 0) return;
    client.write(Buffer.concat(answers));
    answers = [];
    if (requests > 0) listen();
  });
  client.on("data", fromClient);
  server.on("data", fromServer);
  client.on("close", () => clearTimeout(silence));
}

/** The texts of the prepared statements of one connection. */
class TextsOfStatements {
  readonly #texts = new Map<string, string>();
  #bound = "";

  /** Returns the text of the statement that a message of the client runs; undefined for other messages. */
  executedBy(message: Buffer, type: string): string | undefined {
    const [first = "", second = ""] = message.toString("utf8", 5).split("\0", 2);
    if (type === "Q") return first;
    if (type === "P") this.#texts.set(first, second);
    if (type === "B") this.#bound = this.#texts.get(second) ?? "";
    return type === "E" ? this.#bound : undefined;
  }
}
