/**
 * The factor of processor time that work takes now, compared with the idle machine on which the bounds of tests were set.
 * Two virtual cores share one real core: with a busy neighbour, each instruction takes up to twice as long.
 */
const ITEMS = Array.from({ length: 2_000 }, (_, n) => ({ id: `line-${n}`, amount: n * 100 }));
const TEXT = JSON.stringify(ITEMS);
const ROUNDS = 4;
/** Milliseconds of processor time that the rounds take on the idle machine. */
const IDLE_MS = 3;

/** Compiles the measured code before the first measurement. */
for (let n = 0; n < 50; n += 1) compute();

function compute(): void {
  for (let n = 0; n < ROUNDS; n += 1) JSON.stringify(JSON.parse(TEXT));
}

/** The factor by which processor time is stretched now; 1 or more. One measurement takes a few milliseconds. */
export function slowness(): number {
  const before = process.cpuUsage();
  compute();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1_000 / IDLE_MS);
}

/** The median of several measurements. */
export function medianSlowness(measured: readonly number[]): number {
  return measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 1;
}
