// The time from an empty data directory to the first issued invoice, and what a later start costs: the time until it listens and
// until its threads are loaded, light requests meanwhile, the first request of each heavy kind, and what it needs when it is idle.
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { monthFromNow } from "./heavy.mjs";
import { median } from "./load.mjs";
import { call, figuresOf, startService } from "./service.mjs";

const LATER = 20;
const IDLE_SECONDS = 10;
/** Threads give back what loading has used after this time. */
const SETTLED_MS = 21_000;
const PAUSE_MS = 5;

export async function benchStart(report) {
  const service = await startService();
  const seeded = await seed(service);
  const issued_ms = performance.now() - service.began;
  await addSeries(service, seeded);
  await service.stop({ keep: true });
  const again = await startService({ MATCHBOOK_DATA_DIR: service.folder, LOG_LEVEL: "info" });
  try {
    const light = `/customers/${seeded.customer_id}`;
    const while_loading = await lightRequests(again, light, service.key);
    const loaded_ms = performance.now() - again.began;
    report("start, milliseconds", {
      "first start to listening": service.started_ms,
      "first start to first issued and sent invoice": issued_ms,
      "later start to listening": again.started_ms,
      "later start to loaded threads": loaded_ms,
      "a light request while they load, median": median(while_loading),
      "a light request while they load, longest": Math.max(...while_loading),
    });
    report("idle, with all threads loaded", await idle(again));
    report(`first request of each kind, and median of ${LATER} later ones, milliseconds`, {
      ...(await firstAndLater(again, kindsOf(seeded), service.key)),
    });
  } finally {
    await again.stop();
  }
}

/** Creates what the first issue needs, and issues. */
async function seed(service) {
  const customer = await call(service, "POST", "/customers", {
    name: "Acme",
    email: "ap@acme.example",
  });
  const product = await call(service, "POST", "/products", { name: "Work", default_price: 1000 });
  const period = {
    service_from: `${monthFromNow(-6)}-01`,
    service_to: `${monthFromNow(6)}-01`,
  };
  const line = { product_id: product.id, recognition_method: "value" };
  const body = { customer_id: customer.id, lines: [{ ...line, ...period }, line] };
  const invoice = await call(service, "POST", "/invoices", body);
  await call(service, "POST", `/invoices/${invoice.id}/issue`);
  const draft = await call(service, "POST", "/invoices", body);
  return { customer_id: customer.id, line, invoice_id: invoice.id, draft_id: draft.id };
}

async function addSeries(service, seeded) {
  const { id } = await call(service, "POST", "/recurring-series", {
    customer_id: seeded.customer_id,
    frequency: "monthly",
    start_date: `${monthFromNow(1)}-01`,
    lines: [seeded.line],
  });
  await call(service, "POST", `/recurring-series/${id}/activate`, {});
  seeded.series_id = id;
}

/** The kinds of requests that other threads answer, with a request for each. */
function kindsOf({ customer_id, invoice_id, draft_id, series_id }) {
  const [from, to] = [monthFromNow(-6), monthFromNow(0)];
  return {
    report: `/recognition?from=${from}&to=${to}&group_by=customer`,
    forecast: `/recognition?from=${monthFromNow(1)}&to=${monthFromNow(6)}&group_by=month`,
    "roll-forward": `/recognition/rollforward?from=${from}&to=${to}`,
    accrual: `/accruals?customer=${customer_id}&month=${to}`,
    "preview of a series": `/recurring-series/${series_id}/preview?until=${monthFromNow(12)}-01`,
    "schedule of an invoice": `/invoices/${invoice_id}/recognition`,
    "PDF of a draft": `/invoices/${draft_id}/pdf`,
    "PDF of an invoice": `/invoices/${invoice_id}/pdf`,
    "revenue as CSV": `/recognition.csv?from=${from}&to=${to}`,
    "invoices as CSV": "/invoices.csv",
    "entries as CSV": `/ledger/entries.csv?from=${from}-01&to=${to}-28`,
  };
}

/** Asks for a customer again and again until the threads are loaded; returns the milliseconds of each request. */
async function lightRequests(service, path, key) {
  let is_loaded = false;
  const loaded = service.printed("the other threads are loaded").then(() => {
    is_loaded = true;
  });
  const taken = [];
  while (!is_loaded) {
    taken.push(await msOf(service, path, key));
    await delay(PAUSE_MS);
  }
  await loaded;
  return taken;
}

async function firstAndLater(service, kinds, key) {
  const figures = {};
  for (const [kind, path] of Object.entries(kinds)) {
    figures[`${kind}: first`] = await msOf(service, path, key);
    const later = [];
    for (let n = 0; n < LATER; n += 1) later.push(await msOf(service, path, key));
    figures[`${kind}: later`] = median(later);
  }
  return figures;
}

/** Sends a request, reads the whole answer, and returns the milliseconds; throws for any status other than 200. */
function msOf(service, path, key) {
  const headers = { authorization: `Bearer ${key}` };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${service.origin}/api/v1${path}`, { headers }, (reply) => {
      reply.resume();
      reply.on("end", () => {
        if (reply.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`GET ${path}: ${reply.statusCode}`));
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The memory and processor time of the service. The test of an idle service counts its statements. */
async function idle(service) {
  await delay(SETTLED_MS);
  const [before, began] = [figuresOf(service.pid), performance.now()];
  await delay(IDLE_SECONDS * 1000);
  const [after, ended] = [figuresOf(service.pid), performance.now()];
  const share = (after.cpu_seconds - before.cpu_seconds) / ((ended - began) / 1000);
  return {
    "processor time, percent of a core": share * 100,
    "memory of the service, MB": after.rss_mb,
  };
}
