/** Webhooks that reach bad receivers: each fault with its outcome, and what is kept of the answer. */
import { randomBytes } from "node:crypto";
import type { LookupAddress } from "node:dns";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { whileCollecting } from "../../../../test/support/run/garbage.ts";
import {
  AUTHORITY,
  CERTIFICATE,
  EXPIRED,
  OTHER_NAME,
} from "../../../../test/support/webhooks/certificates.ts";
import { openFaulty, openReceiver } from "../../../../test/support/webhooks/receivers.ts";
import { sendWebhook, type WebhookNetwork } from "./send-request.ts";

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

const OPEN: WebhookNetwork = { allowed: { hosts: ["127.0.0.1"], networks: [] }, most_ms: 400 };
const WEBHOOK = { headers: { "webhook-id": "e1" }, body: '{"a":"ø"}', own_headers: {} };

/** Sends to a receiver that answers each connection with the given bytes. */
async function sentTo(answer: (socket: Socket) => void, network = OPEN) {
  const receiver = await openFaulty(answer);
  closing.push(receiver.close);
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  return { ...(await sendWebhook({ ...WEBHOOK, url }, network)), receiver };
}

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${status}\r\n${headers.map((line) => `${line}\r\n`).join("")}\r\n`;
const OK = head("200 OK", "Content-Length: 2");

describe("an attempt", () => {
  it.each<[string, (socket: Socket) => void, number | null, string | null]>([
    ["is answered", (socket) => socket.end(`${OK}ok`), 200, null],
    ["is answered without a body", (socket) => socket.end(head("204 No Content")), 204, null],
    [
      "is refused by 500",
      (socket) => socket.end(`${head("500 Oh", "Content-Length: 2")}no`),
      500,
      null,
    ],
    [
      "is redirected, which is not followed",
      (socket) => socket.end(head("302 Found", "Location: /other", "Content-Length: 0")),
      302,
      null,
    ],
    ["is reset before an answer", (socket) => socket.resetAndDestroy(), null, "connection_lost"],
    ["is closed before an answer", (socket) => socket.end(), null, "connection_lost"],
    [
      "is reset within the headers",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nA:", () => socket.destroy()),
      null,
      "connection_lost",
    ],
    [
      "gets something else than HTTP",
      (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
      null,
      "invalid_response",
    ],
    [
      "gets headers without end",
      (socket) => socket.write(head("200 OK", `A: ${"a".repeat(40_000)}`)),
      null,
      "invalid_response",
    ],
    ["gets no answer", () => {}, null, "timeout"],
    [
      "gets headers that do not end",
      (socket) => socket.write("HTTP/1.1 200 OK\r\n"),
      null,
      "timeout",
    ],
    ["gets a byte a tenth of a second", (socket) => void dribble(socket), null, "timeout"],
    // The status is there: the receiver has the event.
    [
      "is reset after the headers",
      (socket) => socket.write(head("200 OK", "Content-Length: 9"), () => socket.destroy()),
      200,
      null,
    ],
    [
      "gets a body that does not end",
      (socket) => socket.write(`${head("200 OK", "Content-Length: 9")}abc`),
      200,
      null,
    ],
    [
      "gets a broken chunk",
      (socket) => socket.end(`${head("200 OK", "Transfer-Encoding: chunked")}zz\r\nno\r\n`),
      200,
      null,
    ],
    [
      "gets a broken chunk of a failure",
      (socket) => socket.end(`${head("503 No", "Transfer-Encoding: chunked")}zz\r\nno\r\n`),
      503,
      null,
    ],
    ["is answered 410", (socket) => socket.end(head("410 Gone", "Content-Length: 0")), 410, null],
  ])("that %s", async (_case, answer, status, error) => {
    const began = performance.now();
    const sent = await sentTo(answer);
    expect([sent.status, sent.error]).toEqual([status, error]);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(sent.duration_ms).toBeLessThan(3_000);
  });

  it("ends in time in a process that has run for long, with a signal of its endpoint", async () => {
    const receiver = await openFaulty(() => {});
    closing.push(receiver.close);
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const { signal } = new AbortController();
    const send = (to: string) => sendWebhook({ ...WEBHOOK, url: to }, OPEN, signal);
    // Optimized code does not keep what it needs no more. An address that is not allowed takes no time.
    for (let n = 0; n < 10_000; n += 1) await send("https://127.0.0.2/hook");
    const sent = await whileCollecting(() => Promise.all([send(url), send(url), send(url)]));
    expect(sent.map(({ error }) => error)).toEqual(["timeout", "timeout", "timeout"]);
  });

  it("of a refused, a closed and a silent port has one outcome", async () => {
    const closed = await openReceiver();
    await closed.close();
    // An address of documentation: no route leads there, or no machine answers.
    const silent = "192.0.2.1:9";
    const network = { ...OPEN, allowed: { hosts: ["127.0.0.1", silent], networks: [] } };
    const outcomes = await Promise.all(
      [`127.0.0.1:${closed.port}`, silent].map((host) =>
        sendWebhook({ ...WEBHOOK, url: `http://${host}/` }, network),
      ),
    );
    const shown = { status: null, error: "unreachable", response_headers: {}, response_body: null };
    expect(outcomes).toMatchObject([shown, shown]);
  });

  it("reads the beginning of a gigabyte and ends", async () => {
    let written = 0;
    const part = Buffer.alloc(65_536, "x");
    const sent = await sentTo((socket) => {
      socket.write(head("200 OK", `Content-Length: ${2 ** 30}`));
      const more = (): void => {
        while (!socket.destroyed && written < 2 ** 30) {
          written += part.length;
          if (!socket.write(part)) return void socket.once("drain", more);
        }
      };
      more();
    });
    expect([sent.status, sent.response_body]).toEqual([200, "x".repeat(4_096)]);
    await delay(50);
    expect(written).toBeLessThan(64 * 2 ** 20);
  });

  it("is one request, whose body and headers are as given", async () => {
    const receiver = await openReceiver();
    closing.push(receiver.close);
    const own_headers = { Authorization: "Bearer abc", "User-Agent": "mine" };
    await sendWebhook({ ...WEBHOOK, url: `${receiver.url}?a=b`, own_headers }, OPEN);
    expect(receiver.requests).toMatchObject([
      {
        path: "/hook?a=b",
        body: '{"a":"ø"}',
        headers: {
          "content-type": "application/json",
          "content-length": "10",
          "user-agent": "mine",
          authorization: "Bearer abc",
          "webhook-id": "e1",
        },
      },
    ]);
    const { headers } = receiver.requests[0] ?? {};
    expect(headers?.connection).toBe("close");
  });

  it("ends when it is asked to", async () => {
    const stop = new AbortController();
    const receiver = await openFaulty(() => stop.abort());
    closing.push(receiver.close);
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { error } = await sendWebhook(
      { ...WEBHOOK, url },
      { ...OPEN, most_ms: 10_000 },
      stop.signal,
    );
    expect(error).toBe("timeout");
  });
});

