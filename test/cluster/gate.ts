/**
 * A gate in front of a port: a TCP proxy that can become silent. Bytes then stop in both directions and connections stay open, as
 * when a cable is pulled; new ones are accepted and get no answer.
 */
import { createServer, Socket } from "node:net";

export interface Gate {
  /** The port on the loopback address through which the target is reached. */
  readonly port: number;
  /** Lets no byte pass any more. */
  cut(): void;
  /** Ends the connections that were silent, and lets new ones pass. */
  heal(): void;
  close(): Promise<void>;
}

/** Opens a gate at `port` in front of the target port, both on the loopback address. */
export async function openGate(port: number, target: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let is_cut = false;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const other = new Socket();
    tie(client, other, sockets);
    if (is_cut) return;
    other.connect(target, "127.0.0.1");
    client.pipe(other);
    other.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut() {
      is_cut = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    heal() {
      is_cut = false;
      hangUp();
    },
    async close() {
      hangUp();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Ends both sockets with the first of them. */
function tie(client: Socket, other: Socket, sockets: Set<Socket>): void {
  for (const socket of [client, other]) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => {
      client.destroy();
      other.destroy();
      sockets.delete(socket);
    });
  }
}
