// Requests by autocannon against several servers in turns: rate, and CPU of the process that serves. Other work on the machine
// changes both, so that ratios are taken within each round.
import { readFile } from "node:fs/promises";
import autocannon from "autocannon";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = 3;
const TICKS_A_SECOND = 100;

/** Cases are requests with the `pid` of who serves them. Answers medians, and medians of ratios between two cases. */
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

/** User and system time of a process; Linux only, 0 elsewhere. */
async function cpuSeconds(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
