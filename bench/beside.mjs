// Sends the light requests of another account from a separate process: a GET every 50 ms, and another one to a bare node:http
// server, which shows the delays of the machine itself. `node bench/beside.mjs ORIGIN KEY PATH…`.
import { Agent, createServer, get } from "node:http";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

const EVERY_MS = 50;
/** The limit of one account's requests in progress. Later requests are sent late; their wait begins when they are due. */
const MOST_IN_FLIGHT = 16;
/** Requests without a response this long after the end count with their wait so far. */
const MOST_END_MS = 60_000;

if (isMainThread) await ask(process.argv.slice(2));
else serveBare();

/** The message `begin` starts the requests; `end` returns the wait of each request in milliseconds. */
async function ask([origin, key, ...paths]) {
  const bare = new Worker(new URL(import.meta.url));
  const port = await new Promise((resolve) => bare.once("message", resolve));
  const headers = { authorization: `Bearer ${key}` };
  let rhythms = [];
  process.on("message", async (order) => {
    if (order === "begin") {
      rhythms = [
        rhythm(paths.map((path) => ({ url: `${origin}/api/v1${path}`, headers }))),
        rhythm([{ url: `http://127.0.0.1:${port}/`, headers: {} }]),
      ];
      return;
    }
    const [service, beside] = await Promise.all(rhythms.map(({ end }) => end()));
    process.send({ service, bare: beside });
  });
  process.on("disconnect", () => process.exit());
  process.send("ready");
}

function rhythm(targets) {
  const agent = new Agent({ keepAlive: true });
  const waits = [];
  const refused = {};
  const due = [];
  const in_flight = new Set();
  let count = 0;
  let onEmpty = () => {};
  const pump = () => {
    while (due.length > 0 && in_flight.size < MOST_IN_FLIGHT) {
      const asked = { since: due.shift() };
      in_flight.add(asked);
      const { url, headers } = targets[count++ % targets.length];
      fetchOnce(agent, url, headers, (status) => {
        if (!in_flight.delete(asked)) return;
        waits.push(performance.now() - asked.since);
        if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
        pump();
      });
    }
    if (due.length === 0 && in_flight.size === 0) onEmpty();
  };
  const began = performance.now();
  let ticks = 0;
  const timer = setInterval(() => {
    // A late timer has missed some requests, which are due nevertheless.
    while (began + ticks * EVERY_MS <= performance.now()) {
      due.push(began + ticks * EVERY_MS);
      ticks += 1;
    }
    pump();
  }, EVERY_MS / 2);
  return {
    async end() {
      clearInterval(timer);
      if (due.length > 0 || in_flight.size > 0) {
        await new Promise((resolve) => {
          onEmpty = resolve;
          setTimeout(resolve, MOST_END_MS).unref();
        });
      }
      const now = performance.now();
      const open = [...in_flight].map(({ since }) => since).concat(due);
      waits.push(...open.map((since) => now - since));
      if (open.length > 0) refused.unanswered = open.length;
      in_flight.clear();
      due.length = 0;
      agent.destroy();
      return { waits, refused };
    },
  };
}

function fetchOnce(agent, url, headers, done) {
  const sent = get(url, { agent, headers }, (reply) => {
    reply.resume();
    reply.once("close", () => done(reply.complete ? reply.statusCode : "cut"));
  });
  sent.once("error", () => done("error"));
}

function serveBare() {
  const body = JSON.stringify({ object: "list", data: "x".repeat(10_000) });
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
}