describe("what is kept of an answer", () => {
  it("has no cookies and none of the endpoint's own values, also where one is cut", async () => {
    const secret = randomBytes(40).toString("base64");
    const receiver = await openReceiver({
      answer: (_request, response) => {
        response.writeHead(400, { "set-cookie": "a=b", "x-echo": `[${secret}]`, "x-other": "1" });
        response.end(`${"ø".repeat(2_040)}${secret}tail`);
      },
    });
    closing.push(receiver.close);
    const own_headers = { "X-Key": secret };
    const answer = await sendWebhook({ ...WEBHOOK, url: receiver.url, own_headers }, OPEN);
    expect(answer.response_headers).toMatchObject({ "x-echo": "[…]", "x-other": "1" });
    expect(answer.response_headers).not.toHaveProperty("set-cookie");
    expect(answer.response_body).toBe(`${"ø".repeat(2_040)}…tail`);
    expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 12));
  });

  it("ends with a whole character, and has no NUL", async () => {
    const receiver = await openReceiver({
      answer: (_request, response) => response.end(`a\0${"ø".repeat(4_000)}`),
    });
    closing.push(receiver.close);
    const { response_body } = await sendWebhook({ ...WEBHOOK, url: receiver.url }, OPEN);
    expect(response_body).toMatch(/^a\uFFFDø+$/);
    expect(Buffer.byteLength(response_body ?? "")).toBeLessThanOrEqual(4_096);
  });
});

