/**
 * SMTP servers on loopback for tests: a real one, and a scripted one for behaviour that correct servers never show. Call
 * `closeServers` after each test.
 */
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

const closings: (() => Promise<void>)[] = [];

/** Closes every server that was started here, with its connections. */
export async function closeServers(): Promise<void> {
  await Promise.all(closings.splice(0).map((close) => close()));
}

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
}

/** The error with which a handler of the real server makes it answer with a code. */
export function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** A real SMTP server on loopback; it accepts every message unless the options say otherwise. */
export async function startServer(
  options: SMTPServerOptions = {},
): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 20,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closings.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: portOf(server.server), received };
}

/**
 * A server for behaviour that correct servers never show. It sends the greeting, and after each received line the result of the
 * function; null cuts the connection.
 */
export async function startScripted(
  greeting: string | null,
  answer: (line: string) => string | null = () => "250 ok",
): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    const say = (text: string | null): void => {
      if (text === null) socket.destroy();
      else if (text !== "") socket.write(`${text}\r\n`);
    };
    say(greeting);
    let rest = "";
    socket.on("data", (chunk) => {
      const parts = `${rest}${chunk.toString("latin1")}`.split("\r\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        lines.push(line);
        say(answer(line));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closings.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: portOf(server), lines };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Follows SMTP until DATA is accepted, then calls the function for each line of text. */
export function afterData(
  onContent: (line: string) => string | null,
): (line: string) => string | null {
  let isContent = false;
  return (line) => {
    if (isContent) return onContent(line);
    if (line !== "DATA") return "250 ok";
    isContent = true;
    return "354 continue";
  };
}

/** A port on loopback without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
