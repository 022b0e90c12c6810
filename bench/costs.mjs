// Measures the processor time that a thousand requests of each kind cost, in the service and in its database. Other work of the
// machine changes these figures only a little, so docs/scaling.md derives the capacity of a machine from them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { monthFromNow, seedBasics, seedDraft } from "./heavy.mjs";
import { dueSeries } from "./series.mjs";
import { call, figuresOf, withService } from "./service.mjs";

const PARALLEL = 8;
/** The processor seconds in a second of a service that rests. */
const MOST_RESTING = 0.1;
const COUNT = Number(process.env.BENCH_COSTS ?? 400);

export async function benchCosts(report) {
  await withService(async (service, client) => {
    const seller = await seedBasics(service, service.key);
    await rested(service);
    const drafts = await many(COUNT, () => seedDraft(service, seller, 5));
    const costs = {};
    const cost = async (name, count, work) => {
      await many(Math.ceil(count / 4), work);
      const before = usedBy(service);
      await many(count, work);
      const after = usedBy(service);
      costs[`${name}: service`] = ((after.service - before.service) / count) * 1000;
      costs[`${name}: database`] = ((after.database - before.database) / count) * 1000;
    };
    await cost("a customer read", COUNT * 4, () =>
      call(service, "GET", `/customers/${seller.customer_id}`),
    );
    await cost("a page of 25 invoices", COUNT * 2, () =>
      call(service, "GET", "/invoices?limit=25"),
    );
    await cost("a draft with 5 lines created", COUNT, () => seedDraft(service, seller, 5));
    let next = 0;
    await cost("an invoice with 5 lines issued", Math.floor((COUNT * 3) / 4), () =>
      call(service, "POST", `/invoices/${drafts[next++]}/issue`),
    );
    await cost("a page of recognition", COUNT / 8, () =>
      call(service, "GET", `/recognition?from=${monthFromNow(-1)}&to=${monthFromNow(0)}&limit=25`),
    );
    await dueSeries(service, client, COUNT * 4);
    const before = usedBy(service);
    await call(service, "POST", "/scheduler-runs");
    const after = usedBy(service);
    const { rows } = await client.query(
      "select count(*)::int as count from invoices where series_id is not null",
    );
    const thousands = rows[0].count / 1000;
    costs["an invoice with 3 lines of the scheduler: service"] =
      (after.service - before.service) / thousands;
    costs["an invoice with 3 lines of the scheduler: database"] =
      (after.database - before.database) / thousands;
    report("processor seconds for a thousand", costs);
  });
}

/** Resolves when the service has used little of a core for a second: after its start it loads other threads. */
async function rested(service) {
  for (let before = usedBy(service).service; ; ) {
    await delay(1000);
    const now = usedBy(service).service;
    if (now - before < MOST_RESTING) return;
    before = now;
  }
}

async function many(count, work) {
  const results = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await work();
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return results;
}

/** Returns the processor seconds so far; those of the database include processes that have ended. */
function usedBy(service) {
  const [line] = readFileSync(join(service.folder, "postgres", "postmaster.pid"), "utf8").split(
    "\n",
  );
  const fieldsOf = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const [utime, stime, cutime, cstime] = fieldsOf(line).slice(11, 15).map(Number);
  let ticks = utime + stime + cutime + cstime;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fieldsOf(pid);
      if (fields[1] === line) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return { service: figuresOf(service.pid).cpu_seconds, database: ticks / 100 };
}
