// Revenue of 12 months of many lines (BENCH_LINES) as Parquet, compared with the same as lines of JSON, while another account reads.
import { monthFromNow, seedBasics, seedIssued } from "./heavy.mjs";
import { besideOther, openBeside } from "./other-account.mjs";
import { figuresOf, openAccount, withService } from "./service.mjs";

const LINES = Number(process.env.BENCH_LINES ?? 100_000);
const OF_ONE = 500;

export function benchExports(report) {
  return withService(async (service, client) => {
    const { key } = openAccount(service, "Exports");
    const seller = await seedBasics(service, key);
    await seedIssued(service, client, seller, Math.ceil(LINES / OF_ONE), { lines: OF_ONE });
    const beside = await openBeside(service);
    try {
      const empty = await exported(service, openAccount(service, "Empty").key, "parquet");
      const lines = await exported(service, key, "ndjson");
      const { result, other } = await besideOther(beside, () => exported(service, key, "parquet"));
      report(`GET /exports/revenue of 12 months, ${LINES} lines`, {
        "an empty file, seconds": empty.seconds,
        "lines of JSON, seconds": lines.seconds,
        "Parquet, seconds": result.seconds,
        "Parquet to lines of JSON, ratio of times": result.seconds / lines.seconds,
        "Parquet, MB": result.bytes / 1e6,
        "more memory than before, MB": result.more_mb,
        ...other,
      });
    } finally {
      beside.kill();
    }
  });
}

/** Takes the file of the last 12 months; returns how long it took, its size, and the most memory that the service took for it. */
async function exported({ origin, pid }, key, format) {
  const before = figuresOf(pid).rss_mb;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, figuresOf(pid).rss_mb);
  }, 50);
  const began = performance.now();
  const range = `from=${monthFromNow(-11)}&to=${monthFromNow(0)}`;
  const response = await fetch(`${origin}/api/v1/exports/revenue?format=${format}&${range}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const part of response.body) bytes += part.length;
  clearInterval(watch);
  return { seconds: (performance.now() - began) / 1000, bytes, more_mb: most - before };
}
