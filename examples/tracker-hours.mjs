// Brings the hours of a time tracker into Matchbook: `node tracker-hours.mjs entries.json lines.json`.
// Run it as often as you like, also after a crash: the id of an entry is the external id of its hours, so nothing comes twice.
import { readFile } from "node:fs/promises";
import { Matchbook, MatchbookError } from "@matchbook/client";

const ROWS_AT_ONCE = 1_000;
const matchbook = new Matchbook({
  baseUrl: process.env.MATCHBOOK_URL ?? "",
  apiKey: process.env.MATCHBOOK_KEY ?? "",
});

const [, , entries_file = "", lines_file = ""] = process.argv;
// [{ "id": 7, "email": "bo@studio.example", "project": "Website", "date": "2026-03-02", "seconds": 5400, "note": "…" }, …]
const entries = JSON.parse(await readFile(entries_file, "utf8"));
// { "Website": "<id of a line of a draft or of a series>", … }
const lines = JSON.parse(await readFile(lines_file, "utf8"));

const people = new Map();
for await (const { email, id } of matchbook.users.list({ limit: 100 })) people.set(email, id);

// What Matchbook has of these days.
const days = entries.map(({ date }) => date).sort();
const known = new Map();
const range = { from: days[0] ?? "2000-01-01", to: days.at(-1) ?? "2000-01-01", limit: 100 };
for await (const one of matchbook.workRegistrations.list(range)) known.set(one.external_id, one);

const counts = {};
const rows = entries.map(rowOf).filter((row) => row !== null);
for (const row of rows.filter(({ external_id }) => known.has(external_id)))
  count(await change(row));
const fresh = rows.filter(({ external_id }) => !known.has(external_id));
for (let first = 0; first < fresh.length; first += ROWS_AT_ONCE) {
  const batch = fresh.slice(first, first + ROWS_AT_ONCE);
  for (const { row, outcome, code, message } of await send(batch)) {
    const { external_id } = batch[row - 1];
    // These hours are there on a day outside of the range: the entry got another date.
    if (code === "EXTERNAL_ID_CONFLICT") count(await change(batch[row - 1]));
    else count(outcome);
    if (outcome === "refused" && code !== "EXTERNAL_ID_CONFLICT") report(external_id, message);
  }
}
console.log(JSON.stringify(counts));

/** Returns the hours of an entry as Matchbook takes them; null when it is not known whose or what work it is. */
function rowOf({ id, email, project, date, seconds, note = null, billable = true }) {
  const user_id = people.get(email);
  const line_id = lines[project];
  if (user_id === undefined || line_id === undefined) {
    const missing = user_id === undefined ? `user ${email}` : `line for the project ${project}`;
    report(`tracker-${id}`, `no ${missing}`);
    count("refused");
    return null;
  }
  const hours = Math.round(seconds / 36) / 100;
  return { external_id: `tracker-${id}`, line_id, user_id, date, hours, note, billable };
}

/** Returns an answer for each row. A batch ends after 15 seconds, and the same bytes again continue it. */
async function send(batch) {
  const body = batch.map((row) => JSON.stringify(row)).join("\n");
  for (;;) {
    const options = { contentType: "application/x-ndjson" };
    const text = await matchbook.workRegistrations.batch(body, options);
    const answers = text.trim().split("\n");
    const found = answers.map((line) => JSON.parse(line));
    if (found.every(({ outcome }) => outcome !== "remaining")) return found;
  }
}

/** Changes hours that are there as the entry was changed in the tracker. Returns the outcome. */
async function change({ external_id, ...content }) {
  const before = known.get(external_id);
  if (before && Object.keys(content).every((name) => content[name] === before[name])) {
    return "unchanged";
  }
  try {
    const after = await matchbook.workRegistrations.update(`ext:${external_id}`, content);
    // The line of a series stands for that of its period, so the same work may look different.
    return after.updated_at === before?.updated_at ? "unchanged" : "updated";
  } catch (error) {
    // Hours that are invoiced stay as they are.
    if (!(error instanceof MatchbookError) || error.status !== 409) throw error;
    report(external_id, error.message);
    return "refused";
  }
}

function count(outcome) {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

function report(external_id, message) {
  console.error(`${external_id}: ${message}`);
}
