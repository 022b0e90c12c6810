// Keeps the customers of Matchbook and the contacts of a CRM alike: `node crm-both-ways.mjs state.json`, until it is stopped.
// In: contacts that were changed in the CRM become customers, with the external id `crm-` and the id of the contact.
// Out: customers that were changed in Matchbook go to the CRM, and so do their invoices. Customers of other systems, which have another
// external id, are left alone.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Matchbook } from "@matchbook/client";

const { MATCHBOOK_URL = "", MATCHBOOK_KEY = "", CRM_URL = "", POLL_SECONDS = "60" } = process.env;
const [, , state_file = ""] = process.argv;
const matchbook = new Matchbook({ baseUrl: MATCHBOOK_URL, apiKey: MATCHBOOK_KEY });
const own_key = await matchbook.key.get();
const state = readState();

await Promise.all([bringIn(), sendOut()]);

async function bringIn() {
  for (;;) {
    const { contacts, last_change } = await crm("GET", `/contacts?after=${state.change}`);
    const rows = [];
    for (const { id, matchbook_id, name, email, city } of contacts) {
      const customer = { external_id: `crm-${id}`, name, email, city };
      // A contact that `sendCustomer` has made belongs to a customer that exists.
      if (matchbook_id) await matchbook.customers.update(matchbook_id, customer);
      else rows.push(JSON.stringify(customer));
    }
    if (rows.length > 0) await upsert(rows);
    save({ change: last_change });
    await pause(Number(POLL_SECONDS) * 1_000);
  }
}

async function upsert(rows) {
  const options = { contentType: "application/x-ndjson" };
  const text = await matchbook.customers.batch(rows.join("\n"), options);
  for (const line of text.trim().split("\n")) {
    const { outcome, external_id, message } = JSON.parse(line);
    if (outcome === "refused") console.error(`${external_id}: ${message}`);
    if (outcome === "remaining") throw new Error("The batch took too long: start again.");
  }
}

async function sendOut() {
  // Without a cursor it begins with the first event, so customers from before are sent, too.
  const events = matchbook.events.follow({
    cursor: state.cursor,
    types: "customer.*,invoice.issued",
    save: (cursor) => save({ cursor }),
  });
  for await (const event of events) {
    if (event.type === "invoice.issued") await sendInvoice(event);
    // What this program has brought in need not go back.
    else if (event.actor.id !== own_key.id) await sendCustomer(event);
  }
}

/** Sends the customer as it is now: events come at least once, and the last one has the state that stays. */
async function sendCustomer({ resource_id }) {
  const { external_id, name, email, city } = await matchbook.customers.get(resource_id);
  const contact = { matchbook_id: resource_id, name, email, city };
  // The CRM makes one contact for a `matchbook_id`. It comes back as a change, which sets the external id.
  if (external_id === null) await crm("POST", "/contacts", contact);
  else if (isOfCrm(external_id)) await crm("PUT", `/contacts/${external_id.slice(4)}`, contact);
}

async function sendInvoice({ resource_id, customer_id, data }) {
  const { external_id } = await matchbook.customers.get(customer_id);
  const { ledger_invoice_number, issue_date } = data.resource;
  const invoice = { matchbook_id: customer_id, number: ledger_invoice_number, issue_date };
  if (isOfCrm(external_id)) await crm("PUT", `/invoices/${resource_id}`, invoice);
}

/** Whether a customer is a contact, or becomes one. */
function isOfCrm(external_id) {
  return external_id === null || external_id.startsWith("crm-");
}

async function crm(method, path, body) {
  const response = await fetch(CRM_URL + path, {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The CRM answered ${response.status} to ${method} ${path}`);
  return response.json();
}

function readState() {
  try {
    return JSON.parse(readFileSync(state_file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return { change: 0, cursor: null };
  }
}

/** Replaces the file in one step, so that a crash leaves the old state or the new one. */
function save(changes) {
  Object.assign(state, changes);
  writeFileSync(`${state_file}.new`, JSON.stringify(state));
  renameSync(`${state_file}.new`, state_file);
}
