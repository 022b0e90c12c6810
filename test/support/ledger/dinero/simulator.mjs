/**
 * A SIMULATION of the Dinero API for tests and benches: a separate process with its own books in a file, so that both outlive a
 * killed process under test. It is written from the published description of the API and answers as described. Unpublished
 * behaviour has a switch (organisation.mjs), and nothing here proves how Dinero itself behaves.
 *
 *   node simulator.mjs FILE [PORT]
 *
 * listens on loopback and writes `listens on http://127.0.0.1:PORT`. The organisation is 270001, its key `sim-key`, the client
 * `sim-client` with `sim-secret`, the token endpoint `/token`. Below `/_control/`, tests read its books, set switches, lock days,
 * edit records and inject faults; control.mjs lists the addresses.
 */
import { createServer } from "node:http";
import { takeFault } from "../../run/request-faults.mjs";
import { openBooks } from "./books.mjs";
import { control } from "./control.mjs";
import { newOrganisation, switches as usual } from "./organisation.mjs";
import { Refusal, refusals } from "./refusal.mjs";
import { pageOf } from "./registers.mjs";
import { routes } from "./routes.mjs";
import { bearerOf, tokenAnswer } from "./tokens.mjs";

const [path, port = "0"] = process.argv.slice(2);
const books = openBooks(path);
if (books.get("switches") === undefined) {
  books.commit({
    switches: usual,
    "org/270001": newOrganisation(270001),
    "key/sim-key": { org: 270001 },
  });
}
/** The times of the calls of each client of each organisation, for its limit. */
const calls = new Map();
/** The received requests, for tests that count them. */
const log = [];

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("error", () => {});
  request.on("end", () => {
    answer(request, response, Buffer.concat(chunks).toString()).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      reply(response, 500, { code: 50, message: "Server error" });
    });
  });
});

async function answer(request, response, text) {
  const url = new URL(request.url, "http://simulation");
  if (url.pathname.startsWith("/_control/")) {
    const [status, value] = control(books, log, request.method, url, text);
    return reply(response, status, value);
  }
  const verb = `${request.method} ${url.pathname}`;
  log.push(verb);
  const fault = takeFault(verb);
  const { delay_ms } = books.get("switches");
  const wait_ms = fault?.action === "delay" ? fault.ms : delay_ms;
  if (fault?.action === "drop_before") return request.socket.destroy();
  if (fault?.action === "status") return reply(response, fault.status, fault.body ?? "");
  if (wait_ms > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms));
  const [status, value] = outcomeOf(request, url, text);
  if (fault?.action === "drop_after") return request.socket.destroy();
  const { retry_after } = books.get("switches");
  const says_when = status === 429 && retry_after !== null;
  reply(response, status, value, says_when ? { "retry-after": String(retry_after) } : {});
}

function outcomeOf(request, url, text) {
  const switches = books.get("switches");
  const { authorization = "", accept = "" } = request.headers;
  if (url.pathname === "/token")
    return tokenAnswer(books, new URLSearchParams(text), authorization, switches);
  const bearer = bearerOf(books, authorization);
  if (bearer === undefined) return [401, { code: 41, message: "Unauthorized" }];
  if (isOverLimit(`${bearer.org}/${bearer.client}`, switches))
    return [429, "API calls quota exceeded! (the limit of a minute is reached)"];
  try {
    const value = servedBy(request.method, url, text, bearer, accept, switches);
    return [value === undefined && request.method === "POST" ? 201 : 200, value];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.status, error.bodyIn(switches.error_keys)];
  }
}

function servedBy(method, url, text, bearer, accept, switches) {
  if (method === "GET" && url.pathname === "/v1/organizations") {
    const { Id, Name, IsPro } = books.get(`org/${bearer.org}`);
    return pageOf([{ Id, Name, IsPro, UpdatedAt: "", DeletedAt: null }], url.searchParams)
      .Collection;
  }
  for (const { method: of, pattern, answer: run } of routes) {
    const match = of === method ? pattern.exec(url.pathname) : null;
    if (match === null) continue;
    const org = books.get(`org/${match[1]}`);
    if (org === undefined || org.Id !== bearer.org) throw new Refusal(403, 41, "Unauthorized");
    if (!org.IsPro) throw refusals.notPro(switches.no_plan_code);
    return run({
      books,
      org,
      guid: match[2],
      query: url.searchParams,
      body: text === "" ? {} : bodyOf(text),
      wants_bytes: accept.includes("application/octet-stream"),
      switches,
    });
  }
  throw refusals.notFound("The address");
}

function bodyOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.validation({ body: "is no JSON" });
  }
}

function isOverLimit(client, { limit, limit_window_ms }) {
  if (limit === 0) return false;
  const since = Date.now() - limit_window_ms;
  const recent = (calls.get(client) ?? []).filter((at) => at > since);
  const is_over = recent.length >= limit;
  if (!is_over) recent.push(Date.now());
  calls.set(client, recent);
  return is_over;
}

function reply(response, status, value, headers = {}) {
  const is_text = typeof value === "string";
  const is_bytes = Buffer.isBuffer(value);
  const type = is_text ? "text/plain" : is_bytes ? "application/octet-stream" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  // The number of a draft is larger than the integers that JSON.stringify writes exactly.
  const numbered = (json) => json.replace(/"Number":"(\d+)"/g, '"Number":$1');
  response.end(
    is_text || is_bytes ? value : value === undefined ? "" : numbered(JSON.stringify(value)),
  );
}

server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}\n`);
});
