// Where the time of a write goes, for one client: the waits for the database in microseconds, each with its statements, and the
// processor time of the service before, between and after them. Beside it what the machine needs for a statement that does
// nothing, and for a commit.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { median } from "./load.mjs";
import { call, root, startService } from "./service.mjs";

const COUNT = Number(process.env.BENCH_STEPS ?? 600);
/** The first requests, in which functions are compiled and statements prepared. */
const SHARE_OF_WARM_UP = 0.5;

export async function benchSteps(report) {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-steps-"));
  const file = join(folder, "requests");
  const clock = pathToFileURL(join(root, "bench", "step-clock.mjs")).href;
  const service = await startService({
    NODE_OPTIONS: `--import ${clock}`,
    BENCH_STEP_FILE: file,
    LOG_LEVEL: "info",
  });
  try {
    await service.printed("the other threads are loaded");
    const outside = await writeInTurn(service);
    const requests = (await readFile(file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const of = (pattern) => requests.filter(({ method, url }) => pattern.test(`${method} ${url}`));
    report("an invoice of 5 lines is created, microseconds", {
      ...stepsOf(of(/^POST \/api\/v1\/invoices$/)),
      "as the client sees it": outside.create,
    });
    report("an invoice of 5 lines is issued, microseconds", {
      ...stepsOf(of(/^POST \/api\/v1\/invoices\/[^/]+\/issue$/)),
      "as the client sees it": outside.issue,
    });
    report("the machine, microseconds", await floors(await service.databaseUrl()));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates and issues invoices with one client; returns the medians of the microseconds of each. */
async function writeInTurn(service) {
  const customer = await call(service, "POST", "/customers", { name: "Acme" });
  const product = await call(service, "POST", "/products", { name: "Work" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
  const lines = Array.from({ length: 5 }, () => line);
  const body = { customer_id: customer.id, auto_send: false, lines };
  const taken = { create: [], issue: [] };
  const timed = async (name, ...request) => {
    const began = performance.now();
    const answer = await call(service, ...request);
    taken[name].push((performance.now() - began) * 1000);
    return answer;
  };
  for (let n = 0; n < COUNT; n += 1) {
    const { id } = await timed("create", "POST", "/invoices", body);
    await timed("issue", "POST", `/invoices/${id}/issue`);
  }
  return { create: median(warm(taken.create)), issue: median(warm(taken.issue)) };
}

function warm(values) {
  return values.slice(Math.floor(values.length * SHARE_OF_WARM_UP));
}

/** Returns the median of each step, of the requests that had the usual waits. */
function stepsOf(requests) {
  const shapes = warm(requests).map(shapeOf);
  const usual = mostFrequent(shapes.map(({ labels }) => labels.join("; ")));
  const steps = shapes.filter(({ labels }) => labels.join("; ") === usual);
  const [{ labels }] = steps;
  const middle = (at) => median(steps.map(({ values }) => values[at]));
  const figures = Object.fromEntries(
    labels.map((label, at) => [`${at + 1}. ${label}`, middle(at)]),
  );
  const sum = (is_wait) =>
    median(
      steps.map(({ values }) =>
        values.filter((_, at) => (at % 2 === 1) === is_wait).reduce((all, one) => all + one, 0),
      ),
    );
  return {
    ...figures,
    "waits together": sum(true),
    "processor time of the service together": sum(false),
  };
}

/** The steps of a request: processor time and waits in turn, from its headers to the end of its answer. */
function shapeOf({ began, ended, waits }) {
  const labels = [];
  const values = [];
  let since = began;
  for (const [from, to, texts] of waits) {
    labels.push("service", `waits for ${texts.map(nameOf).join(", ")}`);
    values.push((from - since) * 1000, (to - from) * 1000);
    since = to;
  }
  return { labels: [...labels, "service"], values: [...values, (ended - since) * 1000] };
}

/** A short name for a statement: its verb, and the first table that it names. */
function nameOf(text) {
  const [verb = ""] = text.trim().split(/\s+/, 1);
  const [, table = ""] = /\b(?:from|into|update)\s+([a-z_]+)/i.exec(text) ?? [];
  return `${verb} ${table}`.trim();
}

function mostFrequent(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0][0];
}

/** What a wait takes at least, with a client of its own: for a statement that does nothing, and for a commit. */
async function floors(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const medianOf = async (name, text) => {
    const taken = [];
    for (let n = 0; n < COUNT; n += 1) {
      const began = performance.now();
      await client.query({ name, text });
      taken.push((performance.now() - began) * 1000);
    }
    return median(warm(taken));
  };
  const statement = await medianOf("nothing", "select 1");
  const commit = await medianOf("commit", "select pg_logical_emit_message(true, 'bench', 'x')");
  await client.end();
  return {
    "a statement that does nothing": statement,
    "a commit, beyond that": commit - statement,
    "load of the last minute, processes": loadavg()[0],
  };
}
