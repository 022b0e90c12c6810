/** The effect of a transaction pooler on its clients, without pooling: all of them share one session of the server. */
import { createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import pg from "pg";

interface TransactionPooler {
  readonly url: string;
  close(): Promise<void>;
}

const OK = message("R", Buffer.from([0, 0, 0, 0]));
const KEY = message("K", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]));
const READY = message("Z", Buffer.from("I"));

/** Accepts every client without a password; supports only simple statements. */
export async function openTransactionPooler(database_url: string): Promise<TransactionPooler> {
  const session = new pg.Client({ connectionString: database_url });
  session.on("error", () => {});
  await session.connect();
  const server = (session as unknown as { connection: { stream: Duplex } }).connection.stream;
  server.removeAllListeners("data");
  let answered: Promise<void> = Promise.resolve();
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    client.once("data", () => {
      client.write(Buffer.concat([OK, KEY, READY]));
      client.on("data", (sent: Buffer) => {
        if (sent[0] !== "Q".charCodeAt(0)) return void client.end();
        answered = answered.then(() => passed(server, sent, client));
      });
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `postgresql://unchecked@127.0.0.1:${port}/pooled?sslmode=disable`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      server.destroy();
    },
  };
}

/** Sends a statement and passes on the answers, up to the server's ReadyForQuery. */
function passed(server: Duplex, sent: Buffer, client: Socket): Promise<void> {
  return new Promise((resolve) => {
    const pass = (chunk: Buffer): void => {
      client.write(chunk);
      if (chunk.subarray(-6, -1).compare(READY.subarray(0, 5)) !== 0) return;
      server.off("data", pass);
      resolve();
    };
    server.on("data", pass);
    server.write(sent);
  });
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
