// Measures the waits of one account's light requests during heavy requests of another: a GET every 50 ms during each kind of
// load, on a new service. BENCH_ROWS=1,4 measures only some; the numbers are those of the rows below.
import { setTimeout as delay } from "node:timers/promises";
import {
  monthFromNow,
  openClient,
  seedBasics,
  seedDraft,
  seedIssued,
  seedOldSeries,
  wrongBody,
} from "./heavy.mjs";
import { endOf, figuresOfWaits, openBeside } from "./other-account.mjs";
import { figuresOf, withService } from "./service.mjs";

const MOST_LOAD_MS = Number(process.env.BENCH_MOST_SECONDS ?? 40) * 1000;
const MOST_IDLE_MS = 60_000;
const WRONG_BODIES_MS = 8_000;
/** The delay before the rendering of row 9 begins, so that all is prepared by that time. */
const BEGIN_MS = 10_000;
/** The time between the end of a load and the reading of the memory. */
const REST_MS = 10_000;
/** A service is idle if it uses less than this share of a core for a second. */
const IDLE_SHARE = 0.1;

const times = (count, ask) => Promise.all(Array.from({ length: count }, (_, n) => ask(n)));

/** `seed` creates the data and returns the load: the requests of a client, until all are answered. */
const ROWS = [
  {
    title: "GET /accruals of one customer, a weekly series since 1990 with 500 lines",
    async seed({ service, client, seller }) {
      await seedOldSeries(service, client, seller);
      const path = `/accruals?customer=${seller.customer_id}&month=${monthFromNow(-1)}`;
      return (heavy) => heavy.ask("GET", path);
    },
  },
  {
    title: "POST /period-closes of the same account, for its first open month",
    async seed({ service, client, seller }) {
      await seedOldSeries(service, client, seller);
      return (heavy) => heavy.ask("POST", "/period-closes", { month: "1990-01" });
    },
  },
  {
    title: "GET /recurring-series/{ref}/preview of the same series, until 2199",
    async seed({ service, client, seller }) {
      const id = await seedOldSeries(service, client, seller);
      return (heavy) => heavy.ask("GET", `/recurring-series/${id}/preview?until=2199-12-31`);
    },
  },
  {
    title: "20 simultaneous PDFs of a draft of 500 lines",
    async seed({ service, seller }) {
      const id = await seedDraft(service, seller);
      return (heavy) => times(20, () => heavy.ask("GET", `/invoices/${id}/pdf`));
    },
  },
  {
    title: "50 files /invoices.csv of 103 invoices with 500 lines",
    async seed({ service, client, seller }) {
      await seedIssued(service, client, seller, 103);
      return (heavy) => times(50, () => heavy.ask("GET", "/invoices.csv"));
    },
  },
  {
    title: "100 x GET /recognition over 24 months by line, 50,000 lines",
    is_stopped_while_busy: true,
    async seed({ service, client, seller }) {
      await seedIssued(service, client, seller, 100);
      const path = `/recognition?from=${monthFromNow(-12)}&to=${monthFromNow(11)}`;
      return (heavy) => times(100, () => heavy.ask("GET", path));
    },
  },
  {
    title: "100 simultaneous PATCHes of one draft of 500 lines",
    async seed({ service, seller }) {
      const id = await seedDraft(service, seller);
      return (heavy) =>
        times(100, (n) => heavy.ask("PATCH", `/invoices/${id}`, { title: `Title ${n}` }));
    },
  },
  {
    title: "refused bodies of 945 KB, four at a time, for 8 s",
    async seed() {
      const body = wrongBody();
      return async (heavy) => {
        const until = performance.now() + WRONG_BODIES_MS;
        await times(4, async () => {
          while (performance.now() < until) await heavy.ask("POST", "/invoices", body);
        });
      };
    },
  },
  {
    title: "100 issued invoices of 500 lines rendered in the background",
    async seed({ service, client, seller }) {
      const age = `${60 - BEGIN_MS / 1000} s`;
      await seedIssued(service, client, seller, 100, { age });
      const waiting = async () => {
        const { rows } = await client.query(
          `select count(*)::int as count from issued_documents d where not exists
             (select from document_files f where (f.account_id, f.document_id) = (d.account_id, d.document_id))`,
        );
        return rows[0].count;
      };
      return async (heavy, isOver) => {
        while (!isOver() && (await waiting()) > 1) await delay(500);
        heavy.tally.statuses.rendered = 99 - Math.max(0, (await waiting()) - 1);
      };
    },
  },
];

