/** The hosts that a connector may reach, and the state of a failed request: whether a part of it may have been sent. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reach, ruleFor } from "../../platform/security/reach.ts";
import type { LedgerRequest } from "../connector.ts";
import type { LedgerCall } from "../outcome.ts";
import { lineOf } from "./line.ts";

const reach = (fields: Partial<Reach> = {}): Reach => ({
  known: ["api.vendor.example"],
  listed: [],
  is_sandbox: false,
  ...fields,
});

describe("the permission to reach a host", () => {
  const listed = ["books.example", "lan.example:8000", "[::1]:8000"];
  it.each<[string, string | null, string | null]>([
    // URL, loopback rule for a live account, and for a sandbox
    ["https://api.vendor.example/v1", "never", null],
    ["https://api.vendor.example:8443/v1", null, null],
    ["http://api.vendor.example/v1", null, null],
    ["https://other.example/", null, null],
    ["https://books.example/", "any", "only"],
    ["https://books.example:8443/", "any", "only"],
    ["http://books.example/", "only", "only"],
    ["https://lan.example:8000/", "any", "only"],
    ["https://lan.example/", null, null],
    ["http://[::1]:8000/", "only", "only"],
    ["http://127.0.0.1:8000/", null, null],
    ["https://user:password@books.example/", null, null],
    ["ftp://books.example/", null, null],
  ])("depends on the URL and the kind of account: %s", (url, live, sandbox) => {
    expect(ruleFor(new URL(url), reach({ listed }))).toBe(live);
    expect(ruleFor(new URL(url), reach({ listed, is_sandbox: true }))).toBe(sandbox);
  });
});

describe("a request", () => {
  let server: Server;
  let origin = "";
  let port = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { url = "", method = "" } = request;
      if (url === "/cut") response.destroy();
      else if (url === "/half") {
        response.writeHead(200, { "content-length": 100 });
        response.write("half", () => response.destroy());
      } else if (url === "/long") response.end(Buffer.alloc(6 * 1024 * 1024));
      else if (url !== "/silent") {
        const headers = url === "/moved" ? { location: "/" } : { "x-method": method };
        response.writeHead(url === "/moved" ? 302 : 200, headers);
        request.pipe(response);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    origin = `http://127.0.0.1:${port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const calls: LedgerCall[] = [];
  const ask = (
    url: string,
    {
      signal = AbortSignal.timeout(5_000),
      listed = [`127.0.0.1:${port}`, `localhost:${port}`],
      is_paused = false,
      ...fields
    }: Partial<LedgerRequest> & {
      signal?: AbortSignal;
      listed?: string[];
      is_paused?: boolean;
    } = {},
  ) =>
    lineOf({
      settings: {},
      secrets: {},
      tokens: { get: async () => ({ state: "unavailable" }), drop: async () => {} },
      reach: reach({ listed }),
      organisation_key: "",
      per_minute: null,
      request_ms: null,
      turnsFor: () => {
        throw new Error("nothing is limited");
      },
      isPaused: async () => is_paused,
    }).request(
      { verb: "GET it", method: "GET", url, ...fields },
      { signal, notify: (call) => calls.push(call) },
    );

  it("is answered and reported", async () => {
    const answer = await ask(`${origin}/`, { method: "POST", body: "hunter2" });
    expect(answer).toMatchObject({ state: "answered", status: 200, body: Buffer.from("hunter2") });
    expect(answer.state === "answered" && answer.headers.get("x-method")).toBe("POST");
    expect(calls.at(-1)).toEqual({
      verb: "GET it",
      status: 200,
      outcome: "answered",
      ms: expect.any(Number),
    });
  });

  it.each(["PUT", "DELETE"] as const)("arrives with its body as %s", async (method) => {
    const answer = await ask(`${origin}/`, { method, body: "hunter2" });
    expect(answer).toMatchObject({ state: "answered", body: Buffer.from("hunter2") });
  });

  it("does not follow redirects", async () => {
    expect(await ask(`${origin}/moved`)).toMatchObject({ state: "answered", status: 302 });
  });

  it.each(["/cut", "/half"])("is lost if the answer is cut off (%s)", async (path) => {
    expect(await ask(`${origin}${path}`)).toMatchObject({
      state: "lost",
      reason: "connection_lost",
    });
  });

  it("is lost if the answer is too long or is not HTTP", async () => {
    expect(await ask(`${origin}/long`)).toMatchObject({ state: "lost", reason: "bad_response" });
    const junk = createSocket((socket) => socket.end("junk\r\n\r\n"));
    await new Promise<void>((resolve) => junk.listen(0, "127.0.0.1", resolve));
    const junk_port = (junk.address() as AddressInfo).port;
    const answer = await ask(`http://127.0.0.1:${junk_port}`, { listed: ["127.0.0.1"] });
    expect(answer).toMatchObject({ state: "lost", reason: "bad_response" });
    junk.close();
  });

  it("is lost after the timeout of its caller", async () => {
    const answer = await ask(`${origin}/silent`, { signal: AbortSignal.timeout(50) });
    expect(answer).toMatchObject({ state: "lost", reason: "timeout" });
    expect(calls.at(-1)?.outcome).toBe("lost:timeout");
  });

  it("is not sent to a closed port or for a caller that has already given up", async () => {
    const free = createSocket();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const free_port = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const listed = ["127.0.0.1"];
    expect(await ask(`http://127.0.0.1:${free_port}`, { listed })).toMatchObject({
      state: "not_sent",
      reason: "unavailable",
    });
    expect(await ask(`${origin}/`, { signal: AbortSignal.abort() })).toMatchObject({
      state: "not_sent",
    });
  });

  it("is not sent to a host that is not listed, nor over http to another machine", async () => {
    const refused = { state: "not_sent", reason: "not_allowed" };
    expect(await ask(`${origin}/`, { listed: [] })).toMatchObject(refused);
    expect(await ask("no url")).toMatchObject(refused);
    // http to a name is permitted if it resolves to this machine; the checked address is the connected one.
    expect(await ask(`http://localhost:${port}/`)).toMatchObject({ state: "answered" });
    expect(await ask("http://192.0.2.1/", { listed: ["192.0.2.1"] })).toMatchObject(refused);
  });

  it("is not sent with a line break in a header", async () => {
    const headers = { authorization: "a\r\nhost: elsewhere" };
    expect(await ask(`${origin}/`, { headers })).toMatchObject({ state: "not_sent" });
  });

  it("is not sent while background work is paused in a restored copy", async () => {
    expect(await ask(`${origin}/`, { is_paused: true })).toMatchObject({
      state: "not_sent",
      reason: "unavailable",
    });
  });
});
