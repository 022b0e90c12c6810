// Runs the cases of cases.json with the installed client, and those that only code can express. Prints a JSON line for each: what it
// does, and what went wrong or null. Environment: the origin of the service, that of a wire with faults, a key, and the cases.
import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { isDeepStrictEqual } from "node:util";
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  Matchbook,
  MatchbookError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  verifyWebhook,
  WebhookVerificationError,
} from "@matchbook/client";

const { MATCHBOOK_URL, FAULTY_URL, MATCHBOOK_KEY, CASES, FAULTY_INVOICES } = process.env;
const KINDS = {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
};
const matchbook = new Matchbook({ baseUrl: MATCHBOOK_URL, apiKey: MATCHBOOK_KEY });
const kept = {};

async function check(does, work) {
  let fault = null;
  try {
    await work();
  } catch (error) {
    const fields = JSON.stringify(error?.fieldErrors ?? []);
    fault = error instanceof Error ? `${error.name}: ${error.message} ${fields}` : String(error);
  }
  process.stdout.write(`${JSON.stringify({ does, fault })}\n`);
}

function expectEqual(found, wanted) {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`found ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
}

/** Throws unless the value has at least what is wanted. */
function expectPart(found, wanted, at = "answer") {
  if (wanted === null || typeof wanted !== "object") {
    if (found !== wanted)
      throw new Error(`${at} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
    return;
  }
  for (const [name, value] of Object.entries(wanted))
    expectPart(found?.[name], value, `${at}.${name}`);
}

const filled = (value) =>
  JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === "string" && part.startsWith("$") ? kept[part.slice(1)] : part,
  );

async function runCase(given) {
  const one = filled(given);
  const [group, name] = one.call.split(".");
  const input = one.body ?? one.query;
  const options = {
    ...(one.if_match ? { ifMatch: one.if_match } : {}),
    ...(one.accept ? { accept: one.accept } : {}),
  };
  const call = matchbook[group][name](...(one.path ?? []), input, options);
  if (one.error !== undefined) return expectError(call, one.error);
  const { data, response } = await call.withResponse();
  if (one.bytes !== undefined) expectEqual(Buffer.from(data.subarray(0, 5)).toString(), one.bytes);
  if (one.text !== undefined && !data.includes(one.text))
    throw new Error(`no ${one.text} in ${data}`);
  if (one.expect !== undefined) expectPart(data, one.expect);
  for (const [key, path] of Object.entries(one.keep ?? {})) {
    kept[key] = path.split(".").reduce((value, step) => value[step], data);
  }
  if (one.keep_etag) kept[one.keep_etag] = response.headers.get("etag");
}

async function expectError(call, { kind, status, code, fields }) {
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  );
  if (!(error instanceof MatchbookError)) throw new Error(`no refusal: ${error}`);
  expectEqual([error.name, error.status], [kind, status]);
  if (!(error instanceof KINDS[kind])) throw new Error(`not a ${kind}`);
  if (code !== undefined) expectEqual(error.code, code);
  if (fields !== undefined) expectEqual(error.fieldErrors.map(({ field }) => field).sort(), fields);
  if (error.requestId === null) throw new Error("the refusal names no request");
}

for (const one of JSON.parse(await readFile(CASES, "utf8")))
  await check(one.does, () => runCase(one));

await check("reads all pages of a list", async () => {
  const names = Array.from({ length: 7 }, (_, at) => `Page ${at}`);
  for (const name of names) await matchbook.customers.create({ external_id: name, name });
  const found = [];
  for await (const { name } of matchbook.customers.list({ search: "Page", limit: 3 }))
    found.push(name);
  expectEqual(found.sort(), names);
  const sequences = [];
  for await (const { sequence } of matchbook.events.list({ after: 3, limit: 2 }))
    sequences.push(sequence);
  expectEqual(sequences.slice(0, 5), [4, 5, 6, 7, 8]);
});

await check("refuses a key that is unknown", async () => {
  const stranger = new Matchbook({ baseUrl: MATCHBOOK_URL, apiKey: "mbk_unknown" });
  const error = await stranger.key.get().catch((thrown) => thrown);
  expectEqual([error.name, error.status], ["AuthenticationError", 401]);
});