export async function benchFairness(report) {
  const wanted = process.env.BENCH_ROWS?.split(",").map(Number);
  const longest = {};
  for (const [index, row] of ROWS.entries()) {
    if (wanted && !wanted.includes(index + 1)) continue;
    const title = `${index + 1}. ${row.title}`;
    const figures = await measure(row);
    report(title, figures);
    longest[`${title}, longest wait`] = figures["longest wait, ms"];
  }
  report("the longest waits of another account, ms", longest);
}

async function measure(row) {
  return withService(async (service, client) => {
    const seller = await seedBasics(service, service.key);
    const load = await row.seed({ service, client, seller });
    const beside = await openBeside(service);
    try {
      const figures = await underLoad(service, load, beside);
      if (row.is_stopped_while_busy) {
        void load(openClient(service, seller.key), () => true);
        await delay(2_000);
        figures["SIGTERM while busy, seconds to the exit"] = await service.stop();
      }
      return figures;
    } finally {
      beside.kill();
    }
  });
}

/** Runs the load and the other account's light requests together, and returns the figures of both. */
async function underLoad(service, load, beside) {
  beside.send("begin");
  await delay(1_000);
  await endOf(beside);
  await delay(1_000);
  const idle = figuresOf(service.pid);
  let peak = idle.rss_mb;
  const watch = setInterval(() => {
    peak = Math.max(peak, figuresOf(service.pid).rss_mb);
  }, 100);
  const heavy = openClient(service, service.key);
  beside.send("begin");
  const began = performance.now();
  const limit = setTimeout(() => heavy.end(), MOST_LOAD_MS);
  await load(heavy, () => performance.now() - began > MOST_LOAD_MS);
  clearTimeout(limit);
  const ended_ms = performance.now() - began;
  const ended = figuresOf(service.pid);
  const [waits, idle_after] = await Promise.all([endOf(beside), secondsUntilIdle(service.pid)]);
  await delay(Math.max(0, began + ended_ms + REST_MS - performance.now()));
  clearInterval(watch);
  const { unanswered, bytes, statuses, times_ms } = heavy.tally;
  return {
    ...figuresOfWaits("", waits.service),
    ...figuresOfWaits(" of a bare server", waits.bare),
    ...Object.fromEntries(
      Object.entries(waits.service.refused).map(([status, count]) => [`refused ${status}`, count]),
    ),
    "load, seconds": ended_ms / 1000,
    ...Object.fromEntries(
      Object.entries(statuses).map(([status, count]) => [`load: ${status}`, count]),
    ),
    "load: cut by the client": unanswered,
    ...(times_ms.length === 0
      ? {}
      : {
          "load: first answer, seconds": Math.min(...times_ms) / 1000,
          "load: last answer, seconds": Math.max(...times_ms) / 1000,
        }),
    "load: MB answered": bytes / 1e6,
    "CPU of the service under load, seconds": ended.cpu_seconds - idle.cpu_seconds,
    "idle after the load, seconds": idle_after,
    "memory idle before, MB": idle.rss_mb,
    "memory at most, MB": peak,
    "memory ten seconds after, above idle, MB": figuresOf(service.pid).rss_mb - idle.rss_mb,
  };
}

/** Returns the waits of the light requests, after the last of them has its response. */

async function secondsUntilIdle(pid) {
  const began = performance.now();
  while (performance.now() - began < MOST_IDLE_MS) {
    const { cpu_seconds } = figuresOf(pid);
    const since = performance.now();
    await delay(1_000);
    const share = (figuresOf(pid).cpu_seconds - cpu_seconds) / ((performance.now() - since) / 1000);
    if (share < IDLE_SHARE) return (since - began) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}
