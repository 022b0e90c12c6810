// Light requests of another account beside a load, sent by a process of its own (`beside.mjs`), and how long each one waits.
import { fork } from "node:child_process";
import { join } from "node:path";
import { seedBasics, seedDraft } from "./heavy.mjs";
import { openAccount, root } from "./service.mjs";

/** Starts the process that sends another account's requests, and makes the data that they read. */
export async function openBeside(service) {
  const { key } = openAccount(service, "Beside");
  const other = await seedBasics(service, key);
  for (let n = 0; n < 30; n += 1) await seedDraft(service, other, 5);
  const beside = fork(join(root, "bench", "beside.mjs"), [
    service.origin,
    key,
    "/invoices?limit=25",
    `/customers/${other.customer_id}`,
  ]);
  await new Promise((resolve) => beside.once("message", resolve));
  return beside;
}

/** Ends the requests; returns their waits. The process waits for the next ones. */
export function endOf(beside) {
  const waits = new Promise((resolve) => beside.once("message", resolve));
  beside.send("end");
  return waits;
}

export function figuresOfWaits(of, { waits }) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return {
    [`p50${of}, ms`]: at(0.5),
    [`p99${of}, ms`]: at(0.99),
    [`longest wait${of}, ms`]: sorted.at(-1),
  };
}

/** Does the work while another account asks; returns its result, and the figures of the other account's waits. */
export async function besideOther(beside, work) {
  beside.send("begin");
  const result = await work();
  const { service } = await endOf(beside);
  return { result, other: figuresOfWaits(" of another account's GET", service) };
}
