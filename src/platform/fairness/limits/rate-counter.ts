/** Counts attempts in PostgreSQL for all processes: by sign-in, by address. The first attempt begins a fixed window. */
import { isIP } from "node:net";
import { Problem } from "../../../domain/base/problem.ts";
import type { Reads } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { sha256 } from "../../runtime/json.ts";

export interface Limit {
  /** The kind of attempt, such as `sign-in of a login`. */
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
}

/** Counts one attempt. Throws RATE_LIMITED with the seconds to wait after too many attempts. */
export async function countAttempt(db: Reads, limit: Limit, subject: string): Promise<void> {
  const row = await db.row<{
    count: number;
    wait: number;
  }>(sql`insert into rate_counters (key, count, ends_at)
     values (${keyOf(limit, subject)}, 1, clock_timestamp() + make_interval(secs => ${limit.seconds}))
     on conflict (key) do update set
       count = case when rate_counters.ends_at <= clock_timestamp() then 1
         else least(rate_counters.count, 1000000) + 1 end,
       ends_at = case when rate_counters.ends_at <= clock_timestamp() then excluded.ends_at
         else rate_counters.ends_at end
     returning count, ceil(extract(epoch from ends_at - clock_timestamp()))::int as wait`);
  if (row === undefined || row.count <= limit.most) return;
  const minutes = Math.max(1, Math.ceil(row.wait / 60));
  throw new Problem("RATE_LIMITED", {
    message: `Too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    retry_after_seconds: Math.max(1, row.wait),
  });
}

/** Counts an attempt from the network of an address. Throws RATE_LIMITED as `countAttempt` does. */
export function countAttemptFrom(db: Reads, limit: Limit, address: string): Promise<void> {
  return countAttempt(db, limit, networkOf(address));
}

/** Subtracts an attempt that succeeded, because many people share an address. */
export function takeBackAttemptFrom(db: Reads, limit: Limit, address: string): Promise<void> {
  return takeBackAttempt(db, limit, networkOf(address));
}

/** Subtracts an attempt that succeeded. */
export async function takeBackAttempt(db: Reads, limit: Limit, subject: string): Promise<void> {
  await db.rows(
    sql`update rate_counters set count = count - 1 where key = ${keyOf(limit, subject)} and count > 0`,
  );
}

/** Returns one customer's network: the IPv4 address, or the first half of an IPv6 one (senders choose the second). */
export function networkOf(given: string): string {
  // Some proxies add the port, which differs each time.
  const address = given.replace(/^\[(.*)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  const [start = "", end] = address.replace(/%.*$/, "").split("::");
  const known = start.split(":").filter((group) => group !== "");
  // The zeros of `::` reach beyond the first half, unless more than half of the groups follow them.
  const after = (end ?? "").split(":").filter((group) => group !== "");
  const zeros = end === undefined ? 0 : Math.max(0, 8 - known.length - after.length);
  const groups = [...known, ...Array<string>(zeros).fill("0"), ...after].slice(0, 4);
  const first_half = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
  // Loopback and similar addresses belong to no network.
  return first_half === "0:0:0:0" ? address : `${first_half}::/64`;
}

/** Deletes the counted attempts, after one that succeeded. */
export async function forgetAttempts(db: Reads, limit: Limit, subject: string): Promise<void> {
  await db.rows(sql`delete from rate_counters where key = ${keyOf(limit, subject)}`);
}

function keyOf(limit: Limit, subject: string): Buffer {
  return sha256(`${limit.name}\n${subject}`);
}
