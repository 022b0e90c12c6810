// Receives webhooks: `node webhook-receiver.mjs inbox`. It stores each event as a file, answers, and handles the event afterwards.
// An event comes at least once: one that is stored already is answered, and handled no second time.
import { existsSync } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { verifyWebhook, WebhookVerificationError } from "@matchbook/client";

const MOST_BYTES = 300_000;
const { PORT = "8080", WEBHOOK_SECRETS = "" } = process.env;
// Both secrets, while one is replaced.
const secrets = WEBHOOK_SECRETS.split(" ");
const [, , inbox = "inbox"] = process.argv;
const fileIn = (folder, id) => join(inbox, folder, `${id}.json`);
for (const folder of ["part", "new", "done"]) {
  await mkdir(join(inbox, folder), { recursive: true });
}

// Events that an earlier process has stored and not handled.
const names = await readdir(join(inbox, "new"));
const stored = await Promise.all(names.map((name) => readFile(join(inbox, "new", name), "utf8")));
const events = stored.map((text) => JSON.parse(text));
let handling = Promise.resolve();
for (const event of events.sort((a, b) => a.sequence - b.sequence)) handleLater(event);

createServer(async (request, response) => {
  try {
    const body = await bytesOf(request);
    /** @type {import("@matchbook/client").Event} */
    const event = await verifyWebhook(body, request.headers, secrets);
    if (await store(event.id, body)) handleLater(event);
    response.writeHead(204).end();
  } catch (error) {
    // Everything but 2xx makes Matchbook send the event again.
    const is_forged = error instanceof WebhookVerificationError;
    if (!is_forged) console.error(error);
    response.writeHead(is_forged ? 400 : 500).end();
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log("listening"));

/** What your program does with an event. */
async function handle({ sequence, type, resource_id }) {
  console.log(sequence, type, resource_id);
}

/** Handles one event after the other. One that fails stays in `new`, and the next start handles it. */
function handleLater(event) {
  handling = handling
    .then(() => handle(event))
    .then(() => rename(fileIn("new", event.id), fileIn("done", event.id)))
    .catch((error) => console.error(error));
}

/** Returns false when the event is there. The file is complete from the moment it has its name. */
async function store(id, body) {
  if (existsSync(fileIn("done", id))) return false;
  const part = fileIn("part", `${id}-${process.hrtime.bigint()}`);
  await writeFile(part, body, { flush: true });
  try {
    await link(part, fileIn("new", id));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(part);
  }
}

async function bytesOf(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error("A body is longer than any of Matchbook's.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
