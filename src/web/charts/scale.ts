/** Computes vertical positions of values in a drawing; bars begin at 0. */

interface Scale {
  /** Returns the distance of a value from the top of the drawing. */
  at(value: bigint): number;
  readonly zero: number;
}

/** Returns a scale for the values between the positions `top` and `bottom`. It always includes 0. */
export function scaleOf(values: readonly bigint[], top: number, bottom: number): Scale {
  const highest = values.reduce((most, value) => (value > most ? value : most), 0n);
  const lowest = values.reduce((least, value) => (value < least ? value : least), 0n);
  const range = highest - lowest;
  const at = (value: bigint): number => {
    if (range === 0n) return bottom;
    // In tenths, so that amounts of any size are compared exactly.
    const tenths = ((highest - value) * BigInt(Math.round((bottom - top) * 10))) / range;
    return top + Number(tenths) / 10;
  };
  return { at, zero: at(0n) };
}

const STEPS = [1n, 2n, 5n];

/** Returns round values within the range of the values, 0 among them, at the distance that gives at most `most` steps. */
export function ticksOf(values: readonly bigint[], most: bigint): bigint[] {
  const highest = values.reduce((size, value) => (value > size ? value : size), 0n);
  const lowest = values.reduce((least, value) => (value < least ? value : least), 0n);
  const range = highest - lowest;
  if (range === 0n) return [0n];
  let step = 1n;
  for (let unit = 1n; step * most < range; unit *= 10n) {
    step = STEPS.map((of) => of * unit).find((one) => one * most >= range) ?? unit * 10n;
  }
  const ticks: bigint[] = [];
  for (let tick = (lowest / step) * step; tick <= highest; tick += step) ticks.push(tick);
  return ticks;
}
