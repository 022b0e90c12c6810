/**
 * A wire between the program and PostgreSQL that can be cut at a chosen statement: before the server receives it, or after the
 * server has run it and before the answer arrives. Both ends are real; only the network between them is simulated.
 */
import { createServer, type Server, Socket } from "node:net";
import pg from "pg";

export interface DatabaseProxy {
  /** The URL of the same database through the wire. */
  readonly url: string;
  /** Cuts the connection of the n-th statement from now (1 is the next), once. */
  cutAt(n: number, moment: "before" | "after"): void;
  /** Cuts every connection at the n-th statement, and at every later one, as if the process ended there. */
  dieAt(n: number, moment: "before" | "after"): void;
  /** Lets connections through again after `dieAt`. */
  revive(): void;
  /** Whether the cut was made; false if fewer statements were sent. */
  wasCut(): boolean;
  /** Reports to each connection another process id of its server process than the real one, as poolers do. */
  hideProcesses(): void;
  /** Milliseconds by which each answer is delayed, one after the other. */
  slowBy(milliseconds: number): void;
  /** Blocks everything that the server sends until `speak`; connections are accepted and stay open. */
  hush(): void;
  speak(): void;
  /** Waits until the server has finished the statements of connections that are now cut. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The application name of connections over the wire. */
const NAME = "the wire";

export async function openDatabaseProxy(database_url: string): Promise<DatabaseProxy> {
  const wire = new Wire(database_url);
  const server = createServer((client) => wire.accept(client));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: wire.urlAt(portOf(server)),
    cutAt: (n, moment) => wire.cutAt(n, moment),
    dieAt: (n, moment) => {
      wire.cutAt(n, moment);
      wire.is_mortal = true;
    },
    revive: () => {
      wire.is_mortal = false;
      wire.is_dead = false;
      wire.cut = null;
    },
    wasCut: () => wire.cut === null,
    hideProcesses: () => {
      wire.hides_processes = true;
    },
    slowBy: (milliseconds) => {
      wire.delay = milliseconds;
    },
    hush: () => wire.hush(),
    speak: () => wire.speak(),
    settled: () => wire.settled(),
    async close() {
      await wire.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Wire {
  readonly #target: pg.Client;
  /** A direct connection to the server, opened when it is first needed. */
  readonly #watcher: pg.Client;
  #watching: Promise<unknown> | undefined;
  readonly #sockets = new Set<Socket>();
  cut: { left: number; readonly moment: "before" | "after" } | null = null;
  delay = 0;
  /** Resolved when answers of the server may pass; null while they may. */
  #hushed: { readonly until: Promise<void>; readonly end: () => void } | null = null;
  is_mortal = false;
  hides_processes = false;
  is_dead = false;

  constructor(database_url: string) {
    this.#target = new pg.Client({ connectionString: database_url });
    this.#watcher = new pg.Client({ connectionString: database_url });
  }

  urlAt(port: number): string {
    const { user, password, database } = this.#target;
    const credentials = `${encodeURIComponent(user ?? "")}:${encodeURIComponent(password ?? "")}`;
    const name = encodeURIComponent(NAME);
    return `postgresql://${credentials}@127.0.0.1:${port}/${database}?application_name=${name}`;
  }

  cutAt(n: number, moment: "before" | "after"): void {
    this.cut = { left: n, moment };
  }

  hush(): void {
    let end = (): void => {};
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#hushed ??= { until, end };
  }

  speak(): void {
    this.#hushed?.end();
    this.#hushed = null;
  }

  /** Waits until sent statements are done, even without a client that waits for their answers. */
  async settled(): Promise<void> {
    this.#watching ??= this.#watcher.connect();
    await this.#watching;
    for (;;) {
      const { rows } = await this.#watcher.query(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = $1`,
        [NAME],
      );
      // Each open connection has two sockets.
      if (rows[0].count * 2 <= this.#sockets.size) return;
    }
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#watching) await this.#watcher.end();
  }

  accept(client: Socket): void {
    if (this.is_dead) {
      client.destroy();
      return;
    }
    const { host, port } = this.#target;
    const server = new Socket();
    server.connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    const both = [client, server];
    const hangUp = () => {
      for (const socket of both) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of both) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", hangUp);
    }
    /** How many more answers pass before the wire is cut; null when it is not to be cut. */
    let answers_left: number | null = null;
    let in_flight = 0;
    const held: Buffer[] = [];
    const fromClient = messagesOf(true, (message, type) => {
      held.push(message);
      // A part of a statement could already take effect, so all parts wait for the Sync at the end.
      if (["P", "B", "D", "E", "C"].includes(type)) return;
      if (type === "Q" || type === "S") {
        const moment = this.#count();
        if (moment === "before") {
          this.#hangUp(hangUp);
          return;
        }
        in_flight += 1;
        if (moment === "after") answers_left = in_flight;
      }
      server.write(Buffer.concat(held.splice(0)));
    });
    let answered = Promise.resolve();
    /** Messages that were held back come before later ones. */
    let held_back: Promise<void> | undefined;
    const pass = (message: Buffer, is_end: boolean): void => {
      if (is_end) in_flight -= 1;
      if (is_end && answers_left !== null) answers_left -= 1;
      if (answers_left === 0) this.#hangUp(hangUp);
      else client.write(message);
    };
    const fromServer = messagesOf(false, (message, type) => {
      const is_end = type === "Z";
      if (type === "K" && this.hides_processes) message.writeInt32BE(1, 5);
      const hushed = this.#hushed?.until;
      if (hushed) held_back = hushed;
      if (this.delay === 0 && !held_back) return pass(message, is_end);
      answered = answered.then(async () => {
        await held_back;
        if (is_end) await new Promise((resolve) => setTimeout(resolve, this.delay));
        pass(message, is_end);
      });
    });
    client.on("data", fromClient);
    server.on("data", fromServer);
  }

  #hangUp(hangUpOne: () => void): void {
    this.is_dead = this.is_mortal;
    if (!this.is_dead) hangUpOne();
    else for (const socket of this.#sockets) socket.destroy();
  }

  #count(): "before" | "after" | null {
    if (this.cut === null) return null;
    this.cut.left -= 1;
    if (this.cut.left > 0) return null;
    const { moment } = this.cut;
    this.cut = null;
    return moment;
  }
}

/**
 * Splits a stream of the protocol into messages. The client's first message has no type; passwords and other messages of the
 * start pass through like any other.
 */
export function messagesOf(
  begins_without_type: boolean,
  onMessage: (message: Buffer, type: string) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let without_type = begins_without_type;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const offset = without_type ? 0 : 1;
      if (rest.length < offset + 4) return;
      const length = offset + rest.readInt32BE(offset);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      const type = without_type ? "" : String.fromCharCode(message[0] ?? 0);
      without_type = false;
      onMessage(message, type);
    }
  };
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
