/**
 * A SIMULATION of the access point phoss-ap for tests and benches: a separate process with its own books in a file, so that both
 * outlive a killed process under test. It is written from the published description of phoss-ap and not from our adapter, reaches
 * no network, and proves nothing about phoss-ap itself. Each behaviour that has surprised clients is a switch (switches.mjs).
 *
 *   node simulator.mjs FILE [PORT]
 *
 * listens on loopback and writes `listens on http://127.0.0.1:PORT`. The token is `sim-token`. Below `/_control/`, tests read its
 * books, set switches and let time pass; control.mjs lists the addresses. Its directory sender (directory-sender.mjs) watches a folder.
 */
import { createServer } from "node:http";
import { openBooks } from "../../ledger/dinero/books.mjs";
import { takeFault } from "../../run/request-faults.mjs";
import { control } from "./control.mjs";
import { statusOf, submit } from "./outbound.mjs";
import { switchesOf, usual } from "./switches.mjs";

const [path, port = "0"] = process.argv.slice(2);
const books = openBooks(path);
if (books.get("switches") === undefined) books.commit({ switches: usual });
/** The received requests, for tests that count them. */
const log = [];

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("error", () => {});
  request.on("end", () => {
    answer(request, response, Buffer.concat(chunks)).catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      reply(response, 500, { error: "Internal Server Error" });
    });
  });
});

async function answer(request, response, body) {
  const url = new URL(request.url, "http://simulation");
  if (url.pathname.startsWith("/_control/")) {
    const [status, value] = await control(books, log, request.method, url, body.toString());
    return reply(response, status, value);
  }
  const verb = `${request.method} ${url.pathname}`;
  log.push(verb);
  const fault = takeFault(verb);
  if (fault?.action === "drop_before") return request.socket.destroy();
  if (fault?.action === "status") return replyText(response, fault.status, fault.body ?? "");
  const [status, value] = await outcomeOf(request, url, body);
  if (fault?.action === "drop_after") return request.socket.destroy();
  if (fault?.action === "status_after") return replyText(response, fault.status, fault.body ?? "");
  reply(response, status, value);
}

async function outcomeOf(request, url, body) {
  if (request.headers["x-token"] !== switchesOf(books).token) {
    return [401, { error: "The provided X-Token is invalid" }];
  }
  const [root, api, direction, action, ...parts] = url.pathname.split("/").map(decodeURIComponent);
  if (root !== "" || api !== "api" || direction !== "outbound") return [404, undefined];
  if (request.method === "POST" && action === "submit" && parts.length === 5) {
    return submit(books, parts, url.searchParams, body);
  }
  if (request.method === "GET" && action === "status" && parts.length === 1) {
    return statusOf(books, parts[0], url.searchParams.get("includeArchive") === "true");
  }
  return [404, undefined];
}

function reply(response, status, value) {
  const text = value === undefined ? "" : JSON.stringify(value);
  replyText(response, status, text, "application/json");
}

function replyText(response, status, text, type = "text/plain") {
  if (response.destroyed) return;
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`listens on http://127.0.0.1:${server.address().port}\n`);
});