await check("sends nothing for a path without a reference", async () => {
  const error = await Promise.resolve()
    .then(() => matchbook.invoices.get(""))
    .catch((thrown) => thrown);
  expectEqual(error.name, "TypeError");
});

/** Serves scripted answers; returns the requests that it got and a client of it. */
async function withAnswers(answers, work, options = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const [status, headers = {}, body = "{}"] =
      answers[Math.min(requests.length, answers.length) - 1];
    if (status === 0) return request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const scripted = new Matchbook({ baseUrl, apiKey: "mbk_x", warn: () => {}, ...options });
  try {
    await work(scripted, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refusal = (code) => JSON.stringify({ error: { code, message: code, request_id: "r" } });

await check("keeps the key of a POST through its attempts", () =>
  withAnswers(
    [
      [0],
      [429, { "retry-after": "0" }, refusal("RATE_LIMITED")],
      [409, {}, refusal("RESOURCE_BUSY")],
      [200],
    ],
    async (scripted, requests) => {
      await scripted.invoices.issue("x");
      const keys = new Set(requests.map(({ headers }) => headers["idempotency-key"]));
      expectEqual([requests.length, keys.size, keys.has(undefined)], [4, 1, false]);
      await scripted.invoices.issue("x");
      expectEqual(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size, 2);
    },
  ),
);

await check("repeats five times, then throws what came last", () =>
  withAnswers(
    [[503, { "retry-after": "0" }, refusal("SERVICE_UNAVAILABLE")]],
    async (scripted, requests) => {
      const error = await scripted.customers.list().catch((thrown) => thrown);
      expectEqual(
        [error.name, error.code, requests.length],
        ["ServerError", "SERVICE_UNAVAILABLE", 6],
      );
    },
  ),
);

await check("repeats no refusal that stays", () =>
  withAnswers([[409, {}, refusal("PERIOD_LOCKED")]], async (scripted, requests) => {
    const error = await scripted.invoices.issue("x").catch((thrown) => thrown);
    expectEqual([error.code, requests.length], ["PERIOD_LOCKED", 1]);
  }),
);

await check("does not repeat a change under a condition whose answer was lost", () =>
  withAnswers([[0]], async (scripted, requests) => {
    const error = await scripted.customers
      .update("x", {}, { ifMatch: '"a"' })
      .catch((thrown) => thrown);
    expectEqual(
      [error.name, error.code, requests.length],
      ["ConnectionError", "CONNECTION_LOST", 1],
    );
  }),
);

await check("waits as Retry-After says", () =>
  withAnswers([[429, { "retry-after": "1" }, refusal("RATE_LIMITED")], [200]], async (scripted) => {
    const began = Date.now();
    await scripted.key.get();
    if (Date.now() - began < 950) throw new Error("did not wait");
  }),
);

await check("takes what it does not know: fields, values and types", () =>
  withAnswers(
    [[200, {}, '{"object":"comet","id":"1","status":"frozen","new_field":{"deep":[1]}}']],
    async (scripted) => {
      const invoice = await scripted.invoices.get("x");
      expectEqual(
        [invoice.object, invoice.status, invoice.new_field],
        ["comet", "frozen", { deep: [1] }],
      );
    },
  ),
);

await check("throws by status where a proxy answers", () =>
  withAnswers([[418, { "content-type": "text/html" }, "<h1>Teapot</h1>"]], async (scripted) => {
    const error = await scripted.key.get().catch((thrown) => thrown);
    expectEqual([error.name, error.code, error.status], ["MatchbookError", "HTTP_418", 418]);
  }),
);

await check("warns once when the service is older", async () => {
  const warnings = [];
  const warn = (message) => warnings.push(message);
  const older = { "matchbook-version": "2026-01-01" };
  const readTwice = async (scripted) => {
    await scripted.key.get();
    await scripted.key.get();
  };
  await withAnswers([[200, older]], readTwice, { warn });
  expectEqual(warnings.length, 1);
  await new Matchbook({ baseUrl: MATCHBOOK_URL, apiKey: MATCHBOOK_KEY, warn }).key.get();
  expectEqual(warnings.length, 1);
});

await check("ends a call by its signal", () =>
  withAnswers(
    [[503, { "retry-after": "60" }, refusal("SERVICE_UNAVAILABLE")]],
    async (scripted, requests) => {
      const signal = AbortSignal.timeout(200);
      const error = await scripted.key.get(undefined, { signal }).catch((thrown) => thrown);
      expectEqual([error.name, requests.length], ["TimeoutError", 1]);
    },
  ),
);

await check("follows events from a saved cursor, each once and in order", async () => {
  const follow = async (cursor, most) => {
    const ending = new AbortController();
    const { signal } = ending;
    const seen = [];
    let last = cursor;
    const save = (next) => {
      last = next;
    };
    for await (const event of matchbook.events.follow({
      cursor,
      types: "customer.created",
      save,
      signal,
    })) {
      seen.push(event.data.resource.name);
      if (seen.length === most) setTimeout(() => ending.abort(), 300);
    }
    return { seen, cursor: last };
  };
  const first = await follow(null, 9);
  expectEqual(first.seen.slice(0, 3), ["Acme A/S", "Tegn ApS", "Page 0"]);
  const next = follow(first.cursor, 2);
  for (const name of ["Later 1", "Later 2"])
    await matchbook.customers.create({ external_id: name, name });
  expectEqual((await next).seen, ["Later 1", "Later 2"]);
});

const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes....").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another one of thirty-two bytes.").toString("base64")}`;
const signed = (body, at = Date.now(), secret = SECRET) => {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice(6), "base64");
  const signature = createHmac("sha256", key).update(`msg_1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
};
const BODY = '{"type":"invoice.issued","text":"ÆØÅ"}';
const isRefused = async (...input) => {
  const error = await verifyWebhook(...input).catch((thrown) => thrown);
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not refused: ${error}`);
};

await check("verifies a webhook", async () => {
  expectEqual((await verifyWebhook(BODY, signed(BODY), SECRET)).text, "ÆØÅ");
  expectEqual(
    (await verifyWebhook(Buffer.from(BODY), new Headers(signed(BODY)), [OTHER, SECRET])).text,
    "ÆØÅ",
  );
});
await check("verifies a webhook with several signatures", async () => {
  const headers = signed(BODY);
  headers["webhook-signature"] =
    `v1a,xx v1,${Buffer.alloc(32).toString("base64")} ${headers["webhook-signature"]}`;
  await verifyWebhook(BODY, headers, SECRET);
});
await check("refuses a webhook with another body, secret, time or without a header", async () => {
  await isRefused(`${BODY} `, signed(BODY), SECRET);
  await isRefused(BODY, signed(BODY), OTHER);
  await isRefused(BODY, signed(BODY, Date.now() - 301_000), SECRET);
  await isRefused(BODY, signed(BODY, Date.now() + 302_000), SECRET);
  await isRefused(BODY, { ...signed(BODY), "webhook-timestamp": "now" }, SECRET);
  for (const name of Object.keys(signed(BODY))) {
    const { [name]: _, ...others } = signed(BODY);
    await isRefused(BODY, others, SECRET);
  }
});

await check("issues each invoice once over a wire that loses answers", async () => {
  const faulty = new Matchbook({ baseUrl: FAULTY_URL, apiKey: MATCHBOOK_KEY, maxRetries: 12 });
  const count = Number(FAULTY_INVOICES);
  const numbers = [];
  for (let at = 0; at < count; at += 10) {
    const issued = Array.from({ length: Math.min(10, count - at) }, async (_, place) => {
      const draft = await faulty.invoices.create({
        customer_id: kept.customer,
        order_reference: `wire-${at + place}`,
        auto_send: false,
        lines: [{ product_id: kept.product, recognition_method: "on_issue", agreed_value: 100 }],
      });
      return (await faulty.invoices.issue(draft.id)).ledger_invoice_number;
    });
    numbers.push(...(await Promise.all(issued)));
  }
  expectEqual(new Set(numbers).size, count);
  const references = [];
  for await (const { order_reference } of matchbook.invoices.list({ limit: 100 })) {
    if (order_reference?.startsWith("wire-")) references.push(order_reference);
  }
  expectEqual([references.length, new Set(references).size], [count, count]);
});