describe("a name", () => {
  const network = (
    found: readonly string[],
    more: Partial<WebhookNetwork> = {},
  ): WebhookNetwork => ({
    allowed: { hosts: [], networks: ["127.0.0.0/8"] },
    most_ms: 400,
    lookUp: (_host, _options, looked) =>
      looked(
        null,
        found.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    ...more,
  });

  it("is connected to at the address that was checked, at each attempt", async () => {
    const receiver = await openReceiver();
    closing.push(receiver.close);
    const found = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]];
    const url = `http://receiver.example:${receiver.port}/`;
    const outcomes: unknown[] = [];
    for (const addresses of found) {
      const { status, error } = await sendWebhook({ ...WEBHOOK, url }, network(addresses));
      outcomes.push(error ?? status);
    }
    expect(outcomes).toEqual([204, "address_not_allowed", 204]);
    expect(receiver.requests[0]?.headers.host).toBe(`receiver.example:${receiver.port}`);
  });

  it.each([
    ["an inner address beside a public one", ["8.8.8.8", "10.0.0.1"]],
    ["an inner address beside an allowed one", ["127.0.0.1", "10.0.0.1"]],
    ["a public address over http", ["8.8.8.8"]],
    ["an inner address", ["192.168.1.1"]],
    ["an inner address inside another", ["::ffff:10.0.0.1"]],
    ["no address", []],
  ])("with %s is not connected to", async (_case, addresses) => {
    const answer = await sendWebhook(
      { ...WEBHOOK, url: "http://receiver.example/" },
      network(addresses),
    );
    expect([answer.status, answer.error]).toEqual([null, "address_not_allowed"]);
  });

  it("that is not found has its own outcome, and one that the DNS is silent about does not take longer", async () => {
    const fails = network([], {
      lookUp: (_host, _options, looked) =>
        looked(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []),
    });
    const url = "http://receiver.example/";
    expect((await sendWebhook({ ...WEBHOOK, url }, fails)).error).toBe("name_not_found");
    const silent = network([], { lookUp: () => {} });
    expect((await sendWebhook({ ...WEBHOOK, url }, silent)).error).toBe("unreachable");
  });

  it.each([
    ["https://localhost/", "a name of this machine"],
    ["https://a.localhost./", "another name of this machine"],
    ["https://10.0.0.1/", "an address"],
    ["https://0x7f.1/", "an address in another spelling"],
    ["https://[::ffff:7f00:1]/", "an address inside another"],
    ["http://example.com/", "a name over http"],
    ["https://a@example.com/", "a user"],
    ["https://example.com:25/", "a blocked port"],
  ])("%s is not connected to: %s", async (url) => {
    const nothing: WebhookNetwork = { allowed: { hosts: [], networks: [] }, most_ms: 400 };
    expect((await sendWebhook({ ...WEBHOOK, url }, nothing)).error).toBe("address_not_allowed");
  });
});

describe("TLS", () => {
  it.each([
    ["valid", CERTIFICATE, null],
    ["expired", EXPIRED, "tls_failed"],
    ["of another name", OTHER_NAME, "tls_failed"],
  ])("with a certificate that is %s", async (_case, certificate, expected) => {
    const receiver = await openReceiver({ certificate });
    closing.push(receiver.close);
    const url = `https://receiver.example:${receiver.port}/`;
    const network: WebhookNetwork = {
      allowed: { hosts: [], networks: ["127.0.0.0/8"] },
      ca: AUTHORITY,
      lookUp: (_host, _options, looked) => looked(null, [{ address: "127.0.0.1", family: 4 }]),
    };
    expect((await sendWebhook({ ...WEBHOOK, url }, network)).error).toBe(expected);
    expect(receiver.requests).toHaveLength(expected === null ? 1 : 0);
    const unknown = { ...network, ca: OTHER_NAME };
    expect((await sendWebhook({ ...WEBHOOK, url }, unknown)).error).toBe("tls_failed");
  });

  it("is not spoken by the port", async () => {
    const receiver = await openFaulty((socket) => socket.end("hello"));
    closing.push(receiver.close);
    const url = `https://127.0.0.1:${receiver.port}/`;
    expect((await sendWebhook({ ...WEBHOOK, url }, OPEN)).error).toBe("tls_failed");
  });
});

async function dribble(socket: Socket): Promise<void> {
  for (const letter of "HTTP/1.1 200 OK\r\n") {
    if (socket.destroyed) return;
    socket.write(letter);
    await delay(100);
  }
}
