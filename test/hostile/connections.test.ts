/**
 * Faults below the level of JSON: bytes that are not HTTP, heads and bodies above all limits, requests that two servers could
 * read differently, clients that never finish (spec 11.5). Each is answered with the envelope or a closed connection, and does
 * not affect other clients.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { firstReply, head, openSocket, type RawReply, sendRaw } from "../support/http/raw.ts";
import { useWorld } from "../support/world/world.ts";

const JSON_TYPE = "content-type: application/json";
const MOST_BYTES = 1_000_000;

let key: string;
let before: unknown;
const world = useWorld();
beforeAll(async () => {
  key = world.account.keys.read_write;
  await world.done("POST /customers", { name: "Survivor" });
  before = await world.done("GET /customers");
});
afterEach(async () => {
  expect(await world.done("GET /customers")).toEqual(before);
});

describe("invalid HTTP is refused with 400 and the envelope", () => {
  it.each([
    ["garbage", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n"],
    ["an unknown method", "GRAB /api/v1/customers HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["an unknown version", "GET /api/v1/customers HTTP/9.9\r\nhost: x\r\n\r\n"],
    ["a header without a name", "GET /api/v1/customers HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n"],
    ["NUL in a header", "GET /api/v1/customers HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n"],
    ["a line feed for a line end", "GET /api/v1/customers HTTP/1.1\nhost: x\r\nx-a: b\n c\r\n\r\n"],
    ["a request without a host", "GET /api/v1/customers HTTP/1.1\r\n\r\n"],
  ])("%s", async (_what, text) => {
    expectRefused(await sendRaw(world.origin, Buffer.from(text, "latin1")));
  });

  it.each([
    ["two lengths", ["content-length: 2", "content-length: 12"]],
    ["two lengths in one", ["content-length: 2, 12"]],
    ["a length and chunks", ["content-length: 12", "transfer-encoding: chunked"]],
    ["chunks and another encoding", ["transfer-encoding: chunked, identity"]],
    ["a length below 0", ["content-length: -1"]],
    ["an invalid length", ["content-length: 0x0c"]],
  ])("a request with %s", async (_what, lines) => {
    const smuggled = `{}${head("GET /api/v1/users", key)}`;
    const start = head("POST /api/v1/customers", key, JSON_TYPE, ...lines);
    expectRefused(await sendRaw(world.origin, start, smuggled));
  });

  it("a head of more than 16 KB", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `x-${index}: ${"x".repeat(1000)}`);
    expectRefused(await sendRaw(world.origin, head("GET /api/v1/customers", key, ...lines)));
  });

  it("a target of more than 16 KB", async () => {
    const call = `GET /api/v1/customers?external_id=${"x".repeat(20_000)}`;
    expectRefused(await sendRaw(world.origin, head(call, key)));
  });

  it("a chunk with an invalid size", async () => {
    const start = head("POST /api/v1/customers", key, JSON_TYPE, "transfer-encoding: chunked");
    expectRefused(await sendRaw(world.origin, start, "zz\r\n{}\r\n0\r\n\r\n"));
  });
});

describe("a body of 20 MB is refused with 400 and the envelope", () => {
  const megabyte = Buffer.alloc(1024 * 1024, "x");

  it("before it is read if its length is announced", async () => {
    const start = head(
      "POST /api/v1/customers",
      key,
      JSON_TYPE,
      `content-length: ${20 * megabyte.length}`,
    );
    expectRefused(await sendRaw(world.origin, start));
    expectRefused(await sendRaw(world.origin, start, ...Array(20).fill(megabyte)));
  });

  it("as soon as it is too long if its length is not announced", async () => {
    const start = head("POST /api/v1/customers", key, JSON_TYPE, "transfer-encoding: chunked");
    const chunk = Buffer.concat([
      Buffer.from(`${megabyte.length.toString(16)}\r\n`),
      megabyte,
      Buffer.from("\r\n"),
    ]);
    expectRefused(await sendRaw(world.origin, start, ...Array(20).fill(chunk)));
  });

  it("and a body of exactly the limit is read", async () => {
    const body = `{"name":"","x":"${"x".repeat(MOST_BYTES - 18)}"}`;
    expect(body).toHaveLength(MOST_BYTES);
    const start = head("POST /api/v1/customers", key, JSON_TYPE, `content-length: ${MOST_BYTES}`);
    expect(await sendRaw(world.origin, start, body)).toMatchObject({ status: 422 });
    const longer = start.replace(String(MOST_BYTES), String(MOST_BYTES + 1));
    expectRefused(await sendRaw(world.origin, longer, `${body} `));
  });

  it("and no byte of it is read without a valid key", async () => {
    const start = head("POST /api/v1/customers", "mbk_none", JSON_TYPE, "content-length: 20000000");
    expect(await sendRaw(world.origin, start)).toMatchObject({
      status: 401,
      body: { error: { code: "UNAUTHORIZED" } },
    });
  });
});

describe("a target that names another address", () => {
  it.each([
    ["a second slash in front", "//evil.example/api/v1/customers", 404],
    ["slashes in between", "/api//v1/customers", 404],
    ["dots that climb", "/api/v1/../v1/customers", 404],
    ["encoded dots", "/api/v1/%2e%2e/v1/customers", 404],
    ["a backslash", "/api/v1\\customers", 404],
    ["a star", "*", 404],
  ])("is not taken for an own path: %s", async (_what, target, status) => {
    const reply = await sendRaw(world.origin, head(`GET ${target}`, key));
    expect([400, status]).toContain(reply.status);
    expect(Object.keys(reply.body)).toEqual(["error"]);
  });

  it("never makes the service name another host", async () => {
    const call = "GET http://evil.example/api/v1/customers?limit=1";
    const reply = await sendRaw(world.origin, head(call, key, "x-forwarded-host: evil.example"));
    expect(JSON.stringify(reply)).not.toContain("evil.example");
  });
});

describe("clients that do not finish their requests", () => {
  it("delay no other client", async () => {
    const slow = Array.from({ length: 40 }, (_, index) => {
      const socket = openSocket(world.origin);
      const whole = head("POST /api/v1/customers", key, JSON_TYPE, "content-length: 100");
      socket.write(index % 2 ? whole.slice(0, -10) : `${whole}{"name":`);
      return socket;
    });
    try {
      await Promise.all(slow.map((socket) => connected(socket)));
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.rest("GET /customers")),
      );
      expect(replies.every((reply) => reply.status === 200)).toBe(true);
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });

  it("are answered when they finish", async () => {
    const body = JSON.stringify({ name: "" });
    const socket = openSocket(world.origin);
    const reply = firstReply(socket);
    const start = head("POST /api/v1/customers", key, JSON_TYPE, `content-length: ${body.length}`);
    socket.write(start + body.slice(0, 3));
    await world.done("GET /customers");
    socket.write(body.slice(3));
    expect(await reply).toMatchObject({ status: 422 });
    socket.destroy();
  });

  it("leave nothing behind when they disconnect", async () => {
    const socket = openSocket(world.origin);
    await connected(socket);
    const start = head("POST /api/v1/customers", key, JSON_TYPE, "content-length: 100");
    socket.write(`${start}{"name":"Half`);
    socket.destroy();
    expect((await world.rest("GET /customers")).status).toBe(200);
  });
});

describe("a feature of HTTP that the service does not offer", () => {
  it.each([
    ["an unknown expectation", "GET /api/v1/customers", "expect: 200-ok", 200],
    ["another protocol", "GET /api/v1/customers", "upgrade: h2c\r\nconnection: upgrade", 200],
    ["a method that no route has", "PROPFIND /api/v1/customers", "depth: 1", 404],
    ["a trace", "TRACE /api/v1/customers", "max-forwards: 1", 404],
    ["a method in a header", "GET /api/v1/nothing", "x-http-method-override: DELETE", 404],
  ])("is ignored: %s", async (_what, call, line, status) => {
    expect(await sendRaw(world.origin, head(call, key, line))).toMatchObject({ status });
  });

  it("is a tunnel, whose connection is closed", async () => {
    const tunnel = sendRaw(world.origin, head("CONNECT evil.example:443", key));
    await expect(tunnel).rejects.toThrow("the connection ended");
  });
});

describe("several requests on one connection", () => {
  it("are answered in order, including a refused one", async () => {
    const socket = openSocket(world.origin);
    const seen: number[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        const found = chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/g);
        seen.push(...[...found].map((match) => Number(match[1])));
        if (seen.length >= 3) resolve();
      });
      socket.on("close", () => resolve());
    });
    socket.write(
      head("GET /api/v1/customers", key) +
        head("GET /api/v1/customers/nonsense", key) +
        head("GET /api/v1/products", key),
    );
    await all;
    socket.destroy();
    expect(seen).toEqual([200, 400, 200]);
  });
});

function expectRefused(reply: RawReply): void {
  expect(reply).toMatchObject({
    status: 400,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: { error: { code: "MALFORMED_REQUEST", message: expect.stringMatching(/\S/) } },
  });
  expect(Object.keys(reply.body)).toEqual(["error"]);
}

function connected(socket: ReturnType<typeof openSocket>): Promise<void> {
  return new Promise((resolve) => {
    if (!socket.connecting) resolve();
    else socket.once("connect", () => resolve());
  });
}
