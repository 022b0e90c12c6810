// Measures the feed of events of an account with many events (BENCH_EVENTS): pages at its head and in its middle, of a rare type and of
// one customer, compared with a page of the head of a small feed.
import { median } from "./load.mjs";
import { call, figuresOf, openAccount, withService } from "./service.mjs";

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const ASKED = 40;
/** One event of this many is of the rare type, and of the customer. */
const RARE = 5_000;
const UNKNOWN = "0190a000-0000-7000-8000-000000000001";

export function benchEvents(report) {
  return withService(async (service, client) => {
    const small = openAccount(service, "Small feed");
    const large = openAccount(service, "Large feed");
    await fillFeed(client, small.account_id, 200);
    const followed = { name: "Followed", external_id: "followed" };
    const { id } = await call(service, "POST", "/customers", followed, large.key);
    await fillFeed(client, large.account_id, EVENTS, id);
    await client.query("analyze audit_events");
    const { data } = await call(service, "GET", "/events?limit=1", undefined, large.key);
    if (data.length !== 1) throw new Error("the feed is empty");
    const middle = Math.floor(EVENTS / 2);
    const pages = {
      "head of a small feed": [small.key, "after=100"],
      head: [large.key, `after=${EVENTS - 100}`],
      middle: [large.key, `after=${middle}`],
      "10,000 of a rare type": [large.key, `after=${middle}&types=product.deactivated`],
      "10,000 of one customer": [large.key, `after=${middle}&customer=ext:followed`],
    };
    const taken = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
    for (let round = 0; round < ASKED + 5; round += 1) {
      for (const [name, [key, parameters]] of Object.entries(pages)) {
        const began = performance.now();
        await call(service, "GET", `/events?limit=100&${parameters}`, undefined, key);
        if (round >= 5) taken[name].push(performance.now() - began);
      }
    }
    const base = median(taken["head of a small feed"]);
    const figures = {};
    for (const [name, times] of Object.entries(taken)) {
      figures[`${name}, ms`] = median(times);
      figures[`${name}, ratio`] = median(times) / base;
    }
    report(`GET /events?limit=100 of ${EVENTS} events`, figures);
    report("the whole feed as lines of JSON", await wholeFeed(service, large.key));
    report("a second time", await wholeFeed(service, large.key));
    report("wait, from commit to answer", await waitLatency(service, small.key));
  });
}

/** How fast the whole feed arrives, and what it costs the service: its own processor time, which other load does not change. */
async function wholeFeed({ origin, pid }, key) {
  const began = performance.now();
  const before = figuresOf(pid);
  let most_mb = before.rss_mb;
  const watch = setInterval(() => {
    most_mb = Math.max(most_mb, figuresOf(pid).rss_mb);
  }, 50);
  const response = await fetch(`${origin}/api/v1/events`, {
    headers: { authorization: `Bearer ${key}`, accept: "application/x-ndjson" },
  });
  let lines = 0;
  for await (const part of response.body) {
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1;
  }
  clearInterval(watch);
  const seconds = (performance.now() - began) / 1_000;
  const cpu_seconds = figuresOf(pid).cpu_seconds - before.cpu_seconds;
  return {
    events: lines,
    seconds,
    "events a second": lines / seconds,
    "processor time of the service, µs an event": (1e6 * cpu_seconds) / lines,
    "more memory than before, MB": most_mb - before.rss_mb,
  };
}

/** Milliseconds from the answer of a change to that of the request which waits for it. */
async function waitLatency(service, key) {
  const taken = [];
  for (let round = 0; round < ASKED; round += 1) {
    const head = await fetch(`${service.origin}/api/v1/events?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await head.text();
    const after = head.headers.get("matchbook-sequence");
    const waits = call(service, "GET", `/events?after=${after}&wait=30`, undefined, key);
    await call(service, "POST", "/customers", { name: `Customer ${round}` }, key);
    const began = performance.now();
    await waits;
    taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  return { "p50, ms": median(taken), "longest, ms": taken.at(-1) };
}

/** Appends events that look like those of customers; the hashes, which no reader of the feed asks for, are not those of a chain. */
export async function fillFeed(client, account_id, count, customer_id = UNKNOWN) {
  await client.query(
    `insert into audit_events (account_id, seq, id, at, actor_kind, actor_id, action, resource_type, resource_id, payload, hash,
       hash_version, customer_id)
     select $1, h.seq + n, id, now(), 'api_key', 'bench', action, type, $3::text,
       concat('{"object":"audit_event","id":"', id, '","at":"2026-01-01T00:00:00.000Z","actor":{"kind":"api_key","id":"bench"},"action":"',
         action, '","resource_type":"', type, '","resource_id":"', $3::text, '","before":null,"after":{"object":"', type,
         '","name":"', repeat('Nordlys ', 60), '"},"reason":null}'),
       ''::bytea, 2, case when n % $4 = 0 then $3::text::uuid end
     from audit_heads h, generate_series(1, $2::int) as n, lateral (select gen_random_uuid() as id where n > 0) as own,
       lateral (select case when n % $4 = 0 then 'product' else 'customer' end as type,
         case when n % $4 = 0 then 'deactivated' else 'updated' end as action) as kind
     where h.account_id = $1`,
    [account_id, count, customer_id, RARE],
  );
  await client.query("update audit_heads set seq = seq + $2 where account_id = $1", [
    account_id,
    count,
  ]);
}
