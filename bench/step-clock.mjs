// Loaded into a service by `bench steps` before its own code: writes for each request when it began and ended, and when the
// service waited for the database meanwhile, with the statements that it had sent. It reads the bytes on the sockets, so that
// the code of the service is measured as it is.

import diagnostics from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";
import { isMainThread } from "node:worker_threads";

const PROTOCOL_3 = 196_608;
const file = process.env.BENCH_STEP_FILE;

/** The waits since the first request in progress began: `[from, to, texts]` in milliseconds of `performance.now()`. */
let waits = [];
let current;
let unanswered = 0;

if (isMainThread && file !== undefined) {
  for (const name of ["_write", "_writev"]) {
    const original = Socket.prototype[name];
    Socket.prototype[name] = function write(data, ...rest) {
      noteWritten(this, name === "_writev" ? data.map(({ chunk }) => chunk) : [data]);
      return original.call(this, data, ...rest);
    };
  }
  const begun = new WeakMap();
  diagnostics.subscribe("http.server.request.start", ({ request }) => {
    begun.set(request, performance.now());
    waits = [];
  });
  diagnostics.subscribe("http.server.response.finish", ({ request }) => {
    const ended = performance.now();
    const { method, url } = request;
    const line = { method, url, began: begun.get(request), ended, waits };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  });
}

const connections = new WeakMap();

function noteWritten(socket, chunks) {
  let connection = connections.get(socket);
  if (connection === undefined) {
    const [first] = chunks;
    if (!Buffer.isBuffer(first) || first.length < 8 || first.readInt32BE(4) !== PROTOCOL_3) return;
    connection = { texts: new Map(), bound: "", is_started: false, rest: Buffer.alloc(0) };
    connections.set(socket, connection);
    socket.prependListener("data", (data) => noteRead(connection, data));
    return;
  }
  if (!connection.is_started) return;
  for (const [type, body] of messagesIn(Buffer.concat(chunks))) {
    const [first = "", second = ""] = body.toString("utf8").split("\0", 2);
    if (type === "P") connection.texts.set(first, second);
    else if (type === "B") connection.bound = connection.texts.get(second) ?? "";
    else if (type === "E") noteStatement(connection.bound);
    else if (type === "Q") noteStatement(first);
    if (type === "S" || type === "Q") unanswered += 1;
  }
}

function noteStatement(text) {
  current ??= { from: performance.now(), texts: [] };
  current.texts.push(text);
}

function noteRead(connection, data) {
  connection.rest = Buffer.concat([connection.rest, data]);
  for (const [type, , end] of messagesIn(connection.rest)) {
    connection.read = end;
    if (type !== "Z") continue;
    if (!connection.is_started) {
      connection.is_started = true;
      continue;
    }
    unanswered -= 1;
    if (unanswered > 0 || current === undefined) continue;
    waits.push([current.from, performance.now(), current.texts]);
    current = undefined;
  }
  connection.rest = connection.rest.subarray(connection.read ?? 0);
  connection.read = 0;
}

/** The whole messages at the beginning of bytes: type, body, and where it ends. */
function* messagesIn(bytes) {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) return;
    yield [String.fromCharCode(bytes[at]), bytes.subarray(at + 5, end), end];
    at = end;
  }
}
