// Measures cases alternately, so that the state of the machine affects all of them equally: requests by autocannon to several
// servers (rate, and CPU of the server process), and single requests to two services of different size. Ratios are taken within
// one run.
import { readFile } from "node:fs/promises";
import autocannon from "autocannon";
import pg from "pg";
import { seedBasics } from "./heavy.mjs";
import { startService } from "./service.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = 3;
const TICKS_A_SECOND = 100;

/** Cases are requests with the `pid` of the serving process. Returns medians, and medians of ratios between two cases. */
export async function inTurns(cases, connections) {
  const figures = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, one] of Object.entries(cases)) {
      figures[name].push(await measured(one, connections));
    }
  }
  return {
    of: (name, key) => median(figures[name].map((figure) => figure[key])),
    ratio: (one, other, key) =>
      median(figures[one].map((figure, round) => figure[key] / figures[other][round][key])),
  };
}

async function measured({ pid, ...request }, connections) {
  await autocannon({ ...request, connections, duration: 1 });
  const before = await cpuSeconds(pid);
  const result = await autocannon({ ...request, connections, duration: SECONDS });
  const spent = (await cpuSeconds(pid)) - before;
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${request.url} failed under load`);
  return { rate: result.requests.average, cpu_us: (spent / result.requests.total) * 1e6 };
}

/** Returns the user and system time of a process in seconds; Linux only, 0 elsewhere. */
async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Measures two services, one with few and one with many resources; `measure` receives the result of `seed` for each. */
export async function atTwoSizes(few, many, seed, measure) {
  const services = [await startService(), await startService()];
  try {
    const seeded = [await seed(services[0], few), await seed(services[1], many)];
    await measure(services, seeded);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

/**
 * Fills the database of a service: `fill` gets a separate connection, and a customer and a product of the account. Returns the
 * result of `fill`.
 */
export async function fillDatabase(service, fill) {
  const client = new pg.Client({ connectionString: await service.databaseUrl() });
  await client.connect();
  try {
    const seller = await seedBasics(service, service.key);
    await client.query("set synchronous_commit = off");
    const made = await fill(client, seller);
    await client.query("vacuum analyze");
    return made;
  } finally {
    await client.end();
  }
}

/**
 * Returns the median times of cases in milliseconds: `{ few, many }` by name, requested alternately in each round, after
 * `uncounted` rounds for warming up.
 */
export async function mediansInTurn(cases, rounds, uncounted) {
  const times = Object.entries(cases).map(([name, { few, many }]) => ({
    ...{ name, few, many },
    at_few: [],
    at_many: [],
  }));
  for (let round = -uncounted; round < rounds; round += 1) {
    for (const { few, many, at_few, at_many } of times) {
      const [of_few, of_many] = [await timeOf(few), await timeOf(many)];
      if (round < 0) continue;
      at_few.push(of_few);
      at_many.push(of_many);
    }
  }
  return Object.fromEntries(
    times.map(({ name, at_few, at_many }) => [
      name,
      { few: median(at_few), many: median(at_many) },
    ]),
  );
}

async function timeOf(ask) {
  const began = performance.now();
  await ask();
  return performance.now() - began;
}
