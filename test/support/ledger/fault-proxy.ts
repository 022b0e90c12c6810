/**
 * A wire between a connector and its ledger with scripted faults. Both ends are real; the test simulates the network between
 * them, or a machine in between that answers for the ledger. Nothing waits for a fixed time unless the script says so: a held
 * request waits until the test releases it.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The fault of one request. Without a fault, the request is passed on, and its answer returned. */
export type Fault =
  /** The ledger never receives the request, and the connection is cut. */
  | { readonly type: "drop_before" }
  /** The ledger has answered, and the connection is cut before the first byte of the answer arrives. */
  | { readonly type: "drop_after" }
  /** The head and half of the body of the answer arrive. */
  | { readonly type: "cut" }
  /** The connection is cut immediately, and the ledger receives the request when `until` resolves. */
  | { readonly type: "drop_late"; readonly until: Promise<void> }
  /** The ledger receives the request when `until` resolves, whether or not the caller still waits. */
  | { readonly type: "hold_before"; readonly until: Promise<void> }
  /** The ledger receives the request immediately, and its answer arrives when `until` resolves. */
  | { readonly type: "hold_after"; readonly until: Promise<void> }
  | { readonly type: "delay"; readonly ms: number }
  /** The ledger never receives the request, and this is the answer. */
  | {
      readonly type: "answer";
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The ledger receives the request, and this is the answer. */
  | { readonly type: "rewrite"; readonly status?: number; readonly body?: string };

/** Matches requests by method and path, and by text in their body. */
export interface RequestPattern {
  readonly method?: string;
  readonly path?: RegExp;
  readonly body?: RegExp;
}

interface PassedRequest {
  readonly method: string;
  readonly path: string;
  /** The fault of the request; null for none. */
  readonly fault: Fault["type"] | null;
}

interface FaultProxy {
  /** `http://127.0.0.1:port`, the same while the proxy is closed. */
  readonly origin: string;
  /** Every received request, in order. */
  readonly requests: readonly PassedRequest[];
  /** The next matching requests get these faults, one each. */
  next(pattern: RequestPattern, ...faults: readonly Fault[]): void;
  /** Chooses the fault of every request without a scripted one; undefined for none. */
  each(choose: (method: string, path: string) => Fault | undefined): void;
  /** Resolves when this many requests have had a fault since the proxy was opened. */
  reached(count: number): Promise<void>;
  /** Resolves when the ledger has answered all requests that were passed on. */
  settled(): Promise<void>;
  /** Drops the rest of the script. */
  clear(): void;
  /** Closes the port, so that connections are refused. */
  shut(): Promise<void>;
  /** Opens the same port again. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Opens a proxy for a ledger with this origin. */
export async function openFaultProxy(target: string): Promise<FaultProxy> {
  const script: { pattern: RequestPattern; fault: Fault }[] = [];
  const requests: PassedRequest[] = [];
  const waiting = new Set<() => void>();
  const passing = new Set<Promise<unknown>>();
  let choose: (method: string, path: string) => Fault | undefined = () => undefined;
  let faults = 0;

  const faultFor = (method: string, path: string, body: string): Fault | undefined => {
    const at = script.findIndex(({ pattern }) => matches(pattern, method, path, body));
    return at >= 0 ? script.splice(at, 1)[0]?.fault : choose(method, path);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bytesOf(incoming);
    const { method = "GET", url: path = "/" } = incoming;
    const fault = faultFor(method, path, body.toString());
    requests.push({ method, path, fault: fault?.type ?? null });
    const pass = (): Promise<Answer> => {
      const passed = passOn(target, incoming, body);
      passing.add(passed);
      return passed.finally(() => passing.delete(passed));
    };
    const done = carryOut(fault, pass, outgoing);
    if (fault !== undefined) {
      faults += 1;
      for (const check of waiting) check();
    }
    await done.catch(() => outgoing.destroy());
  };
  const listening = (port: number) => {
    const server = createServer((incoming, outgoing) => {
      outgoing.on("error", () => {});
      void serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
    return new Promise<typeof server>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve(server));
    });
  };
  let server = await listening(0);
  const { port } = server.address() as AddressInfo;
  const shut = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    next(pattern, ...added) {
      script.push(...added.map((fault) => ({ pattern, fault })));
    },
    each(chosen) {
      choose = chosen;
    },
    reached: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (faults < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    async settled() {
      while (passing.size > 0) await Promise.allSettled(passing);
    },
    clear() {
      script.length = 0;
      choose = () => undefined;
    },
    shut,
    async reopen() {
      server = await listening(port);
    },
    close: shut,
  };
}

function matches(
  { method, path, body }: RequestPattern,
  is_method: string,
  is_path: string,
  is_body: string,
): boolean {
  return (
    (method === undefined || method === is_method) &&
    (path === undefined || path.test(is_path)) &&
    (body === undefined || body.test(is_body))
  );
}

async function carryOut(
  fault: Fault | undefined,
  pass: () => Promise<Answer>,
  outgoing: ServerResponse,
): Promise<void> {
  switch (fault?.type) {
    case undefined:
      return answer(outgoing, await pass());
    case "drop_before":
      outgoing.destroy();
      return;
    case "drop_after":
      await pass();
      outgoing.destroy();
      return;
    case "drop_late":
      outgoing.destroy();
      await fault.until;
      await pass();
      return;
    case "cut": {
      const { status, headers, body } = await pass();
      outgoing.writeHead(status, { ...headers, "content-length": body.length + 2 });
      outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
      return;
    }
    case "hold_before":
      await fault.until;
      return answer(outgoing, await pass());
    case "hold_after": {
      const held = await pass();
      await fault.until;
      return answer(outgoing, held);
    }
    case "delay":
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return answer(outgoing, await pass());
    case "answer":
      return answer(outgoing, describedFault(fault.status, fault.body, fault.headers));
    case "rewrite": {
      const { status, body } = await pass();
      return answer(
        outgoing,
        describedFault(fault.status ?? status, fault.body ?? body.toString()),
      );
    }
  }
}

function describedFault(status: number, body: string, headers: Answer["headers"] = {}): Answer {
  const all = { "content-type": "text/plain", ...headers };
  return { status, headers: all, body: Buffer.from(body) };
}

function answer(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
}

/** A new connection for each request, so that no fault of one request affects another. */
function passOn(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _, connection: __, "transfer-encoding": ___, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(incoming.url ?? "/", target),
      {
        method: incoming.method,
        headers: { ...headers, "content-length": body.length },
        agent: false,
      },
      (response) => {
        bytesOf(response).then((content) => {
          const { connection: _c, "transfer-encoding": _t, ...kept } = response.headers;
          resolve({ status: response.statusCode ?? 0, headers: kept, body: content });
        }, reject);
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
